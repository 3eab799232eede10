/* SPDX-License-Identifier: MIT */
/* Compares shortest paths and coreness by the engine's rounds (kernels/engine/rounds.cl), emulated by warps, with
 * serial results. With CORES the operator is kernels/operator/cores.cl. test_warps.py assembles the sources. */
#include "warps.h"

#include <cstdio>
#include <cstdlib>

#include "rows.h"

#define GWS_GROUP_SIZE 64
#undef local_array /* the engine has one array, longer than those of other kernels */
#define local_array(type, name, count) type *name = (type *)this_block().shared
/* clang-format off */
#include "trace_words.h"
#include "trace.cl"
#include "handoff_words.h"
#include "handoff_rule.h"
#include "operator.h"
#include "direction.h"
#include "engine_words.h"
#include "record_words.h"
#include "grid.cl"
#include "state.cl"
#ifdef CORES
#include "cores.cl"
#else
#include "sssp_word.h"
#include "sssp.cl"
#endif
#include "push.cl"
#include "vertex.cl"
#include "rounds_state.cl"
#include "rounds.cl"
/* clang-format on */

#ifdef CORES
#define WORD 1 /* parallel arcs count, for the kernel as for expect() */

/* Removes a vertex with the fewest neighbours left at a time. */
static std::vector<u32> expect(u32 vertices, const rows &g, const std::vector<u32> &)
{
    std::vector<u32> left(vertices), core(vertices);
    std::vector<bool> removed(vertices);
    for (u32 v = 0; v < vertices; v++) left[v] = (u32)(g.offset[v + 1] - g.offset[v]);
    for (u32 i = 0, k = 0; i < vertices; i++) {
        u32 lowest = NONE;
        for (u32 v = 0; v < vertices; v++)
            if (!removed[v] && (lowest == NONE || left[v] < left[lowest])) lowest = v;
        removed[lowest] = true;
        core[lowest] = k = std::max(k, left[lowest]);
        for (u64 arc = g.offset[lowest]; arc < g.offset[lowest + 1]; arc++) left[g.target[arc]]--;
    }
    return core;
}
#else
#define WORD 0 /* the source */

/* Relaxes all arcs until no distance from vertex 0 falls. */
static std::vector<u32> expect(u32 vertices, const rows &g, const std::vector<u32> &weight)
{
    std::vector<u32> distance(vertices, NONE);
    distance[0] = 0;
    for (bool falls = true; falls;) {
        falls = false;
        for (u32 v = 0; v < vertices; v++)
            for (u64 arc = g.offset[v]; distance[v] != NONE && arc < g.offset[v + 1]; arc++)
                if (distance[v] + weight[arc] < distance[g.target[arc]])
                    distance[g.target[arc]] = distance[v] + weight[arc], falls = true;
    }
    return distance;
}
#endif

#ifdef SOME
#define SCHEDULE SCHEDULE_CURSOR /* thieves' mark of an exhausted step is no atomic word (grid.cl) */
#else
#define SCHEDULE SCHEDULE_STEAL
#endif

static void check(u32 vertices, const std::vector<uint2> &arcs, u32 heavy, u32 width, u32 blocks)
{
    const rows g(vertices, arcs);
    std::vector<u32> weight(arcs.size() + 1), data(vertices), list(2 * vertices), control(ENGINE_CONTROL_WORDS);
    std::vector<u32> visited(vertices / 32 + 1), next(visited), far(visited), queue(2 * blocks);
    std::vector<u32> segments(4 * (arcs.size() / heavy + 1));
    std::vector<u64> sums(ENGINE_SUM_WORDS);
    for (u32 i = 0; i < arcs.size(); i++) weight[i] = i * 2654435761u >> 24;
    emulated_blocks.clear();
    for (u32 b = 0; b < blocks; b++) emulated_blocks.emplace_back(new emulated_block(GWS_GROUP_SIZE, blocks));
    emulate_blocks(blocks, GWS_GROUP_SIZE, [&] {
        engine_rounds(g.offset.data(), g.target.data(), g.offset.data(), g.target.data(), weight.data(), data.data(),
                      nullptr, nullptr, nullptr, visited.data(), next.data(), far.data(), list.data(), control.data(),
                      sums.data(), queue.data(), segments.data(), nullptr, nullptr, vertices, heavy, SCHEDULE, 0,
                      WORD, 0, 0, width);
    });
    if (data == expect(vertices, g, weight)) return;
    std::printf("%u vertices, %zu arcs, heavy %u, width %u, %u blocks: wrong\n", vertices, arcs.size(), heavy, width,
                blocks);
    std::exit(1);
}

static void add_edge(std::vector<uint2> *arcs, u32 a, u32 b)
{
    if (a == b) return;
    arcs->push_back({a, b});
    arcs->push_back({b, a});
}

static std::vector<uint2> make_grid(u32 side)
{
    std::vector<uint2> arcs;
    for (u32 v = 0; v < side * side; v++) {
        if (v % side + 1 < side) add_edge(&arcs, v, v + 1);
        if (v + side < side * side) add_edge(&arcs, v, v + side);
    }
    return arcs;
}

/* Makes random edges, and hubs with rows of all lengths. */
static std::vector<uint2> make_edges(u32 vertices, u32 count, u32 hubs)
{
    u32 random = 1;
    auto below = [&](u32 bound) { return (random = random * 1664525 + 1013904223), (random >> 8) % bound; };
    std::vector<uint2> arcs;
    for (u32 i = 0; i < count; i++) {
        u32 a = below(vertices);
        add_edge(&arcs, a, below(vertices));
    }
    for (u32 hub = 0; hub < hubs; hub++)
        for (u32 i = 0; i < 40 * (hub + 1); i++) add_edge(&arcs, hub * 7, below(vertices));
    return arcs;
}

int main()
{
#ifdef CORES
    const u32 widths[] = {1};
#else
    const u32 widths[] = {200, 0x7fffffff};
#endif
    for (u32 width : widths) {
        check(100, make_grid(10), 512, width, 1);
        check(200, make_edges(200, 300, 8), 128, width, 2);
#ifndef SOME
        check(1, {}, 512, width, 2);
        check(400, make_edges(400, 2000, 2), 512, width, 2);
        check(500, make_edges(500, 550, 0), 512, width, 2);
#endif
    }
    return 0;
}
