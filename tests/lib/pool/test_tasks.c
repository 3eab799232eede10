/* SPDX-License-Identifier: MIT */
/* Tests immediate tasks under every policy. Each task must run once and whole, for all numbers of threads, batches,
 * sizes and both kinds of termination detection. Other tests cover failing memory, sleeping and waking, and traces. */
#include "../../harness.h"

#include <stdint.h>
#include <time.h>

#include "../../../lib/parallel.h"
#include "../../../lib/random.h"
#include "../../../lib/tasks.h"
#include "../../../lib/trace.h"

enum { policies = 10, queue_policies_from = 5, max_workers = 16, watchdog_s = 120 };

/* ---- a tree of numbered tasks, where i has the children i * fan + 1 .. i * fan + fan below count ---- */

struct tree {
    uint64_t count;
    uint32_t fan, words, batch;
    uint8_t *seen; /* plain bytes, so ThreadSanitizer reports a task that runs twice at once */
    bool in_place; /* the test spawns tasks in place */
    _Atomic uint64_t wrong;
    _Atomic uint32_t runners;
    uint64_t ran[max_workers];
};

static void fill(const struct tree *tree, uint64_t *task, uint64_t index)
{
    for (uint32_t k = 0; k < tree->words; k++) task[k] = index ^ (k * UINT64_C(0x9e3779b97f4a7c15));
}

static bool is_whole(const struct tree *tree, const uint64_t *task)
{
    for (uint32_t k = 1; k < tree->words; k++)
        if (task[k] != (task[0] ^ (k * UINT64_C(0x9e3779b97f4a7c15)))) return false;
    return task[0] < tree->count;
}

static void run_node(struct tree *tree, struct gws_task_worker *self, const uint64_t *task)
{
    if (!is_whole(tree, task) || tree->seen[task[0]]++) {
        atomic_fetch_add(&tree->wrong, 1);
        return;
    }
    for (uint64_t child = task[0] * tree->fan + 1, end = child + tree->fan; child < end && child < tree->count;
         child++) {
        uint64_t made[512];
        fill(tree, tree->in_place ? gws_spawn_reserve(self) : made, child);
        if (tree->in_place)
            gws_spawn_commit(self);
        else
            gws_spawn(self, made);
    }
}

static void run_nodes(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    struct tree *tree = context;
    if (count == 0 || count > (tree->batch ? tree->batch : 1)) atomic_fetch_add(&tree->wrong, 1);
    tree->ran[worker] += count;
    for (uint32_t i = 0; i < count; i++) run_node(tree, self, (const uint64_t *)task + (uint64_t)i * tree->words);
}

static gws_status run_tree(struct gws_runtime *runtime, struct tree *tree, uint64_t capacity)
{
    uint64_t root[512];
    fill(tree, root, 0);
    struct gws_tasks tasks = {
        .bytes = tree->words * 8, .batch = tree->batch, .capacity = capacity, .root = root, .roots = 1};
    tasks.run = run_nodes;
    tasks.context = tree;
    memset(tree->seen, 0, tree->count);
    return gws_tasks_run(runtime, &tasks);
}

static void judge(const struct gws_runtime *runtime, const struct tree *tree)
{
    uint64_t missing = 0, ran = 0;
    for (uint64_t i = 0; i < tree->count; i++) missing += tree->seen[i] != 1;
    for (uint32_t w = 0; w < max_workers; w++) ran += tree->ran[w];
    if (missing || tree->wrong || ran != tree->count)
        ck_abort_msg("%s, %u workers: %llu of %llu tasks missing, %llu wrong", gws_runtime_policy(runtime),
                     gws_runtime_workers(runtime), (unsigned long long)missing, (unsigned long long)tree->count,
                     (unsigned long long)tree->wrong);
}

static struct gws_runtime *open_runtime(struct gws_options options, int policy)
{
    options.policy = gws_policy_at((uint32_t)policy, NULL);
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

static struct tree tree_new(uint64_t count, uint32_t fan, uint32_t words, uint32_t batch)
{
    return (struct tree){.count = count, .fan = fan, .words = words, .batch = batch, .seen = calloc(count, 1)};
}

static void run_and_judge(struct gws_options options, int policy, struct tree tree, uint64_t capacity)
{
    struct gws_runtime *runtime = open_runtime(options, policy);
    ck_assert_int_eq(run_tree(runtime, &tree, capacity), GWS_OK);
    judge(runtime, &tree);
    struct gws_worker_stats stats[max_workers], sum = {0};
    gws_runtime_stats(runtime, stats);
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) {
        ck_assert_uint_eq(stats[w].tasks, tree.ran[w]);
        sum.tasks += stats[w].tasks;
        sum.made += stats[w].made;
    }
    ck_assert_uint_eq(sum.tasks, tree.count);
    ck_assert_uint_eq(sum.made, tree.count - 1);
    free(tree.seen);
    gws_runtime_close(runtime);
}

START_TEST(every_task_once)
{
    alarm(watchdog_s);
    static const uint32_t threads[] = {1, 2, 3, 4, 16};
    static const uint32_t fans[] = {1, 2, 7, 5000};
    uint64_t count = gws_test_quick() ? 3000 : 20000;
    for (int t = 0; t < 5; t++)
        for (int f = 0; f < 4; f++)
            for (int vote = 0; vote < 2; vote++) {
                struct gws_options options = {.threads = threads[t], .vote = vote, .seed = (uint64_t)f};
                uint32_t batch = f == 1 ? 0 : f == 2 ? 5 : 256;
                struct tree tree = tree_new(fans[f] == 1 ? count / 10 : count, fans[f], 1 + (uint32_t)f * 2, batch);
                tree.in_place = vote;
                run_and_judge(options, _i, tree, t == 1 ? 2 : 0);
            }
}
END_TEST

START_TEST(large_tasks)
{
    alarm(watchdog_s);
    const uint64_t count = gws_test_quick() ? 400 : 2000;
    for (uint32_t threads = 1; threads <= 4; threads++)
        run_and_judge((struct gws_options){.threads = threads}, _i, tree_new(count, 3, 512, 3), 4);
}
END_TEST

START_TEST(every_victim_amount_and_kind_of_waiting)
{
    alarm(watchdog_s);
    const char *policy = gws_policy_at((uint32_t)_i, NULL), *victim, *amount;
    struct gws_options options = {.threads = 4, .chunk = 3};
    for (uint32_t v = 0; (victim = gws_victim_at(v, NULL)); v++)
        for (uint32_t a = 0; (amount = gws_amount_at(a, NULL)); a++) {
            options.victim = gws_policy_takes_victim(policy) ? victim : NULL;
            options.amount = gws_policy_takes_amount(policy) ? amount : NULL;
            options.wait = v % 2;
            run_and_judge(options, _i, tree_new(gws_test_quick() ? 5000 : 20000, 3, 2, a), 0);
        }
}
END_TEST

START_TEST(options_that_a_policy_accepts)
{
    const char *policy = gws_policy_at((uint32_t)_i, NULL);
    struct gws_runtime *runtime = NULL;
    struct gws_options bad = {.policy = policy, .victim = "nobody"};
    ck_assert_int_eq(gws_runtime_open(&bad, &runtime), GWS_INVALID);
    bad = (struct gws_options){.policy = policy, .amount = "much"};
    ck_assert_int_eq(gws_runtime_open(&bad, &runtime), GWS_INVALID);
    struct gws_options victim = {.policy = policy, .victim = "random"}, amount = {.policy = policy, .amount = "half"};
    ck_assert_int_eq(gws_runtime_open(&victim, &runtime), gws_policy_takes_victim(policy) ? GWS_OK : GWS_INVALID);
    if (runtime) gws_runtime_close(runtime);
    runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&amount, &runtime), gws_policy_takes_amount(policy) ? GWS_OK : GWS_INVALID);
    if (runtime) gws_runtime_close(runtime);
    ck_assert(!gws_policy_takes_victim("no such"));
    ck_assert(!gws_policy_takes_amount("no such"));
    ck_assert(gws_policy_takes_wait("split") && gws_policy_takes_wait("workpile"));
    ck_assert(!gws_policy_takes_wait("chaselev") && !gws_policy_takes_wait("no such"));
    ck_assert(gws_policy_takes_vote("global") && gws_policy_takes_sample("abp"));
    ck_assert(!gws_policy_takes_vote("chunked") && !gws_policy_takes_sample("no such"));
    ck_assert(gws_policy_takes_chunk("chunked") && gws_policy_takes_chunk("split"));
    ck_assert(!gws_policy_takes_chunk("static") && !gws_policy_takes_chunk("no such"));
    ck_assert(gws_policy_draws("chunked", NULL) && gws_policy_draws("split", "last"));
    ck_assert(gws_policy_draws("workpile", "round") && !gws_policy_draws("split", "round"));
    ck_assert(!gws_policy_draws("cursor", NULL) && !gws_policy_draws("no such", NULL));
    ck_assert(!gws_policy_draws("chunked", "no such") && !gws_policy_draws("workpile", "no such"));
}
END_TEST

START_TEST(bad_calls)
{
    struct gws_runtime *runtime = open_runtime((struct gws_options){.threads = 2}, _i);
    struct tree tree = tree_new(1, 1, 1, 0);
    uint64_t root = 0;
    struct gws_tasks good = {.bytes = 8, .root = &root, .roots = 1, .run = run_nodes, .context = &tree};
    struct gws_tasks bad[5] = {good, good, good, good, good};
    bad[0].bytes = 0;
    bad[1].bytes = 4097;
    bad[2].batch = 257;
    bad[3].run = NULL;
    bad[4].root = NULL;
    for (int i = 0; i < 5; i++) ck_assert_int_eq(gws_tasks_run(runtime, &bad[i]), GWS_INVALID);
    good.roots = 0;
    ck_assert_int_eq(gws_tasks_run(runtime, &good), GWS_OK);
    ck_assert_uint_eq(tree.ran[0] + tree.ran[1], 0);
    free(tree.seen);
    gws_runtime_close(runtime);
}
END_TEST

/* Runs tasks of odd sizes. The library must lose no byte of a small task, and read no byte beyond the task. */
static void sum_bytes(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    (void)self, (void)worker;
    _Atomic uint64_t *sum = context;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *byte = (const uint8_t *)task + (uint64_t)i * 8;
        atomic_fetch_add(sum, (uint64_t)byte[0] + byte[1] + byte[2]);
        if (byte[0] > 0) gws_spawn(self, &(struct { uint8_t byte[3]; }){{(uint8_t)(byte[0] - 1), byte[1], 1}});
    }
}

START_TEST(many_roots_of_three_bytes)
{
    struct gws_runtime *runtime = open_runtime((struct gws_options){.threads = 3}, _i);
    uint8_t roots[5000][8] = {{0}};
    uint64_t expected = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        roots[i][0] = (uint8_t)(i % 5);
        roots[i][1] = (uint8_t)i;
        for (uint32_t left = i % 5; left < 5; left--) expected += left + (uint8_t)i + (left < i % 5);
    }
    _Atomic uint64_t sum = 0;
    struct gws_tasks tasks = {.bytes = 3, .batch = 16, .root = roots, .roots = 5000, .run = sum_bytes, .context = &sum};
    ck_assert_int_eq(gws_tasks_run(runtime, &tasks), GWS_OK);
    ck_assert_uint_eq(sum, expected);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- memory ---- */

START_TEST(memory_that_fails)
{
    alarm(watchdog_s);
    for (int vote = 0; vote < 2; vote++)
        for (uint64_t k = 1;; k += gws_test_step()) {
            struct gws_test_memory memory = {.fail_at = k};
            struct gws_options options = {.threads = 2, .vote = vote, .allocator = gws_test_allocator(&memory)};
            options.policy = gws_policy_at((uint32_t)_i, NULL);
            struct gws_runtime *runtime = NULL;
            gws_status status = gws_runtime_open(&options, &runtime);
            struct tree tree = tree_new(gws_test_quick() ? 9000 : 30000, 3000, 2, 8);
            if (status == GWS_OK) status = run_tree(runtime, &tree, 2);
            ck_assert(status == GWS_OK || status == GWS_NO_MEMORY);
            ck_assert_uint_eq(tree.wrong, 0);
            if (status == GWS_OK) judge(runtime, &tree);
            if (!memory.failed) ck_assert_int_eq(status, GWS_OK);
            free(tree.seen);
            gws_runtime_close(runtime);
            gws_test_memory_check(&memory);
            if (!memory.failed) break;
        }
}
END_TEST

/* A queue that is last in, first out holds at most the siblings of one path through the tree. */
START_TEST(memory_is_bounded_by_the_depth)
{
    const char *policy = gws_policy_at((uint32_t)_i, NULL);
    if (strcmp(policy, "workpile") == 0 || strcmp(policy, "global") == 0)
        return; /* these queues are first in, first out, or shared by all workers */
    struct gws_runtime *runtime = open_runtime((struct gws_options){.threads = 1}, _i);
    struct tree tree = tree_new(1 << 16, 2, 1, 0);
    ck_assert_int_eq(run_tree(runtime, &tree, 0), GWS_OK);
    struct gws_worker_stats stats;
    gws_runtime_stats(runtime, &stats);
    ck_assert_uint_ge(stats.high_water, 15);
    ck_assert_uint_le(stats.high_water, 17);
    free(tree.seen);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- sleeping ---- */

static void sleep_us(long us)
{
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

/* Runs a chain of tasks that sleep, so that the other workers go to sleep too. Some of the tasks spawn a fan, which
 * wakes the other workers. */
static void run_link(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    (void)worker, (void)count;
    uint64_t left = *(const uint64_t *)task & UINT32_MAX;
    bool is_link = *(const uint64_t *)task >> 32;
    atomic_fetch_add((_Atomic uint64_t *)context, 1);
    if (!is_link) return;
    sleep_us(left % 3 * 150);
    if (left % 4 == 0)
        for (int i = 0; i < 10; i++) gws_spawn(self, &(uint64_t){0});
    if (left > 0) gws_spawn(self, &(uint64_t){(left - 1) | (uint64_t)1 << 32});
}

START_TEST(chains_that_sleep)
{
    alarm(watchdog_s);
    uint64_t links = gws_test_quick() ? 40 : 200;
    for (int vote = 0; vote < 2; vote++)
        for (uint32_t threads = 2; threads <= 5; threads += 3) {
            struct gws_runtime *runtime = open_runtime((struct gws_options){.threads = threads, .vote = vote}, _i);
            _Atomic uint64_t ran = 0;
            uint64_t root = links | (uint64_t)1 << 32;
            struct gws_tasks tasks = {.bytes = 8, .root = &root, .roots = 1, .run = run_link, .context = &ran};
            ck_assert_int_eq(gws_tasks_run(runtime, &tasks), GWS_OK);
            ck_assert_uint_eq(ran, links + 1 + (links / 4 + 1) * 10);
            gws_runtime_close(runtime);
        }
}
END_TEST

/* A task that waits until a task that it spawned has run. Only a woken worker can run the new task. Users must not
 * wait like this. A lost wake-up causes a hang here, which the watchdog ends. */
struct handshake {
    _Atomic uint32_t here, there;
};

static void run_handshake(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count)
{
    (void)worker, (void)count;
    struct handshake *shake = context;
    if (*(const uint64_t *)task == 0) {
        atomic_fetch_add(&shake->there, 1);
        return;
    }
    for (uint32_t round = 1; round <= 300; round++) {
        if (round % 3 == 0) sleep_us(300); /* the other worker goes to sleep */
        gws_spawn(self, &(uint64_t){0});
        while (atomic_load(&shake->there) < round) sleep_us(1);
    }
}

START_TEST(no_wake_up_is_lost)
{
    alarm(watchdog_s);
    const char *policy = gws_policy_at((uint32_t)_i, NULL);
    if (strcmp(policy, "split") == 0) return; /* the last private task stays with its owner */
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
    struct gws_runtime *runtime = open_runtime((struct gws_options){.threads = 2}, _i);
    struct handshake shake = {0, 0};
    uint64_t root = 1;
    struct gws_tasks tasks = {.bytes = 8, .root = &root, .roots = 1, .run = run_handshake, .context = &shake};
    ck_assert_int_eq(gws_tasks_run(runtime, &tasks), GWS_OK);
    ck_assert_uint_eq(shake.there, 300);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(one_call_after_the_other_with_loops_between)
{
    alarm(watchdog_s);
    struct gws_runtime *runtime = open_runtime((struct gws_options){.threads = 3}, _i);
    for (int round = 0; round < (gws_test_quick() ? 100 : 500); round++) {
        struct tree tree = tree_new(100, 2, 1, 0);
        ck_assert_int_eq(run_tree(runtime, &tree, 0), GWS_OK);
        judge(runtime, &tree);
        free(tree.seen);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- traces ---- */

START_TEST(traces_are_bounded_and_in_order)
{
    struct gws_runtime *runtime = open_runtime((struct gws_options){.threads = 3, .trace = 4}, _i);
    for (int round = 0; round < 10; round++) {
        struct tree tree = tree_new(2000, 2, 1, 0);
        ck_assert_int_eq(run_tree(runtime, &tree, 0), GWS_OK);
        free(tree.seen);
    }
    uint64_t recorded = 0;
    for (uint32_t w = 0; w < 3; w++) {
        uint64_t slices, lost, end = 0;
        const struct gws_slice *slice = gws_runtime_trace(runtime, w, &slices, &lost);
        ck_assert_uint_le(slices, 4);
        if (lost) ck_assert_uint_eq(slices, 4);
        recorded += slices;
        for (uint64_t i = 0; i < slices; end = slice[i++].end_ns) {
            ck_assert_uint_le(end, slice[i].begin_ns);
            ck_assert_uint_le(slice[i].begin_ns, slice[i].end_ns);
            ck_assert_uint_le(slice[i].kind, GWS_SLICE_STEAL);
            if (slice[i].kind == GWS_SLICE_STEAL) ck_assert_uint_gt(slice[i].tasks, 0);
        }
    }
    ck_assert_uint_gt(recorded, 0);
    gws_runtime_stats_reset(runtime);
    uint64_t slices, lost;
    gws_runtime_trace(runtime, 0, &slices, &lost);
    ck_assert_uint_eq(slices + lost, 0);
    gws_runtime_close(runtime);
}
END_TEST

static void slow_body(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)context, (void)worker;
    for (uint64_t i = begin; i < end; i++)
        if (i < 30) sleep_us(300);
}

/* Counts the slices of each kind of two loops. No worker's slices overlap. */
static void trace_loops(struct gws_runtime *runtime, bool all_tasks, uint64_t kinds[3])
{
    uint64_t tasks = 0;
    gws_runtime_stats_reset(runtime);
    gws_parallel_for(runtime, 90, 1, slow_body, NULL);
    gws_parallel_for(runtime, 1, 1, slow_body, NULL); /* a serial loop */
    memset(kinds, 0, 3 * sizeof *kinds);
    for (uint32_t w = 0; w < 3; w++) {
        uint64_t slices, lost, end = 0;
        const struct gws_slice *slice = gws_runtime_trace(runtime, w, &slices, &lost);
        ck_assert_uint_eq(lost, 0);
        for (uint64_t i = 0; i < slices; end = slice[i++].end_ns) {
            ck_assert_uint_le(end, slice[i].begin_ns);
            kinds[slice[i].kind]++;
            if (slice[i].kind == GWS_SLICE_BUSY) tasks += slice[i].tasks;
        }
    }
    ck_assert_uint_gt(kinds[GWS_SLICE_BUSY], 0);
    if (all_tasks) ck_assert_uint_eq(tasks, 91);
}

/* Only the first bodies of the loop are expensive, so some workers are busy, and others steal or idle. On a busy
 * machine the others may come late, so the loops run until the trace has what the policy must do. */
START_TEST(loops_are_traced)
{
    struct gws_runtime *runtime = open_runtime((struct gws_options){.threads = 3, .trace = 1000, .chunk = 1}, _i);
    const char *policy = gws_runtime_policy(runtime);
    const bool steals = strcmp(policy, "chunked") == 0, idles = strcmp(policy, "static") == 0;
    uint64_t kinds[3];
    do trace_loops(runtime, _i < queue_policies_from, kinds);
    while ((steals && kinds[GWS_SLICE_STEAL] == 0) || (idles && kinds[GWS_SLICE_IDLE] == 0));
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(lengths_are_sampled_on_request)
{
    for (uint32_t every = 0; every < 3; every++) {
        struct gws_runtime *runtime = open_runtime((struct gws_options){.threads = 2, .sample = every}, _i);
        struct tree tree = tree_new(5000, 2, 1, 0);
        ck_assert_int_eq(run_tree(runtime, &tree, 0), GWS_OK);
        struct gws_worker_stats stats[2];
        gws_runtime_stats(runtime, stats);
        uint64_t samples = stats[0].samples + stats[1].samples;
        double spread = stats[0].spread + stats[1].spread;
        if (every == 0 || _i < queue_policies_from) ck_assert_uint_eq(samples, 0);
        if (every == 1 && _i >= queue_policies_from) ck_assert_uint_ge(samples, 5000);
        if (every == 2 && _i >= queue_policies_from) ck_assert(samples >= 2499 && samples <= 5000);
        ck_assert(samples ? spread >= 0 : spread == 0);
        free(tree.seen);
        gws_runtime_close(runtime);
    }
}
END_TEST

static Suite *tasks_suite(void)
{
    Suite *suite = suite_create("tasks");
    TCase *trees = tcase_create("trees");
    tcase_add_loop_test(trees, every_task_once, 0, policies);
    tcase_add_loop_test(trees, large_tasks, 0, policies);
    tcase_add_loop_test(trees, every_victim_amount_and_kind_of_waiting, 0, policies);
    tcase_add_loop_test(trees, options_that_a_policy_accepts, 0, policies);
    tcase_add_loop_test(trees, bad_calls, 0, policies);
    tcase_add_loop_test(trees, many_roots_of_three_bytes, 0, policies);
    suite_add_tcase(suite, trees);
    TCase *memory = tcase_create("memory");
    tcase_add_loop_test(memory, memory_that_fails, 0, policies);
    tcase_add_loop_test(memory, memory_is_bounded_by_the_depth, queue_policies_from, policies);
    suite_add_tcase(suite, memory);
    TCase *rest = tcase_create("rest");
    tcase_add_loop_test(rest, chains_that_sleep, 0, policies);
    tcase_add_loop_test(rest, no_wake_up_is_lost, queue_policies_from, policies);
    tcase_add_loop_test(rest, one_call_after_the_other_with_loops_between, 0, policies);
    suite_add_tcase(suite, rest);
    TCase *traces = tcase_create("traces");
    tcase_add_loop_test(traces, traces_are_bounded_and_in_order, 0, policies);
    tcase_add_loop_test(traces, loops_are_traced, 0, policies);
    tcase_add_loop_test(traces, lengths_are_sampled_on_request, 0, policies);
    suite_add_tcase(suite, traces);
    return suite;
}

int main(void)
{
    return gws_test_main(tasks_suite);
}
