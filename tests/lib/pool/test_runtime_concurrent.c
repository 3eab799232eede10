/* SPDX-License-Identifier: MIT */
/* Runtimes share nothing. Several threads, each with a runtime of its own, search graphs and trees at the same time.
 * The threads share one constant graph. ThreadSanitizer runs this test, too. */
#include "../../harness.h"

#include <pthread.h>

#include "../../../graphws.h"
#include "../../../workloads/uts.h"

enum { threads = 2, rounds = 5 };

struct runtime_job {
    pthread_t thread;
    const char *policy;
    const struct gws_graph *graph; /* the main thread's runtime made this graph */
    gws_status status;
    uint64_t reached, nodes;
};

static gws_status search(struct gws_runtime *runtime, struct runtime_job *job)
{
    struct gws_bfs_result result = {0};
    gws_status status = gws_bfs(runtime, job->graph, 0, NULL, &result);
    if (status == GWS_OK) status = gws_bfs_check(runtime, job->graph, &result, NULL);
    job->reached = result.reached;
    gws_bfs_result_clear(&result);
    return status;
}

static gws_status count(struct gws_runtime *runtime, struct runtime_job *job)
{
    struct gws_uts_tree tree = gws_uts_named("T1")->tree;
    struct gws_uts_result result = {0};
    tree.depth = 7;
    gws_status status = gws_uts_search(runtime, &tree, NULL, &result);
    job->nodes = result.nodes;
    return status;
}

static void *work(void *context)
{
    struct runtime_job *job = context;
    struct gws_options options = {.threads = 3, .policy = job->policy};
    for (int i = 0; i < rounds && job->status == GWS_OK; i++) {
        struct gws_runtime *runtime = NULL;
        job->status = gws_runtime_open(&options, &runtime);
        if (job->status == GWS_OK) job->status = search(runtime, job);
        if (job->status == GWS_OK) job->status = count(runtime, job);
        gws_runtime_close(runtime);
    }
    return NULL;
}

START_TEST(two_runtimes_in_two_threads_at_once)
{
    struct gws_runtime *runtime = NULL;
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_generate(runtime, "kron:12", &graph, NULL), GWS_OK);
    struct runtime_job alone = {.policy = "static", .graph = graph};
    work(&alone);
    struct runtime_job job[threads] = {{.policy = "chunked", .graph = graph}, {.policy = "split", .graph = graph}};
    for (int t = 0; t < threads; t++) ck_assert_int_eq(pthread_create(&job[t].thread, NULL, work, &job[t]), 0);
    for (int t = 0; t < threads; t++) pthread_join(job[t].thread, NULL);
    ck_assert_int_eq(alone.status, GWS_OK);
    for (int t = 0; t < threads; t++) {
        ck_assert_int_eq(job[t].status, GWS_OK);
        ck_assert_uint_eq(job[t].reached, alone.reached);
        ck_assert_uint_eq(job[t].nodes, alone.nodes);
    }
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{two_runtimes_in_two_threads_at_once, 1}, {0}};
    return gws_test_run("two runtimes", test);
}
