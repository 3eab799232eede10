/* SPDX-License-Identifier: MIT */
/* The device's side of a breadth-first search in the host's memory (kernels/bfs/host_resident.cl). Threads emulate its
 * groups; the main thread is the host, which leaves all of each level to the device. Rows have two parts, with
 * different numbers of cached words. The tests compare with a serial search. */
#include "../harness.h"

#include <pthread.h>

#include "../../lib/parallel.h"
#include "../../lib/random.h"
#include "../../traversal/engine/split_rows.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../kernels/portability/host.h"
#include "../../kernels/hetero/protocol_words.h"
#include "../../kernels/hetero/range.cl"
#include "../../kernels/bfs/host_resident_words.h"
#include "../../kernels/engine/split_rows.h"
#include "../../kernels/bfs/host_resident.cl"
#include "../../lib/hetero/range.h"
/* clang-format on */

enum { max_groups = 3, window = 2, chunk = 4, max_vertices = 2200, max_words = (max_vertices + 31) / 32 };

static struct gws_runtime *workers;

/* A graph's rows as on the device. */
struct rows_on_device {
    struct gws__split_rows rows;
    u64 *bound;
    u32 *cached, *host_words;
};

static struct {
    atom64 words[PROTOCOL_WORDS], state[BFS_STATE];
    atom32 visited[max_words];
    u32 before[max_words], front[max_words], parent[max_vertices], depth[max_vertices], mirror[max_words];
    u32 host[max_words], host_front[max_words];
    u64 stats[max_groups * RANGE_STATS];
    struct rows_on_device *out, *in;
    u64 vertices;
    u32 groups, group[max_groups];
} run;

static void *group_main(void *argument)
{
    const struct rows_on_device *out = run.out, *in = run.in;
    gws_host_group = *(u32 *)argument;
    gws_host_groups = run.groups;
    bfs_host_resident(run.words, run.state, out->bound, out->rows.base, out->cached, out->host_words, in->bound,
                      in->rows.base, in->cached, in->host_words, run.visited, run.before, run.front, run.parent,
                      run.depth, run.host, run.host, run.host_front, run.mirror, run.stats, run.vertices, chunk, window,
                      UINT64_MAX, 1);
    return NULL;
}

/* ---- graphs, and the cached part of their rows ---- */

static struct gws_graph *undirected(void)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(workers, "kron:11", &graph, NULL), GWS_OK);
    return graph;
}

/* Some rows of the graph are long enough for whole groups. */
static struct gws_graph *directed(void)
{
    static struct gws_edge edge[max_vertices * 4 + 8 * 1700];
    struct gws_graph *graph = NULL;
    uint64_t arcs = 0, random = 3;
    for (uint32_t v = 0; v < max_vertices; v++)
        for (uint64_t row = v % 300 == 7 ? 1700 : gws_random_below(gws_random_next(&random), 4); row > 0; row--)
            edge[arcs++] = (struct gws_edge){v, gws_random_below(gws_random_next(&random), max_vertices)};
    struct gws_edge_block block = {.edge = edge, .count = arcs};
    struct gws_edges all = {max_vertices, 1, &block};
    ck_assert_int_eq(gws_graph_build(workers, &all, NULL, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(workers, graph), GWS_OK);
    return graph;
}

static void cache_rows(struct gws__split_rows *rows, int strategy)
{
    const uint64_t capacities[] = {0,
                                   rows->graph->vertices,
                                   rows->graph->arcs / 3,
                                   rows->graph->arcs / 10 * 9,
                                   rows->graph->arcs / 3,
                                   rows->graph->arcs};
    uint64_t capacity = capacities[strategy];
    if (strategy == 1) gws__split_rows_cache_heads(workers, rows, 8, &capacity); /* strategy 0 caches nothing */
    if (strategy == 2) gws__split_rows_cache_heads(workers, rows, 3, &capacity);
    if (strategy == 2 || strategy == 3 || strategy == 5) gws__split_rows_cache_hubs(workers, rows, &capacity);
    if (strategy == 4) gws__split_rows_cache_small(workers, rows, &capacity);
}

static void upload(struct rows_on_device *device_rows, const struct gws_graph *graph, int strategy)
{
    struct gws__split_rows *rows = &device_rows->rows;
    ck_assert_int_eq(gws__split_rows_open(workers, graph, rows, NULL), GWS_OK);
    cache_rows(rows, strategy);
    gws__split_rows_layout(workers, rows);
    uint64_t cached = rows->base[rows->blocks * 2], host_words = rows->base[rows->blocks * 2 + 1];
    device_rows->bound = malloc((graph->vertices + 1) * sizeof *device_rows->bound);
    device_rows->cached = malloc(cached * 4 + 1); /* no further word, so that sanitizers detect reads beyond the end */
    device_rows->host_words = malloc(host_words * 4 + 1);
    gws__split_rows_bounds(workers, rows, 0, rows->blocks, device_rows->bound);
    gws__split_rows_words(workers, rows, gws__row_on_device, 0, cached, device_rows->cached);
    gws__split_rows_words(workers, rows, gws__row_on_host, 0, host_words, device_rows->host_words);
}

static void release(struct rows_on_device *device_rows)
{
    gws__split_rows_close(workers, &device_rows->rows);
    free(device_rows->bound);
    free(device_rows->cached);
    free(device_rows->host_words);
}

/* ---- the host ---- */

static void await(const struct gws__protocol *protocol, u64 order)
{
    while (!gws__protocol_replied(protocol, order)) spin_pause();
}

static u64 run_order(struct gws__protocol *protocol, u32 kind, u64 chunks, u32 level)
{
    gws__protocol_set_word(protocol, ORDER_LEVEL, level);
    gws__protocol_set_word(protocol, ORDER_FRESH, level == 0);
    gws__protocol_set_word(protocol, ORDER_SIDE, 0);
    u64 order = gws__protocol_publish(protocol, kind, chunks, run.groups);
    await(protocol, order);
    return order;
}

/* Records the frontier that a level found. Returns the size of this frontier. */
static u64 found_on_device(uint32_t *depth, u32 level)
{
    u64 found = 0;
    for (u32 v = 0; v < run.vertices; v++) {
        if ((run.mirror[v / 32] >> v % 32 & 1) == 0 || depth[v] != GWS_NO_VERTEX) continue;
        depth[v] = level + 1;
        found++;
    }
    return found;
}

/* Searches with alternating directions. up: the first level runs bottom-up. */
static void search(uint32_t source, bool up, uint32_t *depth, uint32_t *depths_up)
{
    struct gws__protocol protocol = {.words = run.words};
    u64 chunks = ((run.vertices + 31) / 32 + chunk - 1) / chunk, found = 1;
    for (u32 v = 0; v < run.vertices; v++) depth[v] = GWS_NO_VERTEX;
    run.host[source / 32] = run.host_front[source / 32] = (u32)1 << source % 32;
    depth[source] = 0;
    for (u32 level = 0; found > 0; level++, up = !up) {
        u64 order = run_order(&protocol, up ? ORDER_BOTTOM_UP : ORDER_TOP_DOWN, chunks, level);
        ck_assert_uint_eq(gws__protocol_reply_word(&protocol, order, REPLY_RAN), chunks);
        found = found_on_device(depth, level);
        run_order(&protocol, ORDER_MERGE, 0, level);
        *depths_up += up;
    }
    u64 end = gws__protocol_publish(&protocol, ORDER_END, 0, 0), arcs = 0;
    await(&protocol, end);
    for (u32 v = 0; v < run.vertices; v++)
        if (v != source && depth[v] != GWS_NO_VERTEX) arcs += gws_graph_degree(run.out->rows.graph, v);
    ck_assert_uint_eq(gws__protocol_reply_word(&protocol, end, REPLY_DEGREES), arcs);
}

/* ---- the oracle ---- */

static bool has_arc(const struct gws_graph *graph, u32 from, u32 to)
{
    for (u64 a = graph->offset[from]; a < graph->offset[from + (u64)1]; a++)
        if (graph->target[a] == to) return true;
    return false;
}

static void judge(const struct gws_graph *graph, uint32_t source, const uint32_t *depth)
{
    static uint32_t queue[max_vertices], expected[max_vertices];
    memset(expected, 0xff, sizeof expected);
    expected[source] = 0;
    queue[0] = source;
    for (u32 head = 0, tail = 1; head < tail; head++)
        for (u64 a = graph->offset[queue[head]]; a < graph->offset[queue[head] + (u64)1]; a++) {
            u32 to = graph->target[a];
            if (expected[to] != GWS_NO_VERTEX) continue;
            expected[to] = expected[queue[head]] + 1;
            queue[tail++] = to;
        }
    ck_assert_mem_eq(depth, expected, graph->vertices * sizeof *depth);
    for (u32 v = 0; v < graph->vertices; v++) {
        if (v == source || depth[v] == GWS_NO_VERTEX) continue;
        ck_assert_uint_eq(run.depth[v], depth[v]);
        ck_assert_uint_lt(run.parent[v], graph->vertices);
        ck_assert_uint_eq(depth[run.parent[v]] + 1, depth[v]);
        ck_assert(has_arc(graph, run.parent[v], v));
    }
}

static void search_with(u32 groups, struct rows_on_device *out, struct rows_on_device *in, bool up)
{
    static uint32_t depth[max_vertices];
    pthread_t thread[max_groups];
    uint32_t levels_up = 0, source = 0;
    const struct gws_graph *graph = out->rows.graph;
    memset(&run, 0, sizeof run);
    run.out = out;
    run.in = in;
    run.groups = groups;
    run.vertices = graph->vertices;
    while (gws_graph_degree(graph, source) == 0) source++;
    for (u32 g = 0; g < groups; g++) {
        run.group[g] = g;
        ck_assert_int_eq(pthread_create(&thread[g], NULL, group_main, &run.group[g]), 0);
    }
    search(source, up, depth, &levels_up);
    for (u32 g = 0; g < groups; g++) pthread_join(thread[g], NULL);
    ck_assert_uint_gt(levels_up, 0);
    judge(graph, source, depth);
}

START_TEST(rows_are_read_in_both_parts)
{
    struct gws_options options = {.threads = 1};
    ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
    for (int reversed = 0; reversed < 2; reversed++) {
        struct gws_graph *graph = reversed ? directed() : undirected();
        for (int strategy = 0; strategy < 6; strategy++) {
            struct rows_on_device out = {.bound = NULL}, in = {.bound = NULL};
            upload(&out, graph, strategy);
            if (reversed) upload(&in, graph->reverse, 5 - strategy);
            for (u32 groups = 1; groups <= max_groups; groups += 2)
                for (int up = 0; up < 2; up++) search_with(groups, &out, reversed ? &in : &out, up != 0);
            release(&out);
            if (reversed) release(&in);
        }
        gws_graph_destroy(graph);
    }
    gws_runtime_close(workers);
}
END_TEST

/* Computes indexes beyond 2^32 words from their lower halves. */
START_TEST(places_are_whole_numbers)
{
    const u64 base[] = {0, 1, 0x7fffffff, 0xfffffffe, 0xffffffff, 0x100000000, 0x2fffffff0, 0x7ffffffffffff};
    for (size_t b = 0; b < sizeof base / sizeof *base; b++)
        for (u64 since = 0; since < SPLIT_ROWS_ARCS; since = since * 3 + 1)
            ck_assert_uint_eq(row_index(base[b], (u32)(base[b] + since)), base[b] + since);
    struct split_row row = {(u64)0xfffffff0 << 32 | 0xffffffff, (u64)0x10 << 32 | 3};
    ck_assert_uint_eq(part_words(row, 0), 4);
    ck_assert_uint_eq(part_words(row, 1), 0x20);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{rows_are_read_in_both_parts, 1}, {places_are_whole_numbers, 1}, {0}};
    return gws_test_run("search in the host's memory", test);
}
