/* SPDX-License-Identifier: MIT */
/* gsim --preset here: the costs of this machine's threads, measured. Each figure is the least of some runs, since
 * another process can only make a run longer. What a node and a key take is the time of one thread, without its queue,
 * over the time of a simulation with one worker in which only they have a cost, of 1 ns. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "../../lib/tasks.h"
#include "here.h"

enum { repeats = 5, tasks = 1 << 15, rounds = 1 << 13, max_pairs = 64, keys = 1 << 17 };

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* ---- queues ---- */

struct spawning {
    double begin_ms, end_ms; /* of the loop that spawns all tasks */
};

/* The first task, which is 0, spawns the others. */
static void run_task(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    struct spawning *spawning = context;
    static const uint64_t leaf = 1;
    (void)worker;
    (void)count;
    if (*(const uint64_t *)task != 0) return;
    spawning->begin_ms = gws_clock_ms();
    for (uint32_t i = 0; i < tasks; i++) gws_spawn(self, &leaf);
    spawning->end_ms = gws_clock_ms();
}

/* Sets the nanoseconds to spawn a task, and to pop and call it, on one thread under a policy. */
static gws_status measure_queue(const char *policy, double *push, double *pop)
{
    static const uint64_t root;
    struct spawning spawning = {0};
    const struct gws_options options = {.threads = 1, .policy = policy};
    const struct gws_tasks run = {
        .bytes = sizeof root, .root = &root, .roots = 1, .run = run_task, .context = &spawning};
    struct gws_runtime *runtime = NULL;
    gws_status status = gws_runtime_open(&options, &runtime);
    *push = *pop = 1e9;
    for (int i = 0; i < repeats && status == GWS_OK; i++) {
        status = gws_tasks_run(runtime, &run);
        const double end_ms = gws_clock_ms();
        *push = smaller(*push, (spawning.end_ms - spawning.begin_ms) * 1e6 / tasks);
        *pop = smaller(*pop, (end_ms - spawning.end_ms) * 1e6 / tasks);
    }
    gws_runtime_close(runtime);
    return status;
}

static gws_status measure_queues(double *cost)
{
    double push, pop;
    gws_status status = measure_queue("global", &push, &pop);
    if (status == GWS_OK) status = measure_queue("chaselev", &cost[GWS_SIM_push], &cost[GWS_SIM_pop]);
    if (status != GWS_OK) return status;
    const double both = push + pop - cost[GWS_SIM_push] - cost[GWS_SIM_pop];
    cost[GWS_SIM_lock] = both > 2 ? both / 2 : 1; /* the pile is locked to spawn a task, and to pop it */
    return GWS_OK;
}

/* ---- words between CPUs ---- */

struct cpu_pair {
    int cpu[2];
    bool alternates; /* the threads write the word in turn; false: both add to it as fast as they can */
    _Alignas(128) atomic_uint word;
    _Alignas(128) atomic_uint started;
};

struct end {
    struct cpu_pair *pair;
    uint32_t side;
};

/* acquire, release: each thread sees what the other wrote before the word. A waiting thread does not yield. */
static void *use_word(void *context)
{
    struct end *end = context;
    struct cpu_pair *pair = end->pair;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)pair->cpu[end->side], &set);
    (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    atomic_fetch_add(&pair->started, 1);
    while (atomic_load(&pair->started) < 2) sched_yield();
    for (uint32_t i = 0; i < rounds; i++) {
        if (!pair->alternates) atomic_fetch_add_explicit(&pair->word, 1, memory_order_relaxed);
        while (pair->alternates && atomic_load_explicit(&pair->word, memory_order_acquire) != 2 * i + end->side)
            continue;
        if (pair->alternates) atomic_store_explicit(&pair->word, 2 * i + end->side + 1, memory_order_release);
    }
    return NULL;
}

/* Returns the nanoseconds that a pair of CPUs takes for each of its 2 * rounds accesses; a negative number: no thread.
 */
static double measure_pair(int first, int second, bool alternates)
{
    double best = 1e9;
    for (int i = 0; i < repeats; i++) {
        struct cpu_pair pair = {.cpu = {first, second}, .alternates = alternates};
        struct end end[2] = {{&pair, 0}, {&pair, 1}};
        pthread_t other;
        atomic_init(&pair.word, 0);
        atomic_init(&pair.started, 0);
        if (pthread_create(&other, NULL, use_word, &end[1]) != 0) return -1;
        while (atomic_load(&pair.started) == 0) sched_yield();
        const double begin_ms = gws_clock_ms();
        (void)use_word(&end[0]);
        pthread_join(other, NULL);
        best = smaller(best, (gws_clock_ms() - begin_ms) * 1e6 / (2 * rounds));
    }
    return best;
}

/* Measures the first CPU with all others. CPUs share a cache if their time is closer to the shortest one. */
static void measure_words(const cpu_set_t *cpus, struct gws_sim_machine *machine)
{
    double time[max_pairs], min = 1e9, max = 0;
    int first = -1;
    uint32_t pairs = 0, near = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && pairs < max_pairs; cpu++) {
        if (!CPU_ISSET((size_t)cpu, cpus)) continue;
        if (first < 0) {
            first = cpu;
            continue;
        }
        time[pairs] = measure_pair(first, cpu, true);
        if (time[pairs] < 0) break;
        const double word = pairs == 0 ? measure_pair(first, cpu, false) : -1;
        if (word > 0) machine->cost[GWS_SIM_word] = word;
        min = smaller(min, time[pairs]);
        if (time[pairs] > max) max = time[pairs];
        pairs++;
    }
    if (pairs == 0) return; /* one CPU: the preset's times stay */
    for (uint32_t i = 0; i < pairs; i++) near += time[i] - min <= max - time[i] || max < 1.5 * min;
    machine->cost[GWS_SIM_cache] = min;
    machine->cost[GWS_SIM_host] = machine->cost[GWS_SIM_network] = machine->cost[GWS_SIM_message] = max;
    machine->cache = near + 1;
}

/* ---- nodes and keys ---- */

/* Only `which` has a cost. */
static struct gws_sim_options only(enum gws_sim_cost which)
{
    struct gws_sim_options options = {.workers = 1, .policy = "chaselev"};
    options.machine.cost[which] = 1;
    options.machine.cache = options.machine.host = 1;
    return options;
}

/* Sets the cost that explains a run of one thread. */
static void explain(double *cost, enum gws_sim_cost which, double ms, const struct gws_sim_result *found)
{
    const double queue = (double)found->tasks * (cost[GWS_SIM_push] + cost[GWS_SIM_pop]), own = ms * 1e6 - queue;
    if (found->virtual_ms > 0) cost[which] = (own > 0 ? own : ms * 1e6) / (found->virtual_ms * 1e6);
}

static gws_status measure_nodes(struct gws_runtime *runtime, double *cost)
{
    const struct gws_sim_options options = only(GWS_SIM_node);
    struct gws_uts_tree tree = gws_uts_defaults;
    struct gws_uts_result result;
    struct gws_sim_result found;
    double best = 1e9;
    tree.shape = GWS_UTS_FIXED;
    tree.depth = 8;
    gws_status status = gws_uts_simulate(runtime, &options, &tree, GWS_UTS_BATCH, &result, &found, NULL);
    for (int i = 0; i < repeats && status == GWS_OK; i++) {
        const double begin_ms = gws_clock_ms();
        status = gws_uts_search(runtime, &tree, NULL, &result);
        best = smaller(best, gws_clock_ms() - begin_ms);
    }
    if (status == GWS_OK) explain(cost, GWS_SIM_node, best, &found);
    return status;
}

static gws_status measure_keys(struct gws_runtime *runtime, double *cost)
{
    const struct gws_sim_options options = only(GWS_SIM_key);
    const struct gws_quicksort_options sort = {.cutoff = GWS_QUICKSORT_CUTOFF};
    struct gws_quicksort_result result;
    struct gws_sim_result found;
    uint64_t *key = gws_allocate(runtime, keys, sizeof *key);
    double best = 1e9;
    if (!key) return GWS_NO_MEMORY;
    gws_quicksort_fill(runtime, GWS_QUICKSORT_RANDOM, 0, key, keys);
    gws_status status = gws_quicksort_simulate(runtime, &options, key, keys, &sort, &result, &found, NULL);
    for (int i = 0; i < repeats && status == GWS_OK; i++) {
        gws_quicksort_fill(runtime, GWS_QUICKSORT_RANDOM, 0, key, keys);
        const double begin_ms = gws_clock_ms();
        status = gws_quicksort(runtime, key, keys, &sort, &result);
        best = smaller(best, gws_clock_ms() - begin_ms);
    }
    if (status == GWS_OK) explain(cost, GWS_SIM_key, best, &found);
    gws_release(runtime, key, keys, sizeof *key);
    return status;
}

gws_status here_measure(struct gws_sim_machine *machine)
{
    const struct gws_options options = {.threads = 1};
    struct gws_runtime *runtime = NULL;
    cpu_set_t cpus;
    gws_status status = measure_queues(machine->cost);
    if (status == GWS_OK) status = gws_runtime_open(&options, &runtime);
    if (status == GWS_OK) status = measure_nodes(runtime, machine->cost);
    if (status == GWS_OK) status = measure_keys(runtime, machine->cost);
    gws_runtime_close(runtime);
    if (status != GWS_OK || pthread_getaffinity_np(pthread_self(), sizeof cpus, &cpus) != 0) return status;
    measure_words(&cpus, machine);
    (void)pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus);
    return GWS_OK;
}
