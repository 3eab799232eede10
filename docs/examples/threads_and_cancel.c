/* SPDX-License-Identifier: MIT */
/* Two threads share one graph, each with a runtime of its own. A second thread computes exact betweenness, which takes
 * too long. main() searches from ten vertices meanwhile, and then cancels the other call. A progress hook shows on
 * standard error how far each call is. */
#include <graphws/graphws.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct job {
    const struct gws_graph *graph;
    atomic_bool stop; /* any thread, or a signal handler, may set it */
    gws_status status;
};

static bool should_stop(void *context)
{
    struct job *job = context;
    return atomic_load(&job->stop);
}

static void show_progress(void *context, const char *work, uint64_t done, uint64_t total)
{
    (void)context;
    if (total > 0) fprintf(stderr, "\r%s: %3.0f %%", work, 100.0 * (double)done / (double)total);
}

static void *compute(void *context)
{
    struct job *job = context;
    const struct gws_options options = {.threads = 2, .cancel = should_stop, .context = job};
    struct gws_betweenness_result result = {0};
    struct gws_runtime *runtime = NULL;
    job->status = gws_runtime_open(&options, &runtime);
    if (job->status == GWS_OK) job->status = gws_betweenness(runtime, job->graph, NULL, &result);
    gws_betweenness_result_clear(&result);
    gws_runtime_close(runtime);
    return NULL;
}

int main(void)
{
    struct job job = {0};
    struct gws_graph *graph = NULL;
    struct gws_runtime *runtime = NULL;
    struct gws_bfs_result result = {0}; /* the searches reuse its arrays */
    pthread_t other;
    uint64_t reached = 0;
    gws_status status = gws_runtime_open(&(struct gws_options){.progress = show_progress}, &runtime);
    if (status == GWS_OK) status = gws_graph_generate(runtime, "road:100000", &graph, NULL);
    job.graph = graph;
    const bool started = status == GWS_OK && pthread_create(&other, NULL, compute, &job) == 0;
    for (uint32_t source = 0; status == GWS_OK && source < 10; source++) {
        status = gws_bfs(runtime, graph, source, NULL, &result);
        if (status == GWS_OK) reached += result.reached;
    }
    atomic_store(&job.stop, true);
    if (started) pthread_join(other, NULL);
    printf("the searches reached %" PRIu64 " vertices: %s\n", reached, gws_status_text(status));
    printf("the other thread: %s\n", started ? gws_status_text(job.status) : "did not start");
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    return status != GWS_OK || !started || job.status != GWS_CANCELLED;
}
