/* SPDX-License-Identifier: MIT */
/* Compares the kernel of betweenness centrality (kernels/graph/betweenness.cl), emulated by warps, with Brandes'
 * algorithm in its published form. test_warps.py assembles the sources. */
#include "warps.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "rows.h"

#define BC_HEAVY 200u
#define BC_PIECE 150u
/* clang-format off */
#include "engine_words.h"
#include "grid.cl"
#include "betweenness_words.h"
#include "betweenness_state.cl"
#include "betweenness_rows.cl"
#include "betweenness.cl"
/* clang-format on */

/* Adds the dependencies of a source. Returns the number of levels. */
static u32 add_serially(const rows &out, u32 source, std::vector<double> &sum, std::vector<double> &arc_sum)
{
    const size_t vertices = sum.size();
    std::vector<u32> depth(vertices, NONE), queue = {source};
    std::vector<double> sigma(vertices), delta(vertices);
    depth[source] = 0;
    sigma[source] = 1;
    for (size_t head = 0; head < queue.size(); head++)
        for (u32 v = queue[head], arc = out.offset[v]; arc < out.offset[v + 1]; arc++) {
            u32 w = out.target[arc];
            if (depth[w] == NONE) depth[w] = depth[v] + 1, queue.push_back(w);
            if (depth[w] == depth[v] + 1) sigma[w] += sigma[v];
        }
    for (size_t i = queue.size(); i-- > 0;) {
        u32 v = queue[i];
        for (u64 arc = out.offset[v]; arc < out.offset[v + 1]; arc++)
            if (depth[out.target[arc]] == depth[v] + 1) {
                const double term = sigma[v] / sigma[out.target[arc]] * (1 + delta[out.target[arc]]);
                delta[v] += term;
                arc_sum[arc] += term;
            }
        if (i > 0) sum[v] += delta[v];
    }
    return depth[queue.back()] + 1;
}

static void emulate(u32 blocks, u32 threads, const std::function<void()> &kernel)
{
    emulated_blocks.clear();
    for (u32 b = 0; b < blocks; b++) emulated_blocks.emplace_back(new emulated_block(threads, blocks));
    emulate_blocks(blocks, threads, kernel);
}

static void check(u32 vertices, const std::vector<uint2> &arcs, u32 blocks, u32 teams, u32 narrow, u32 scaled)
{
    const u32 threads = 64, pieces = arcs.size() / 50 + 20;
    const rows out(vertices, arcs), in(vertices, reversed(arcs));
    const std::vector<u32> source = {0, vertices / 2, vertices - 1};
    std::vector<u32> report(2 * source.size()), depth(teams * vertices), queue = depth, scale = depth;
    std::vector<u32> first(teams * (vertices + 1)), row(2 * teams * pieces), piece = row, part_scale = row;
    std::vector<u32> count(teams * BC_COUNTS);
    std::vector<double> value(teams * vertices), others = value, partial(teams * pieces);
    std::vector<double> centrality(vertices), expected(vertices);
    std::vector<double> arc(arcs.size()), other_arcs(teams * arcs.size()), expected_arc = arc;
    std::vector<u64> arrived(teams * BC_ARRIVED);
    emulate(blocks, threads, [&] {
        graph_betweenness(out.offset.data(), out.target.data(), in.offset.data(), in.target.data(), centrality.data(),
                          source.data(), report.data(), depth.data(), queue.data(), first.data(), value.data(),
                          others.data(), arc.data(), other_arcs.data(), scale.data(), row.data(), piece.data(),
                          partial.data(), part_scale.data(), count.data(), arrived.data(), nullptr, vertices,
                          source.size(), teams, scaled, narrow, teams, pieces, pieces, arcs.size());
    });
    emulate(blocks, threads, [&] { graph_betweenness_add(centrality.data(), others.data(), vertices, teams); });
    emulate(blocks, threads, [&] { graph_betweenness_add(arc.data(), other_arcs.data(), arcs.size(), teams); });
    bool right = true;
    for (size_t i = 0; i < source.size(); i++)
        right &= report[2 * i] == add_serially(out, source[i], expected, expected_arc);
    for (u32 v = 0; v < vertices; v++) right &= std::fabs(centrality[v] - expected[v]) <= 1e-9 * (1 + expected[v]);
    for (size_t a = 0; a < arcs.size(); a++)
        right &= std::fabs(arc[a] - expected_arc[a]) <= 1e-9 * (1 + expected_arc[a]);
    if (right) return;
    std::printf("%u vertices, %zu arcs, %u blocks, %u teams: wrong\n", vertices, arcs.size(), blocks, teams);
    std::exit(1);
}

int main()
{
    check(300, make_arcs(300, 500, 10), 2, 1, 0, 0);
    check(300, make_arcs(300, 500, 10), 2, 2, 0, 1);
#ifndef SOME
    check(1, {}, 1, 1, 0, 0);
    for (u32 count : {200u, 800u, 3000u})
        for (u32 hubs : {0u, 12u})
            for (u32 teams = 1; teams <= 3; teams++)
                check(400, make_arcs(400, count, hubs), 3, teams, 40, count == 800);
#endif
    return 0;
}
