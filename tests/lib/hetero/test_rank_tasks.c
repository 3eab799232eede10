/* SPDX-License-Identifier: MIT */
/* Tasks on several ranks, which are threads here (tests/lib/transport/threads.h): every task runs exactly once, under
 * every policy with task queues, with late and overtaking messages; errors of one rank end all. */
#include "../../harness.h"

#include <time.h>

#include "../../../lib/hetero/rank_tasks.h"
#include "../../../lib/parallel.h"
#include "../transport/threads.h"

enum { workers = 2, tree = 12, leaves = 1 << tree };

/* A task is a node of a binary tree: its leaves are first .. first + 2^height - 1. */
struct node {
    uint32_t height, first;
    uint64_t pad; /* to have more than one word */
};

struct shared {
    const char *policy, *queue;
    uint32_t link, per_host; /* of gws__links_open() */
    bool wait;
    uint32_t threads, repeats;
    bool vote;
    atomic_uint_fast32_t runs[leaves]; /* of each leaf */
    atomic_uint_fast64_t stolen, given;
    gws_status want;
    /* Failures of one rank. */
    uint32_t rank;
    struct gws_test_memory *memory;
    uint64_t fail_at; /* the allocation after the runtime's opening */
    bool cancels;
    /* The root takes 100 ms; what the rank then logs. */
    bool slow;
    char line[200];
};

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    struct shared *shared = context;
    const struct node *node = task;
    (void)worker;
    for (uint32_t i = 0; i < count; i++) {
        if (node[i].height == 0) {
            atomic_fetch_add(&shared->runs[node[i].first], 1);
            continue;
        }
        const struct timespec moment = {.tv_nsec = 100000000};
        if (shared->slow && node[i].height == tree) (void)nanosleep(&moment, NULL);
        const uint32_t height = node[i].height - 1;
        const struct node left = {.height = height, .first = node[i].first};
        const struct node right = {.height = height, .first = node[i].first + (1U << height)};
        gws_spawn(self, &left);
        gws_spawn(self, &right);
    }
}

static bool cancel(void *context)
{
    (void)context;
    return true;
}

static void keep_line(void *context, const char *line)
{
    struct shared *shared = context;
    snprintf(shared->line, sizeof shared->line, "%s", line);
}

static gws_status run_once(struct shared *shared, struct gws_runtime *runtime, struct gws_transport *transport)
{
    const struct node root = {.height = tree};
    const struct gws_tasks tasks = {
        .bytes = sizeof root, .batch = 4, .root = &root, .roots = 1, .run = run, .context = shared};
    struct gws_rank_stats stats = {.stolen = 7777};
    const struct gws_ranks ranks = {.transport = transport, .queue = shared->queue, .stats = &stats};
    gws_status status = GWS_CALL(runtime, NULL, gws_rank_tasks_run(runtime, &ranks, &tasks));
    if (status != GWS_OK) {
        if (stats.stolen != 7777) abort(); /* changed by a failure */
        return status;
    }
    atomic_fetch_add(&shared->stolen, stats.stolen);
    atomic_fetch_add(&shared->given, stats.given);
    if (stats.requests < stats.refused + stats.aborted + stats.failed + stats.steals) abort();
    if (stats.by_messages + stats.by_rma + stats.by_shared + 1 != gws_transport_ranks(transport)) abort();
    return status;
}

static void rank_body(struct gws_transport *transport, void *context)
{
    struct shared *shared = context;
    struct gws_runtime *runtime = NULL;
    const bool fails = gws_transport_rank(transport) == shared->rank;
    struct gws_options options = {
        .threads = shared->threads, .policy = shared->policy, .vote = shared->vote, .wait = shared->wait};
    if (gws__links_open(transport, shared->link, shared->per_host) != GWS_OK) abort();
    if (fails && shared->memory) options.allocator = gws_test_allocator(shared->memory);
    if (fails && shared->cancels) options.cancel = cancel;
    if (fails && shared->slow) options.log = keep_line, options.context = shared;
    gws_status status = gws_runtime_open(&options, &runtime);
    if (status != GWS_OK) abort();
    if (fails && shared->memory) shared->memory->fail_at = atomic_load(&shared->memory->calls) + shared->fail_at;
    for (uint32_t i = 0; i < shared->repeats; i++) {
        status = run_once(shared, runtime, transport);
        if (status != shared->want && !(shared->memory && status == GWS_NO_MEMORY)) abort();
    }
    gws_runtime_close(runtime);
}

static void check_runs(struct shared *shared, uint32_t times)
{
    for (uint32_t i = 0; i < leaves; i++)
        if (atomic_load(&shared->runs[i]) != times) ck_abort_msg("leaf %u ran %u times", i, (unsigned)shared->runs[i]);
    ck_assert_uint_eq(shared->stolen, shared->given);
}

/* How the ranks reach each other, and the queue in their windows. */
struct setup {
    const char *queue;
    uint32_t link, per_host;
    bool wait;
};

static const struct setup any_setup = {.link = gws__link_auto};

static void check_ranks(const char *policy, uint32_t ranks, uint32_t late, const struct setup *setup)
{
    static struct shared shared;
    memset(&shared, 0, sizeof shared);
    shared.policy = policy;
    shared.queue = setup->queue;
    shared.link = setup->link;
    shared.per_host = setup->per_host;
    shared.wait = setup->wait;
    shared.threads = ranks % 2 + 1;
    shared.repeats = 3;
    shared.rank = UINT32_MAX;
    run_ranks(ranks, late, rank_body, &shared);
    check_runs(&shared, 3);
}

/* A rank that waits for long says for whom. */
START_TEST(test_a_wait_is_logged)
{
    static struct shared shared;
    const double before = gws__rank_notice_ms;
    memset(&shared, 0, sizeof shared);
    shared.policy = "split";
    shared.threads = shared.repeats = 1;
    shared.rank = 1;
    shared.slow = true;
    gws__rank_notice_ms = 5;
    run_ranks(2, 0, rank_body, &shared);
    gws__rank_notice_ms = before;
    check_runs(&shared, 1);
    ck_assert_msg(strstr(shared.line, "rank 1 has had no tasks for ") == shared.line, "%s", shared.line);
    ck_assert_msg(strstr(shared.line, " s and waits for ") != NULL, "%s", shared.line);
}
END_TEST

START_TEST(test_policies)
{
    const char *policy;
    for (uint32_t i = 0; (policy = gws_policy_at(i, NULL)); i++)
        if (gws_policy_takes_vote(policy)) check_ranks(policy, 3, 2, &any_setup);
}
END_TEST

START_TEST(test_ranks)
{
    for (uint32_t ranks = 1; ranks <= max_test_ranks; ranks += gws_test_quick() ? 3 : 1)
        for (uint32_t late = 0; late < 8; late += 7) check_ranks("chaselev", ranks, late, &any_setup);
}
END_TEST

/* Every link with every queue, and several links in one job. */
START_TEST(test_links)
{
    static const struct setup setup[] = {{NULL, GWS__LINK_MESSAGES, 0, false}, {"split", GWS__LINK_SHARED, 0, false},
                                         {"saws", GWS__LINK_SHARED, 0, false}, {"split", GWS__LINK_SHARED, 0, true},
                                         {"split", GWS__LINK_RMA, 0, false},   {"saws", GWS__LINK_RMA, 0, false},
                                         {"split", GWS__LINK_RMA, 0, true},    {NULL, gws__link_auto, 2, false},
                                         {"split", gws__link_auto, 2, false},  {"split", gws__link_auto, 1, false}};
    for (size_t i = 0; i < sizeof setup / sizeof *setup; i++)
        for (uint32_t ranks = 2; ranks <= 5; ranks += 3) check_ranks("split", ranks, i % 2 == 0 ? 4 : 0, &setup[i]);
}
END_TEST

/* Without a transport the call is gws_tasks_run(). */
START_TEST(test_one_process)
{
    static struct shared shared;
    struct gws_runtime *runtime;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    const struct node root = {.height = tree};
    const struct gws_tasks tasks = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run, .context = &shared};
    ck_assert_int_eq(gws_rank_tasks_run(runtime, NULL, &tasks), GWS_OK);
    check_runs(&shared, 1);
    gws_runtime_close(runtime);
}
END_TEST

/* Policies in rounds, and the vote of workers, are refused on all ranks. */
START_TEST(test_refused)
{
    static struct shared shared = {
        .threads = 1, .repeats = 2, .want = GWS_INVALID, .rank = UINT32_MAX, .link = gws__link_auto};
    shared.policy = "chunked";
    run_ranks(3, 1, rank_body, &shared);
    shared.policy = "chaselev";
    shared.vote = true;
    run_ranks(2, 1, rank_body, &shared);
    shared.vote = false;
    shared.queue = "nonsense";
    run_ranks(2, 1, rank_body, &shared);
    ck_assert_uint_eq(shared.runs[0], 0);
}
END_TEST

/* A rank is cancelled: all ranks return it. */
START_TEST(test_cancelled)
{
    for (uint32_t rank = 0; rank < 3; rank++) {
        static struct shared shared;
        memset(&shared, 0, sizeof shared);
        shared = (struct shared){.policy = "split", .threads = 2, .repeats = 1, .want = GWS_CANCELLED, .rank = rank};
        shared.link = rank == 0 ? GWS__LINK_MESSAGES : gws__link_auto;
        shared.cancels = true;
        run_ranks(3, 1, rank_body, &shared);
    }
}
END_TEST

/* One rank lacks memory at its k-th allocation: all ranks return it, or the run is complete. */
START_TEST(test_memory)
{
    for (uint32_t rank = 0; rank < 2; rank++)
        for (uint64_t k = 1;; k += gws_test_step()) {
            static struct shared shared;
            memset(&shared, 0, sizeof shared);
            struct gws_test_memory memory = {0};
            shared.policy = "chaselev";
            shared.threads = workers;
            shared.repeats = 1;
            shared.rank = rank;
            shared.memory = &memory;
            shared.link = rank == 0 ? GWS__LINK_MESSAGES : gws__link_auto;
            shared.fail_at = k;
            run_ranks(2, 1, rank_body, &shared);
            gws_test_memory_check(&memory);
            if (!memory.failed) {
                check_runs(&shared, 1);
                break;
            }
        }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_a_wait_is_logged, 1},
                                    {test_policies, 1},
                                    {test_ranks, 1},
                                    {test_links, 1},
                                    {test_one_process, 1},
                                    {test_refused, 1},
                                    {test_cancelled, 1},
                                    {test_memory, 1},
                                    {0}};
    return gws_test_run("rank_tasks", test);
}
