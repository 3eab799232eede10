/* SPDX-License-Identifier: MIT */
/* The device's texts in their host dialect, groups as threads: the queue's contract, and BFS with both kernels against
 * a serial search. A test names its container, defines GWS_GROUP_SIZE and includes the texts before this file. */
#ifndef GWS_TESTS_KERNELS_SUITE_H
#define GWS_TESTS_KERNELS_SUITE_H

#include <pthread.h>

#include "../../lib/random.h"

enum { most_groups = 7, vertices = 3000 };

static struct {
    u64 *offset, *reverse_offset;
    u32 *target, *source, *expected;
} graph;

static struct {
    atom64 queue[most_groups * QUEUE_STRIDE];
    u64 stats[most_groups * STATS_STRIDE];
    atom32 depth[vertices], parent[vertices], visited[vertices / 32 + 1], length, seen[vertices];
    u32 frontier[2][vertices];
    u32 groups, level;
    bool bottom_up, search;
} run;

static void *group_main(void *argument)
{
    u64 range[2], *stats = run.stats;
    gws_host_group = *(u32 *)argument;
    gws_host_groups = run.groups;
    u32 *in = run.frontier[run.level % 2], *out = run.frontier[(run.level + 1) % 2];
    if (!run.search)
        while (take_first(run.queue, stats + gws_host_group * STATS_STRIDE, range) == GRAB_TOOK)
            for (u64 i = range[0]; i < range[1]; i++) atom_add(&run.seen[i], 1, order_relaxed);
    else if (run.bottom_up)
        bfs_bottom_up(graph.reverse_offset, graph.source, run.depth, run.parent, run.visited, out, &run.length,
                      run.queue, stats, run.level);
    else
        bfs_top_down(graph.offset, graph.target, run.depth, run.parent, run.visited, in, out, &run.length, run.queue,
                     stats, run.level);
    return NULL;
}

/* One kernel over 0 .. count - 1: as many threads as there are groups. */
static void launch(u64 count, u64 chunk)
{
    pthread_t thread[most_groups];
    u32 group[most_groups];
    bfs_fill(run.queue, run.groups, count, chunk);
    for (u32 g = 0; g < run.groups; g++) {
        group[g] = g;
        ck_assert_int_eq(pthread_create(&thread[g], NULL, group_main, &group[g]), 0);
    }
    for (u32 g = 0; g < run.groups; g++) pthread_join(thread[g], NULL);
}

START_TEST(every_index_once)
{
    static const u64 counts[] = {0, 1, 2, 63, 64, 65, vertices};
    static const u64 chunks[] = {1, 3, 64, 5000};
    memset(&run, 0, sizeof run);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++)
            for (run.groups = 1; run.groups <= most_groups; run.groups++) {
                memset(run.seen, 0, sizeof run.seen);
                launch(counts[c], chunks[k]);
                for (u64 i = 0; i < vertices; i++)
                    if (run.seen[i] != (i < counts[c]))
                        ck_abort_msg("index %llu of %llu seen %u times", (unsigned long long)i,
                                     (unsigned long long)counts[c], run.seen[i]);
            }
}
END_TEST

static void csr(const u32 *from, const u32 *to, u64 arcs, u64 **offset, u32 **target)
{
    *offset = calloc(vertices + 2, sizeof **offset);
    *target = calloc(arcs + 1, sizeof **target);
    for (u64 a = 0; a < arcs; a++) (*offset)[from[a] + 2]++;
    for (u32 v = 1; v <= vertices; v++) (*offset)[v + 1] += (*offset)[v];
    for (u64 a = 0; a < arcs; a++) (*target)[(*offset)[from[a] + 1]++] = to[a];
}

/* The serial oracle: a queue of vertices. */
static void search_serially(u32 source)
{
    static u32 queue[vertices];
    u32 tail = 0;
    graph.expected = malloc(vertices * sizeof *graph.expected);
    memset(graph.expected, 0xff, vertices * sizeof *graph.expected);
    graph.expected[source] = 0;
    queue[tail++] = source;
    for (u32 head = 0; head < tail; head++)
        for (u64 a = graph.offset[queue[head]]; a < graph.offset[queue[head] + 1]; a++)
            if (graph.expected[graph.target[a]] == NONE) {
                graph.expected[graph.target[a]] = graph.expected[queue[head]] + 1;
                queue[tail++] = graph.target[a];
            }
}

/* Random arcs, some parallel, some loops, among the first part of the vertices; a path of `path` vertices is added. */
static void graph_make(u64 random_arcs, u32 path, u32 among)
{
    u64 arcs = 0, random = 7;
    u32 *from = malloc((2 * random_arcs + path) * sizeof *from), *to = malloc((2 * random_arcs + path) * sizeof *to);
    for (u64 a = 0; a < random_arcs; a++)
        for (u32 copy = 0; copy <= a % 5 / 4; copy++, arcs++) {
            from[arcs] = copy ? from[arcs - 1] : gws_random_below(gws_random_next(&random), among);
            to[arcs] = copy ? to[arcs - 1] : gws_random_below(gws_random_next(&random), among);
        }
    for (u32 v = 0; v + 1 < path; v++, arcs++) from[arcs] = v, to[arcs] = v + 1;
    csr(from, to, arcs, &graph.offset, &graph.target);
    csr(to, from, arcs, &graph.reverse_offset, &graph.source);
    free(from);
    free(to);
    search_serially(0);
}

static void graph_free(void)
{
    free(graph.offset);
    free(graph.reverse_offset);
    free(graph.target);
    free(graph.source);
    free(graph.expected);
}

static bool has_arc(u32 from, u32 to)
{
    for (u64 a = graph.offset[from]; a < graph.offset[from + 1]; a++)
        if (graph.target[a] == to) return true;
    return false;
}

static void judge(void)
{
    for (u32 v = 0; v < vertices; v++) {
        u32 depth = run.depth[v], parent = run.parent[v];
        if (depth != graph.expected[v]) ck_abort_msg("vertex %u: depth %u, not %u", v, depth, graph.expected[v]);
        if (depth == NONE ? parent != NONE : v != 0 && (run.depth[parent] != depth - 1 || !has_arc(parent, v)))
            ck_abort_msg("vertex %u of depth %u has parent %u", v, depth, parent);
    }
}

/* mode 0: top-down, 1: bottom-up, 2: by turns. */
static void search(u32 groups, u32 mode)
{
    memset(&run, 0, sizeof run);
    memset(run.depth, 0xff, sizeof run.depth);
    memset(run.parent, 0xff, sizeof run.parent);
    run.search = true;
    run.groups = groups;
    run.depth[0] = run.parent[0] = 0;
    run.visited[0] = 1;
    u64 ran = 0, expected = 0;
    for (u32 length = 1; length > 0; run.level++) {
        run.bottom_up = mode == 2 ? run.level % 2 : mode;
        run.length = 0;
        expected += run.bottom_up ? vertices : length;
        launch(run.bottom_up ? vertices : length, 16);
        length = run.length;
    }
    for (u32 g = 0; g < groups; g++) ran += run.stats[g * STATS_STRIDE + STATS_RAN];
    ck_assert_uint_eq(ran, expected);
    judge();
}

START_TEST(depths_equal_the_oracles)
{
    static const struct {
        u64 arcs;
        u32 path, among;
    } shape[] = {{0, 1, vertices}, {9000, 1, vertices}, {60000, 1, 2000}, {2000, 60, vertices}};
    for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++) {
        graph_make(shape[s].arcs, shape[s].path, shape[s].among);
        for (u32 groups = 1; groups <= most_groups; groups += 3)
            for (u32 mode = 0; mode < 3; mode++) search(groups, mode);
        graph_free();
    }
}
END_TEST

static Suite *kernels(void)
{
    Suite *suite = suite_create("kernels");
    TCase *tests = tcase_create("host dialect");
    tcase_add_test(tests, every_index_once);
    tcase_add_test(tests, depths_equal_the_oracles);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(kernels);
}

#endif
