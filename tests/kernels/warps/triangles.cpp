/* SPDX-License-Identifier: MIT */
/* Compares the kernel of triangles (kernels/graph/triangles.cl), emulated by warps, with all pairs of neighbours.
 * test_warps.py assembles the sources. */
#include "warps.h"

#include <cstdio>
#include <cstdlib>

#include "rows.h"

#define GWS_GROUP_SIZE 128
#define TRIANGLES_HEAVY 40u
#define TRIANGLES_CHUNK 24u
#define TRIANGLES_BITS 256u
#define TRIANGLES_PACKED 270u
#define TRIANGLES_FILTER 64u
/* clang-format off */
#include "engine_words.h"
#include "grid.cl"
#include "sums.cl"
#include "triangles_words.h"
#include "triangles_state.cl"
#include "triangles_merge.cl"
#include "triangles_ranks.cl"
#include "triangles_rows.cl"
#include "triangles_arcs.cl"
#include "triangles.cl"
/* clang-format on */

struct oracle {
    std::vector<u64> count;
    u64 triangles = 0, wedges = 0;

    explicit oracle(const rows &g) : count(g.offset.size() - 1)
    {
        const u32 vertices = count.size();
        std::vector<std::vector<u32>> neighbour(vertices);
        std::vector<bool> adjacent(vertices * vertices);
        for (u32 v = 0; v < vertices; v++)
            for (u64 arc = g.offset[v]; arc < g.offset[v + 1]; arc++) {
                u32 to = g.target[arc];
                if (to == v || adjacent[v * vertices + to]) continue;
                adjacent[v * vertices + to] = true;
                neighbour[v].push_back(to);
            }
        for (u32 v = 0; v < vertices; v++)
            for (size_t i = 0; i < neighbour[v].size(); i++)
                for (size_t j = 0; j < i; j++, wedges++)
                    count[v] += adjacent[neighbour[v][i] * vertices + neighbour[v][j]];
        triangles = std::accumulate(count.begin(), count.end(), 0ull) / 3;
    }
};

static void check(u32 vertices, std::vector<uint2> arcs, u32 blocks, u32 threads, bool counts)
{
    const std::vector<uint2> back = reversed(arcs);
    arcs.insert(arcs.end(), back.begin(), back.end());
    std::sort(arcs.begin(), arcs.end(), [](uint2 a, uint2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    const rows g(vertices, arcs);
    const oracle wanted(g);
    std::vector<u32> rank(vertices), order(vertices), out(arcs.size() / 2 + 1), words(TRIANGLES_WORDS);
    std::vector<u32> cursors(2 * blocks);
    std::vector<u64> row(vertices), unit(arcs.size() / TRIANGLES_HEAVY + arcs.size() / TRIANGLES_CHUNK + 1);
    std::vector<u64> count(vertices), sums(TRIANGLES_SUMS), none(vertices);
    u64 arrived = 0;
    emulated_blocks.clear();
    for (u32 b = 0; b < blocks; b++) emulated_blocks.emplace_back(new emulated_block(threads, blocks));
    emulate_blocks(blocks, threads, [&] {
        graph_triangles(g.offset.data(), g.target.data(), rank.data(), order.data(), row.data(), out.data(),
                        unit.data(), words.data(), count.data(), sums.data(), cursors.data(), &arrived, nullptr,
                        vertices, counts);
    });
    if (sums[TRIANGLES_FOUND] == wanted.triangles && sums[TRIANGLES_WEDGES] == wanted.wedges &&
        count == (counts ? wanted.count : none))
        return;
    std::printf("%u vertices, %zu arcs, %u blocks of %u: %llu triangles, not %llu\n", vertices, arcs.size(), blocks,
                threads, sums[TRIANGLES_FOUND], wanted.triangles);
    std::exit(1);
}

/* Makes random arcs among the first `among` vertices, some of them twice, and some loops. */
static std::vector<uint2> make_arcs(u32 among, u32 count)
{
    u32 random = 1;
    auto below = [&](u32 bound) { return (random = random * 1664525 + 1013904223), (random >> 8) % bound; };
    std::vector<uint2> arcs;
    for (u32 i = 0; i < count; i++) {
        const uint2 arc = {below(among), below(among)};
        for (u32 copy = 0; copy <= i % 5 / 4; copy++) arcs.push_back(arc);
    }
    return arcs;
}

int main()
{
    check(300, make_arcs(150, 2200), 2, 64, true);
    check(400, make_arcs(280, 4000), 2, 64, false);
#ifndef SOME
    for (u32 counts = 0; counts <= 1; counts++) {
        check(1, {}, 1, 32, counts);
        check(200, make_arcs(100, 400), 2, 64, counts);   /* short rows */
        check(200, make_arcs(60, 1200), 1, 32, counts);   /* heavy and light rows */
        check(70, make_arcs(70, 1500), 2, 128, counts);   /* a dense graph */
        check(500, make_arcs(300, 4500), 3, 64, counts);  /* more vertices than bits */
    }
#endif
    return 0;
}
