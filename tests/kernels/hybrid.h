/* SPDX-License-Identifier: MIT */
/* Emulated kernels beside CPU workers. The groups and the workers share deques. The groups persist across levels by the
 * protocol of done flags. This header is a part of suite.h. */
#ifndef GWS_TESTS_KERNELS_HYBRID_H
#define GWS_TESTS_KERNELS_HYBRID_H

/* ---- groups and CPU workers on shared deques, with this thread as the host ---- */

enum { cpu_workers = 2 };

static atom32 flags[max_groups * FLAG_STRIDE];
static u32 device_workers; /* workers that the groups emulate */

static void run_persistent(void)
{
    bfs_persistent(RUN_ARGUMENTS, flags);
}

static void publish(u32 word)
{
    for (u32 g = 0; g < run.groups; g++) atom_store(&flags[g * FLAG_STRIDE], word, order_release);
}

/* Runs a CPU worker's part of a level. The level has `workers` workers, and the first `device` of them are groups. The
 * worker reserves space in the list once, at the end. */
static void work(u32 index, u32 device, u32 workers, bool steals)
{
    static _Thread_local u32 buffer[vertices];
    u32 self = device + index, level = run.control[CONTROL_LEVEL], count = 0;
    u64 range[2], *stats = run.stats + (device_workers + index) * STATS_STRIDE;
    atom64 *queue = run.queue + (device > 0 ? 0 : device_workers * QUEUE_STRIDE);
    for (;;) {
        acquire_range(queue, stats, self, workers, device, steals, range);
        if (range[0] == range[1]) break;
        for (u64 i = range[0]; i < range[1]; i++) {
            u32 vertex = run.list[run.control[CONTROL_BEGIN] + i];
            for (u64 arc = graph.offset[vertex]; arc < graph.offset[vertex + 1]; arc++) {
                if (!claim(run.visited, graph.target[arc])) continue;
                atom_store(&run.parent[graph.target[arc]], vertex, order_relaxed);
                atom_store(&run.depth[graph.target[arc]], level + 1, order_relaxed);
                buffer[count++] = graph.target[arc];
            }
        }
    }
    u32 to = atom_add(&run.control[CONTROL_TAIL], count, order_relaxed);
    memcpy(run.list + to, buffer, count * sizeof *buffer);
}

struct cpu_level {
    u32 index, device, workers;
    bool steals;
    pthread_t thread;
};

static void *cpu_main(void *argument)
{
    const struct cpu_level *level = argument;
    work(level->index, level->device, level->workers, level->steals);
    return NULL;
}

static void run_cpu(u32 device, bool steals)
{
    struct cpu_level level[cpu_workers];
    for (u32 c = 0; c < cpu_workers; c++) {
        level[c] = (struct cpu_level){.index = c, .device = device, .workers = device + cpu_workers, .steals = steals};
        ck_assert_int_eq(pthread_create(&level[c].thread, NULL, cpu_main, &level[c]), 0);
    }
    for (u32 c = 0; c < cpu_workers; c++) pthread_join(level[c].thread, NULL);
}

/* Withdraws FLAG_GO from a group that has not begun if CPU workers have emptied its deques. */
static void withdraw(u32 group, bool emptied)
{
    u32 go = FLAG_GO;
    for (u32 w = group; w < device_workers; w += run.groups)
        if (queue_holds(run.queue, w)) return;
    if (emptied) (void)atom_cas(&flags[group * FLAG_STRIDE], &go, FLAG_DONE, order_relaxed);
}

/* Runs one level. Groups take part only in levels of at least threshold vertices. */
static void run_shared_level(u32 threshold, u32 steal)
{
    u32 count = run.control[CONTROL_END] - run.control[CONTROL_BEGIN], device = count >= threshold ? device_workers : 0;
    atom64 *queue = run.queue + (device > 0 ? 0 : device_workers * QUEUE_STRIDE);
    for (u32 w = 0; w < device + cpu_workers; w++) queue_fill(queue, w, device + cpu_workers, count, 3);
    bool stealable =
        device > 0 && queue_holds(queue, 0) && steal % 2 == 0; /* false if only one worker uses each deque */
    if (device > 0) {
        run.control[CONTROL_WORKERS] = device + cpu_workers;
        run.control[CONTROL_DEVICE_WORKERS] = device;
        run.control[CONTROL_STEALS] = steal < 2;
        publish(FLAG_GO);
    }
    run_cpu(device, steal % 2 == 0);
    for (u32 g = 0; device > 0 && g < run.groups; g++) withdraw(g, stealable);
    for (u32 g = 0; device > 0 && g < run.groups; g++)
        while (atom_load(&flags[g * FLAG_STRIDE], order_acquire) != FLAG_DONE) spin_pause();
    run.control[CONTROL_BEGIN] = run.control[CONTROL_END];
    run.control[CONTROL_END] = run.control[CONTROL_TAIL];
    run.control[CONTROL_LEVEL]++;
}

static void search_shared(u32 groups, u32 workers, u32 threshold, u32 steal)
{
    struct emulated_group emulated[max_emulated_groups];
    u64 ran = 0;
    memset(&run, 0, sizeof run);
    run.groups = groups;
    device_workers = workers;
    launch(begin_search);
    publish(FLAG_DONE);
    start_groups(emulated, run_persistent, groups);
    while (run.control[CONTROL_BEGIN] < run.control[CONTROL_END]) run_shared_level(threshold, steal);
    publish(FLAG_END);
    join_groups(emulated, groups);
    for (u32 w = 0; w < workers + cpu_workers; w++) ran += run.stats[w * STATS_STRIDE + STATS_RUN];
    ck_assert_uint_eq(ran, run.control[CONTROL_TAIL]);
    judge();
}

START_TEST(groups_persist_beside_cpu_workers)
{
    static const u32 thresholds[] = {1, 20, vertices};
    graph_make(9000, 40, vertices);
    for (u32 groups = 1; groups <= 3; groups++)
        for (u32 t = 0; t < 3; t++)
            for (u32 steal = gws_test_quick() ? (groups + t) % 4 : 0; steal < 4; steal += gws_test_quick() ? 4 : 1)
                search_shared(groups, steal % 2 ? groups : 2 * groups + 1, thresholds[t], steal);
    graph_free();
}
END_TEST

#endif
