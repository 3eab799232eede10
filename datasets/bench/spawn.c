/* SPDX-License-Identifier: MIT */
/* Times a task. The program runs a binary tree of empty tasks, each of which spawns two more, down to a depth.
 *
 * usage: spawn DEPTH ROUNDS THREADS[,THREADS...] [POLICY[,POLICY...]]
 *
 * Prints a line NAME THREADS NANOSECONDS (for one task) for each round, number of threads and contender. The
 * contenders take turns within a round, so other load on the machine affects all of them:
 *     POLICY   gws_tasks_run() under that policy
 *     libgomp  OpenMP tasks, if this is compiled with -fopenmp
 *     oneTBB   task_group, if spawn_tbb.cpp is linked in (WITH_TBB)
 *     calls    the same tree as plain calls, on one thread: the cost of the tree itself
 * The threads of all contenders are parked before a round, and the round includes waking them. libgomp makes no task
 * if there is one thread, or if more than 64 tasks for each thread wait. It then calls the function instead. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../graphws.h"

enum { max_threads = 64, max_policies = 16 };

#ifdef WITH_TBB
void tbb_tree(unsigned depth, unsigned threads);
#endif

static void fail(const char *why)
{
    fprintf(stderr, "spawn: %s\n", why);
    exit(1);
}

static void print(const char *name, unsigned threads, double ms, unsigned depth)
{
    printf("%s %u %.3f\n", name, threads, ms * 1e6 / (double)((UINT64_C(2) << depth) - 1));
    fflush(stdout);
}

static void run_tasks(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    (void)context;
    (void)worker;
    const uint64_t *depth = task;
    for (uint32_t i = 0; i < count; i++) {
        if (depth[i] == 0) continue;
        for (int child = 0; child < 2; child++) {
            *(uint64_t *)gws_spawn_reserve(self) = depth[i] - 1;
            gws_spawn_commit(self);
        }
    }
}

static void run_gws(const char *policy, unsigned threads, unsigned depth)
{
    struct gws_options options = {.threads = threads, .policy = policy};
    struct gws_runtime *runtime = NULL;
    if (gws_runtime_open(&options, &runtime) != GWS_OK) fail("a runtime cannot be opened; is that a policy?");
    uint64_t root = depth;
    /* Every policy gets the same batch. Queues grow in the first run, which does not count. */
    struct gws_tasks tasks = {.bytes = 8, .batch = 64, .root = &root, .roots = 1, .run = run_tasks};
    double ms = 0;
    for (int i = 0; i < 2; i++) {
        double began = gws_clock_ms();
        if (gws_tasks_run(runtime, &tasks) != GWS_OK) fail("the tasks did not run");
        ms = gws_clock_ms() - began;
    }
    gws_runtime_close(runtime);
    print(policy, threads, ms, depth);
}

/* Runs the tree as plain calls. noinline and the barrier keep the compiler from removing the calls. */
__attribute__((noinline)) static void call_tree(unsigned depth)
{
    __asm__ __volatile__("" : : : "memory");
    if (depth == 0) return;
    call_tree(depth - 1);
    call_tree(depth - 1);
}

#ifdef _OPENMP
static void gomp_tree(unsigned depth)
{
    if (depth == 0) return;
    for (int child = 0; child < 2; child++) {
#pragma omp task firstprivate(depth)
        gomp_tree(depth - 1);
    }
}

/* Runs the tree. The end of the parallel region waits for all tasks. */
static void gomp_root(unsigned depth, unsigned threads)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
    gomp_tree(depth);
}
#endif

typedef void tree(unsigned depth, unsigned threads);

static void run_other(const char *name, tree *run, unsigned threads, unsigned depth)
{
    run(depth < 10 ? depth : 10, threads); /* starts the contender's threads */
    double began = gws_clock_ms();
    run(depth, threads);
    print(name, threads, gws_clock_ms() - began, depth);
}

static void calls(unsigned depth, unsigned threads)
{
    (void)threads;
    call_tree(depth);
}

/* Splits text at commas, in place. */
static int split(char *text, char **word, int max)
{
    int count = 0;
    for (char *at = strtok(text, ","); at && count < max; at = strtok(NULL, ",")) word[count++] = at;
    return count;
}

static void run_round(char *const *policy, int policies, unsigned threads, unsigned depth)
{
    for (int p = 0; p < policies; p++) run_gws(policy[p], threads, depth);
#ifdef _OPENMP
    run_other("libgomp", gomp_root, threads, depth);
#endif
#ifdef WITH_TBB
    run_other("oneTBB", tbb_tree, threads, depth);
#endif
    if (threads == 1) run_other("calls", calls, threads, depth);
}

int main(int count, char **argument)
{
    char *thread[max_threads], *policy[max_policies], standard[] = "chaselev";
    if (count < 4) fail("usage: spawn DEPTH ROUNDS THREADS[,THREADS...] [POLICY[,POLICY...]]");
    unsigned depth = (unsigned)atoi(argument[1]), rounds = (unsigned)atoi(argument[2]);
    int threads = split(argument[3], thread, max_threads);
    int policies = split(count > 4 ? argument[4] : standard, policy, max_policies);
    if (depth > 40 || rounds == 0 || threads == 0) fail("a depth up to 40, a round at least, a number of threads");
    for (unsigned r = 0; r < rounds; r++)
        for (int t = 0; t < threads; t++) run_round(policy, policies, (unsigned)atoi(thread[t]), depth);
    return 0;
}
