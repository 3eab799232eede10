/* SPDX-License-Identifier: MIT */
/* Compares the kernel of communities (kernels/graph/communities.cl), emulated by warps, with serial code: label
 * propagation, the moves of a level, and the rows of the next level. test_warps.py assembles the sources. */
#include "warps.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "rows.h"

#define float_of(bits) ((float)(bits))
#define bits_of_double(value) std::bit_cast<u64>((double)(value))
#define double_product(a, b) ((a) * (b))
#define COMMUNITIES_SHORT 4u
#define COMMUNITIES_LONG 70u /* rows of 5 to 32 arcs are for the lanes of a warp, and up to 70 for its table */
#define COMMUNITIES_ALONE 0u
/* clang-format off */
#include "engine_words.h"
#include "grid.cl"
#include "sums.cl"
#include "communities_words.h"
#include "communities_rules.h"
#include "communities_state.cl"
#include "communities_sums.cl"
#include "communities_table.cl"
#include "communities_choice.cl"
#include "communities_row.cl"
#include "communities_propagate.cl"
#include "communities_move.cl"
#include "communities_merge.cl"
#include "communities.cl"
/* clang-format on */

enum { slots = 64, warps = 4 };

/* An undirected graph and the arrays of a level. */
struct level {
    const rows graph;
    u32 vertices;
    std::vector<u32> node, community, next, flags, list, last, long_row, table_label, count, made_target, made_weight;
    std::vector<u64> degree, degrees, made_offset, table_sum, part, sums;
    gws__communities_step p = {};
    u64 arrived = 0;

    level(u32 vertices, const std::vector<uint2> &arcs)
        : graph(vertices, arcs), vertices(vertices), node(vertices, 5), community(vertices, 5), next(vertices),
          flags(vertices + 3), list(vertices), last(vertices), long_row(arcs.size() + 1), table_label(8 * slots, NONE),
          count(COMMUNITIES_COUNTS), made_target(arcs.size() + 1), made_weight(2 * arcs.size() + 2), degree(vertices),
          degrees(vertices), made_offset(vertices + 1), table_sum(8 * slots), part(warps), sums(COMMUNITIES_SUMS)
    {
        p.resolution = p.scale = 1;
        p.vertices = p.nodes = vertices;
        p.halves = p.loops_once = 1;
        p.warp_slots = p.group_slots = slots;
        p.out = WEIGHT_LONGS;
        p.max = 10;
    }

    void run(u32 step, u32 blocks)
    {
        const u32 threads = 64;
        p.step = step;
        std::fill(count.begin(), count.end(), 0);
        std::fill(sums.begin(), sums.end(), 0);
        emulated_blocks.clear();
        for (u32 b = 0; b < blocks; b++) emulated_blocks.emplace_back(new emulated_block(threads, blocks));
        emulate_blocks(blocks, threads, [&] {
            graph_communities(graph.offset.data(), graph.target.data(), nullptr, graph.offset.data(),
                              graph.target.data(), nullptr, node.data(), community.data(), node.data(), degree.data(),
                              degrees.data(), next.data(), flags.data(), list.data(), last.data(), long_row.data(),
                              made_offset.data(), made_target.data(), made_weight.data(), table_label.data(),
                              table_sum.data(), part.data(), count.data(), sums.data(), &arrived, nullptr, p);
        });
    }
};

static void expect(bool right, const char *what)
{
    if (right) return;
    std::printf("%s: wrong\n", what);
    std::exit(1);
}

static std::vector<u32> propagate_serially(const rows &graph, u32 vertices)
{
    std::vector<u32> now(vertices), next(vertices);
    std::iota(now.begin(), now.end(), 0);
    for (int i = 0; i < 10; i++, now = next)
        for (u32 v = 0; v < vertices; v++) {
            std::map<u32, u32> found;
            u32 best = now[v], max = 0;
            for (u64 arc = graph.offset[v]; arc < graph.offset[v + 1]; arc++) found[now[graph.target[arc]]]++;
            for (auto [label, arcs] : found)
                if (arcs > max) best = label, max = arcs;
            next[v] = best;
        }
    return now;
}

/* Moves the nodes of a level of single nodes, class by class, and returns the communities. */
static std::vector<u32> move_serially(const level &l)
{
    const rows &graph = l.graph;
    std::vector<u32> community(l.vertices), next;
    std::vector<u64> degrees = l.degree;
    std::vector<bool> active(l.vertices, true);
    std::iota(community.begin(), community.end(), 0);
    bool moves = true;
    for (u32 round = 0; moves && round < COMMUNITIES_ROUNDS; round++) {
        moves = false;
        for (u32 number = 0; number < COMMUNITIES_BLOCK; number++) {
            next = community;
            for (u32 v = 0; v < l.vertices; v++) {
                if (!active[v] || class_of_node(v, round) != number) continue;
                active[v] = false;
                const u32 own = community[v];
                std::map<u32, u64> to;
                for (u64 arc = graph.offset[v]; arc < graph.offset[v + 1]; arc++)
                    if (graph.target[arc] != v) to[community[graph.target[arc]]]++;
                auto gain = [&](u64 sum, u64 others) {
                    return modularity_gain(1, l.p.total, sum, l.degree[v], others);
                };
                double max = min_gain(gain(to[own], degrees[own] - l.degree[v]), l.degree[v]);
                for (auto [label, sum] : to) {
                    bool swap = label > own && class_of_node(label, round) == number && degrees[own] == l.degree[v] &&
                                degrees[label] == l.degree[label];
                    if (label == own || swap || gain(sum, degrees[label]) <= max) continue;
                    max = gain(sum, degrees[label]), next[v] = label;
                }
                if (max < 0 && degrees[v] == 0) next[v] = v;
            }
            for (u32 v = 0; v < l.vertices; v++) {
                if (next[v] == community[v]) continue;
                moves = true;
                degrees[community[v]] -= l.degree[v], degrees[next[v]] += l.degree[v];
                for (u64 arc = graph.offset[v]; arc < graph.offset[v + 1]; arc++)
                    if (community[graph.target[arc]] != next[v] && graph.target[arc] != v)
                        active[graph.target[arc]] = true;
            }
            community = next;
        }
    }
    return community;
}

static void check_rows(const level &l, const std::vector<u32> &community)
{
    std::map<u32, u32> number;
    for (u32 v = 0; v < l.vertices; v++) number.emplace(community[v], (u32)number.size());
    expect(l.p.made == number.size(), "number of nodes");
    std::vector<std::map<u32, u64>> wanted(number.size()), found(number.size());
    for (u32 v = 0; v < l.vertices; v++)
        for (u64 arc = l.graph.offset[v]; arc < l.graph.offset[v + 1]; arc++) {
            u32 to = l.graph.target[arc];
            wanted[number[community[v]]][number[community[to]]] += to == v ? 2 : 1;
        }
    for (u32 c = 0; c < number.size(); c++)
        for (u64 arc = l.made_offset[c]; arc < l.made_offset[c + 1]; arc++)
            found[c][l.made_target[arc]] += ((const u64 *)l.made_weight.data())[arc];
    expect(wanted == found, "rows");
}

static void check(u32 vertices, const std::vector<uint2> &arcs, u32 blocks)
{
    level l(vertices, arcs);
    l.run(COMMUNITIES_PROPAGATE, blocks);
    expect(l.node == propagate_serially(l.graph, vertices), "label propagation");
    l.p.begins = 1;
    l.run(COMMUNITIES_SUM, blocks);
    l.p.begins = 0;
    l.p.total = l.sums[LEVEL_TOTAL];
    l.run(COMMUNITIES_MOVE, blocks);
    const std::vector<u32> community = move_serially(l);
    expect(l.community == community, "moves");
    l.run(COMMUNITIES_NUMBER, blocks);
    l.p.made = l.count[FOUND_NODES];
    l.run(COMMUNITIES_COUNT, blocks);
    l.p.longs = l.count[FOUND_LONG];
    l.run(COMMUNITIES_WRITE, blocks);
    check_rows(l, community);
}

/* Makes random edges, and hubs with rows of all lengths. */
static std::vector<uint2> make_edges(u32 vertices, u32 count, u32 hubs)
{
    u32 random = 1;
    auto below = [&](u32 bound) { return (random = random * 1664525 + 1013904223), (random >> 8) % bound; };
    std::vector<uint2> arcs;
    auto add = [&](u32 a, u32 b) {
        arcs.push_back({a, b});
        if (a != b) arcs.push_back({b, a});
    };
    for (u32 i = 0; i < count; i++) add(below(vertices), below(vertices));
    for (u32 hub = 0; hub < hubs; hub++)
        for (u32 i = 0; i < 20 * (hub + 1); i++) add(hub * 7, below(vertices));
    return arcs;
}

int main()
{
    check(120, make_edges(120, 150, 6), 2);
#ifndef SOME
    check(150, make_edges(150, 1200, 2), 1);
#endif
    return 0;
}
