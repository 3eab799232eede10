/* SPDX-License-Identifier: MIT */
/* The device's texts beside CPU workers, on the host: the protocol by which groups stay from level to level, with
 * shared deques; and ranges that are handed over where nothing is shared. Part of suite.h. */
#ifndef GWS_TESTS_KERNELS_SIDES_H
#define GWS_TESTS_KERNELS_SIDES_H

/* ---- groups and CPU workers on shared deques: the protocol of done flags, its host played by this thread ---- */

enum { cpu_workers = 2 };

static atom32 flags[most_groups * FLAG_STRIDE];
static u32 device_workers; /* which the groups play */

static void stay(void)
{
    bfs_persistent(RUN_ARGUMENTS, flags);
}

static void say(u32 what)
{
    for (u32 g = 0; g < run.groups; g++) atom_store(&flags[g * FLAG_STRIDE], what, order_release);
}

/* A CPU worker's part in a level that is cut for `workers`, gpu of which are groups: one reservation at its end. */
static void work(u32 which, u32 gpu, u32 workers, bool steals)
{
    static _Thread_local u32 bag[vertices];
    u32 self = gpu + which, level = run.control[CONTROL_LEVEL], count = 0;
    u64 range[2], *stats = run.stats + (device_workers + which) * STATS_STRIDE;
    atom64 *queue = run.queue + (gpu > 0 ? 0 : device_workers * QUEUE_STRIDE);
    for (;;) {
        acquire_range(queue, stats, self, workers, gpu, steals, range);
        if (range[0] == range[1]) break;
        for (u64 i = range[0]; i < range[1]; i++) {
            u32 vertex = run.list[run.control[CONTROL_BEGIN] + i];
            for (u64 arc = graph.offset[vertex]; arc < graph.offset[vertex + 1]; arc++) {
                if (!claim(run.visited, graph.target[arc])) continue;
                atom_store(&run.parent[graph.target[arc]], vertex, order_relaxed);
                atom_store(&run.depth[graph.target[arc]], level + 1, order_relaxed);
                bag[count++] = graph.target[arc];
            }
        }
    }
    u32 to = atom_add(&run.control[CONTROL_TAIL], count, order_relaxed);
    memcpy(run.list + to, bag, count * sizeof *bag);
}

struct cpu_level {
    u32 which, gpu, workers;
    bool steals;
    pthread_t thread;
};

static void *cpu_main(void *argument)
{
    const struct cpu_level *level = argument;
    work(level->which, level->gpu, level->workers, level->steals);
    return NULL;
}

static void run_cpu(u32 gpu, bool steals)
{
    struct cpu_level level[cpu_workers];
    for (u32 c = 0; c < cpu_workers; c++) {
        level[c] = (struct cpu_level){.which = c, .gpu = gpu, .workers = gpu + cpu_workers, .steals = steals};
        ck_assert_int_eq(pthread_create(&level[c].thread, NULL, cpu_main, &level[c]), 0);
    }
    for (u32 c = 0; c < cpu_workers; c++) pthread_join(level[c].thread, NULL);
}

/* Takes the word back from a group that has not begun, where CPU workers have emptied what it was to run. */
static void take_back(u32 group, bool emptied)
{
    u32 go = FLAG_GO;
    for (u32 w = group; w < device_workers; w += run.groups)
        if (queue_holds(run.queue, w)) return;
    if (emptied) (void)atom_cas(&flags[group * FLAG_STRIDE], &go, FLAG_DONE, order_relaxed);
}

/* One level: groups only take part in those of at least threshold vertices. */
static void run_shared_level(u32 threshold, u32 steal)
{
    u32 count = run.control[CONTROL_END] - run.control[CONTROL_BEGIN], gpu = count >= threshold ? device_workers : 0;
    atom64 *queue = run.queue + (gpu > 0 ? 0 : device_workers * QUEUE_STRIDE);
    for (u32 w = 0; w < gpu + cpu_workers; w++) queue_fill(queue, w, gpu + cpu_workers, count, 3);
    bool robbed = gpu > 0 && queue_holds(queue, 0) && steal % 2 == 0; /* not where deques have but one user */
    if (gpu > 0) {
        run.control[CONTROL_WORKERS] = gpu + cpu_workers;
        run.control[CONTROL_GPU] = gpu;
        run.control[CONTROL_STEALS] = steal < 2;
        say(FLAG_GO);
    }
    run_cpu(gpu, steal % 2 == 0);
    for (u32 g = 0; gpu > 0 && g < run.groups; g++) take_back(g, robbed);
    for (u32 g = 0; gpu > 0 && g < run.groups; g++)
        while (atom_load(&flags[g * FLAG_STRIDE], order_acquire) != FLAG_DONE) spin_pause();
    run.control[CONTROL_BEGIN] = run.control[CONTROL_END];
    run.control[CONTROL_END] = run.control[CONTROL_TAIL];
    run.control[CONTROL_LEVEL]++;
}

static void search_shared(u32 groups, u32 plays, u32 threshold, u32 steal)
{
    struct player player[most_players];
    u64 ran = 0;
    memset(&run, 0, sizeof run);
    run.groups = groups;
    device_workers = plays;
    launch(begin_alone);
    say(FLAG_DONE);
    start_players(player, stay, groups);
    while (run.control[CONTROL_BEGIN] < run.control[CONTROL_END]) run_shared_level(threshold, steal);
    say(FLAG_END);
    join_players(player, groups);
    for (u32 w = 0; w < plays + cpu_workers; w++) ran += run.stats[w * STATS_STRIDE + STATS_RUN];
    ck_assert_uint_eq(ran, run.control[CONTROL_TAIL]);
    judge();
}

START_TEST(groups_stay_beside_cpu_workers)
{
    static const u32 thresholds[] = {1, 20, vertices};
    graph_make(9000, 40, vertices);
    for (u32 groups = 1; groups <= 3; groups++)
        for (u32 t = 0; t < 3; t++)
            for (u32 steal = 0; steal < 4; steal++)
                search_shared(groups, steal % 2 ? groups : 2 * groups + 1, thresholds[t], steal);
    graph_free();
}
END_TEST

#endif
