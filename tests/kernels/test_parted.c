/* SPDX-License-Identifier: MIT */
/* The emulated kernel of a graph parted among devices. Threads emulate the groups of one to eight devices in one
 * address space. The tests compare with a serial search, over consecutive searches, with and without the index of hubs,
 * heavy rows and pull. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../kernels/portability/host.h"
#include "../../kernels/hetero/trace_words.h"
#include "../../kernels/hetero/trace.cl"
#include "../../kernels/operator/operator.h"

#include "../../kernels/engine/direction.h"

#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/record_words.h"
#include "../../kernels/engine/peers_words.h"

#include "../../kernels/engine/parted_words.h"
#include "../../kernels/hetero/handoff_words.h"

#include "../../kernels/hetero/handoff_rule.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/engine/state.cl"
#include "../../kernels/engine/peers.cl"
#include "../../kernels/engine/parted.cl"
#include "../../kernels/operator/bfs_claim.cl"
#include "../../kernels/operator/bfs_parted.cl"
#include "../../kernels/engine/index.cl"
#include "../../kernels/engine/push.cl"
#include "../../kernels/engine/push_parted.cl"
#include "../../kernels/engine/pull.cl"
#include "../../kernels/engine/run_parted.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

enum { max_parts = PARTED_MAX, max_groups = 3, words = (vertices + 31) / 32, stats_stride = 8 };

/* A device's memory. The rows are copies of those of its part. */
struct device {
    u64 *offset, *in_offset, candidates, sums[ENGINE_SUM_WORDS], stats[max_groups * stats_stride], record[vertices + 1];
    u64 exchange[PARTED_POSTS + 2 * (words + 1) + max_parts * vertices];
    u32 *target, *source, depth[vertices], parent[vertices], list[vertices], control[ENGINE_CONTROL_WORDS];
    u32 cursors[2 * max_groups], hub[vertices], isolated[words], segments[200000], result[PARTED_RESULT];
    struct parted_bounds bounds;
};

static struct {
    struct device device[max_parts];
    u32 groups, parts, root, heavy, alpha, beta, hub_mask, candidates;
    u32 *stop[max_parts], stops[max_parts]; /* stop: NULL, or the word of the part in stops */
} run;

static u32 part_size(const struct device *at)
{
    return at->bounds.first[at->bounds.part + 1] - at->bounds.first[at->bounds.part];
}

static u64 *exchange_of(u32 part)
{
    return run.device[part < run.parts ? part : 0].exchange;
}

static void search_on_device(void)
{
    struct device *at = &run.device[emulated_device];
    engine_run_parted(at->offset, at->target, at->in_offset, at->source, at->depth, at->parent, at->list, at->control,
                      at->sums, at->cursors, at->stats, NULL, at->hub, at->isolated, at->segments, at->record,
                      at->result, run.stop[at->bounds.part], exchange_of(0), exchange_of(1), exchange_of(2),
                      exchange_of(3), exchange_of(4), exchange_of(5), exchange_of(6), exchange_of(7), at->bounds,
                      graph.offset[vertices], run.heavy, run.alpha, run.beta, run.candidates, run.hub_mask, run.root);
}

/* Copies the rows of a part. Its targets keep their numbers. */
static void copy_rows(const struct parted_bounds *bounds, const u64 *all, const u32 *others, u64 **offset, u32 **target)
{
    u32 first = bounds->first[bounds->part], size = bounds->first[bounds->part + 1] - first;
    u64 arcs = all[first + size] - all[first];
    *offset = malloc((size + 1) * sizeof **offset);
    *target = malloc((arcs + 1) * sizeof **target);
    for (u32 v = 0; v <= size; v++) (*offset)[v] = all[first + v] - all[first];
    memcpy(*target, others + all[first], arcs * sizeof **target);
}

static void open_device(u32 part, const u32 *bounds, bool hubs)
{
    struct device *at = &run.device[part];
    at->bounds.part = part;
    at->bounds.parts = run.parts;
    for (u32 q = 0; q <= run.parts; q++) at->bounds.first[q] = bounds[q];
    copy_rows(&at->bounds, graph.offset, graph.target, &at->offset, &at->target);
    copy_rows(&at->bounds, graph.reverse_offset, graph.source, &at->in_offset, &at->source);
    at->hub[0] = bounds[part];
    if (!hubs) return;
    gws_host_group = 0;
    gws_host_groups = 1;
    index_hubs(part_size(at), bounds[part], graph.offset, at->in_offset, at->source, at->hub, at->isolated,
               &at->candidates);
    run.candidates += (u32)at->candidates;
}

static void close_devices(void)
{
    for (u32 part = 0; part < run.parts; part++) {
        free(run.device[part].offset);
        free(run.device[part].in_offset);
        free(run.device[part].target);
        free(run.device[part].source);
    }
}

/* ---- checks ---- */

static u32 part_of(u32 v)
{
    u32 part = 0;
    while (v >= run.device[0].bounds.first[part + 1]) part++;
    return part;
}

static u32 depth_of(u32 v)
{
    const struct device *at = &run.device[part_of(v)];
    return at->depth[v - at->bounds.first[at->bounds.part]];
}

static void judge_vertex(u32 v)
{
    const struct device *at = &run.device[part_of(v)];
    u32 depth = depth_of(v), parent = at->parent[v - at->bounds.first[at->bounds.part]];
    bool right = depth == graph.expected[v];
    if (right && depth == NONE) right = parent == NONE;
    if (right && depth != NONE && v == run.root) right = parent == v;
    if (right && depth != NONE && v != run.root)
        right = parent < vertices && depth_of(parent) == depth - 1 && has_arc(parent, v);
    if (!right) ck_abort_msg("vertex %u: depth %u for %u, parent %u", v, depth, graph.expected[v], parent);
}

/* Checks that a device has sent each vertex at most once, to its owner. */
static void judge_inbox(const struct device *at, u32 sender)
{
    const u32 part = at->bounds.part, first = at->bounds.first[part], before = sender < part ? sender : sender - 1;
    const u64 *inbox = at->exchange + PARTED_POSTS + 2 * ((vertices + 63) / 64) + (u64)before * part_size(at);
    u32 sent = run.device[sender].control[COUNT_SENT + part];
    static bool seen[vertices];
    memset(seen, 0, sizeof seen);
    ck_assert_uint_le(sent, part_size(at));
    for (u32 i = 0; i < sent; i++) {
        u32 vertex = (u32)inbox[i] - first;
        if (vertex >= part_size(at) || seen[vertex]) ck_abort_msg("vertex %u: sent twice, or to another part", vertex);
        seen[vertex] = true;
    }
}

/* Checks depths, parents, the levels' records and the counts. */
static void judge_result(void)
{
    u32 size[vertices + 1] = {0}, levels = run.device[0].result[PARTED_LEVELS], reached = 0, own = 0;
    for (u32 v = 0; v < vertices; v++) {
        judge_vertex(v);
        if (depth_of(v) != NONE) size[depth_of(v)]++;
    }
    for (u32 level = 0; level < levels; level++) {
        ck_assert_uint_eq((u32)run.device[level % run.parts].record[level / run.parts], size[level]);
        reached += size[level];
    }
    ck_assert_uint_eq(size[levels], 0);
    for (u32 part = 0; part < run.parts; part++) {
        const struct device *at = &run.device[part];
        ck_assert_uint_eq(at->result[PARTED_LEVELS], levels);
        ck_assert_uint_eq(at->result[PARTED_REACHED], reached);
        own += at->result[PARTED_OWN];
        for (u32 q = 0; q < run.parts; q++)
            if (q != part) judge_inbox(at, q);
    }
    ck_assert_uint_eq(own, reached);
}

/* ---- searches ---- */

static void poison(u32 root)
{
    free(graph.expected);
    search_serially(root);
    run.root = root;
    for (u32 part = 0; part < run.parts; part++) {
        memset(run.device[part].depth, 0x55, sizeof run.device[part].depth);
        memset(run.device[part].parent, 0x55, sizeof run.device[part].parent);
        memset(run.device[part].cursors, 0x55, sizeof run.device[part].cursors);
        memset(run.device[part].exchange + PARTED_POSTS, 0x55, sizeof run.device[part].exchange - PARTED_POSTS * 8);
    }
}

static void run_devices(void)
{
    struct emulated_group group[max_parts][max_emulated_groups];
    const u32 parts = run.parts < max_parts ? run.parts : max_parts;
    for (u32 part = 0; part < parts; part++) start_device(part, group[part], search_on_device, run.groups);
    for (u32 part = 0; part < parts; part++) join_groups(group[part], run.groups);
}

static void search_from(u32 root)
{
    poison(root);
    run_devices();
    judge_result();
}

/* Bounds are uneven, and parts may be empty: the first, the last, or some between. */
struct layout {
    u32 parts, first[max_parts + 1];
};

static const struct layout layouts[][2] = {
    {{1, {0, vertices}}, {1, {0, vertices}}},
    {{2, {0, 1024, vertices}}, {2, {0, 2976, vertices}}},
    {{3, {0, 320, vertices, vertices}}, {3, {0, 0, 1504, vertices}}},
    {{4, {0, 736, 1504, 2240, vertices}}, {4, {0, 0, 1504, 1504, vertices}}},
    {{5, {0, 608, 1216, 1824, 2432, vertices}}, {5, {0, 32, 64, 96, 128, vertices}}},
    {{8, {0, 384, 768, 1152, 1504, 1888, 2272, 2656, vertices}},
     {8, {0, 0, 32, 32, 2048, 2944, vertices, vertices, vertices}}}};

static void search(const struct layout *layout, u32 groups, u32 mode)
{
    memset(&run, 0, sizeof run);
    run.parts = layout->parts;
    run.groups = groups;
    run.heavy = mode % 4 < 2 ? 8 : 512;
    run.alpha = mode % 2 ? 32 : 0;
    run.beta = mode % 2 ? 16 : 0;
    run.hub_mask = mode % 3 < 2 ? NONE : 0;
    for (u32 part = 0; part < run.parts; part++) open_device(part, layout->first, run.hub_mask != 0);
    if (run.hub_mask == 0) run.candidates = vertices;
    search_from(0);
    search_from(vertices - 1);
    search_from(7);
    close_devices();
}

START_TEST(depths_equal_the_oracles)
{
    make_shape(_i);
    for (u32 i = 0; i < sizeof layouts / sizeof *layouts; i++)
        for (u32 mode = i % 4; mode < 12; mode += gws_test_quick() ? 5 : 1)
            search(&layouts[i][mode / 4 % 2], i < 3 ? mode % 2 + (i + 1) % 2 + 1 : 1 + mode % 2, mode);
    graph_free();
}
END_TEST

/* A path has as many levels as vertices. One device sees that the host has cancelled the search, and all end at the
 * same level, long before the last one. The next search is right. */
START_TEST(a_cancelled_search_ends)
{
    const u32 bounds[max_parts + 1] = {0, 1024, 2048, vertices};
    make_shape(_i);
    memset(&run, 0, sizeof run);
    run.parts = 3;
    run.groups = 2;
    run.heavy = 512;
    run.candidates = vertices;
    for (u32 part = 0; part < run.parts; part++) {
        open_device(part, bounds, false);
        run.stop[part] = &run.stops[part];
    }
    poison(0);
    run.stops[1] = 1;
    run_devices();
    u32 levels = run.device[0].result[PARTED_LEVELS], max = 0;
    for (u32 v = 0; v < vertices; v++)
        max = graph.expected[v] != NONE && graph.expected[v] > max ? graph.expected[v] : max;
    if (max > PARTED_STOP_STEPS) ck_assert_uint_lt(levels, PARTED_STOP_STEPS);
    for (u32 part = 0; part < run.parts; part++) ck_assert_uint_eq(run.device[part].result[PARTED_LEVELS], levels);
    run.stops[1] = 0;
    search_from(7);
    close_devices();
    graph_free();
}
END_TEST

/* The second device never launches. The first one ends at its first barrier when the host gives up. */
START_TEST(an_abandoned_search_ends)
{
    const u32 bounds[max_parts + 1] = {0, 1024, vertices};
    struct emulated_group group[max_emulated_groups];
    make_shape(0);
    memset(&run, 0, sizeof run);
    run.parts = 2;
    run.groups = 3;
    run.heavy = 512;
    run.candidates = vertices;
    for (u32 part = 0; part < run.parts; part++) open_device(part, bounds, false);
    poison(0);
    run.stop[0] = &run.stops[0];
    start_groups(group, search_on_device, run.groups);
    atomic_store((_Atomic u32 *)&run.stops[0], PEERS_ABANDON);
    join_groups(group, run.groups);
    ck_assert_uint_eq(run.device[0].result[PARTED_LEVELS], 0);
    run.stops[0] = 0;
    for (u32 part = 0; part < run.parts; part++) memset(run.device[part].exchange, 0, PARTED_POSTS * 8);
    search_from(7);
    close_devices();
    graph_free();
}
END_TEST

static Suite *parted(void)
{
    Suite *suite = suite_create("parted");
    TCase *tests = tcase_create("emulated");
    tcase_add_loop_test(tests, depths_equal_the_oracles, 0, shapes);
    tcase_add_loop_test(tests, a_cancelled_search_ends, 0, shapes);
    tcase_add_test(tests, an_abandoned_search_ends);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(parted);
}
