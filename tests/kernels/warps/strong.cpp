/* SPDX-License-Identifier: MIT */
/* Compares the kernel of strong components (kernels/graph/strong.cl), emulated by warps, with the definition.
 * test_warps.py assembles the sources. */
#include "warps.h"

#include <cstdio>
#include <cstdlib>

#include "rows.h"

#define STRONG_HEAVY 128u /* rows of more than 64 arcs are long */
#define STRONG_ALONE 16u
/* clang-format off */
#include "engine_words.h"
#include "grid.cl"
#include "strong_words.h"
#include "strong_search.cl"
#include "strong.cl"
/* clang-format on */

static std::vector<bool> reached_from(u32 source, const rows &g)
{
    std::vector<bool> reached(g.offset.size());
    std::vector<u32> stack = {source};
    reached[source] = true;
    while (!stack.empty()) {
        u32 v = stack.back();
        stack.pop_back();
        for (u64 arc = g.offset[v]; arc < g.offset[v + 1]; arc++)
            if (!reached[g.target[arc]]) reached[g.target[arc]] = true, stack.push_back(g.target[arc]);
    }
    return reached;
}

static void check(u32 vertices, const std::vector<uint2> &arcs, u32 blocks, u32 threads)
{
    const rows out(vertices, arcs), in(vertices, reversed(arcs));
    std::vector<u32> component(vertices), colour(vertices), region(vertices);
    std::vector<u32> list(STRONG_LISTS * vertices), heavy(arcs.size() / STRONG_HEAVY + 1), count(STRONG_COUNTS);
    std::vector<u32> expected(vertices, NONE), size(vertices);
    u64 best = ~0ull, arrived = 0;
    count[STRONG_OPEN] = vertices;
    for (u32 round = 0; count[STRONG_OPEN] > 0 && round < vertices; round++) {
        emulated_blocks.clear();
        for (u32 b = 0; b < blocks; b++) emulated_blocks.emplace_back(new emulated_block(threads, blocks));
        emulate_blocks(blocks, threads, [&] {
            graph_strong(out.offset.data(), out.target.data(), in.offset.data(), in.target.data(), component.data(),
                         colour.data(), region.data(), list.data(), heavy.data(), count.data(), &best, &arrived,
                         vertices, round);
        });
    }
    u32 components = 0, largest = 0;
    for (u32 v = 0; v < vertices; v++) {
        if (expected[v] == NONE) {
            const std::vector<bool> after = reached_from(v, out), before = reached_from(v, in);
            for (u32 u = v; u < vertices; u++)
                if (after[u] && before[u]) expected[u] = v;
        }
        components += expected[v] == v;
        largest = std::max(largest, ++size[expected[v]]);
    }
    if (component == expected && count[STRONG_ROOTS] == components &&
        std::max(count[STRONG_GIANT], count[STRONG_LARGEST]) == largest)
        return;
    std::printf("%u vertices, %zu arcs, %u blocks of %u: wrong\n", vertices, arcs.size(), blocks, threads);
    std::exit(1);
}

int main()
{
    std::vector<uint2> chain;
    for (u32 v = 0; v < 150; v++) {
        chain.push_back({v, v % 3 < 2 ? v + 1 : v - 2});
        if (v >= 3 && v % 3 == 0) chain.push_back({v, v - 3});
    }
    check(150, chain, 2, 64);
    check(300, make_arcs(300, 200, 10), 2, 64);
#ifndef SOME
    check(150, chain, 1, 32);
    check(1, {}, 2, 32);
    for (u32 count : {0u, 300u, 500u, 2000u})
        for (u32 hubs : {0u, 8u}) check(400, make_arcs(400, count, hubs), 3, 64);
#endif
    return 0;
}
