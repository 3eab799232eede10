/* SPDX-License-Identifier: MIT */
/* Compares the kernel of bounds on eccentricities (kernels/graph/diameter.cl), emulated by warps, with the rules of its
 * header. test_warps.py assembles the sources. */
#include "warps.h"

#include <cstdio>
#include <cstdlib>

#include "rows.h"

/* clang-format off */
#include "engine_words.h"
#include "grid.cl"
#include "diameter_words.h"
#include "diameter.cl"
/* clang-format on */

/* Components are the residues modulo `kinds`. Depths are random, and some vertices are not reached. */
static void check(u32 vertices, u32 kinds, u32 blocks)
{
    const u32 threads = 64, last = 20;
    u32 random = vertices, largest = 15;
    auto below = [&](u32 bound) { return (random = random * 1664525 + 1013904223), (random >> 8) % bound; };
    std::vector<u64> offset(vertices + 1);
    std::vector<u32> component(vertices), depth(vertices), size(vertices, 5), lower = size, upper = size, found(3, ~0u);
    u64 best[2] = {~0ull, ~0ull}, arrived = 0;
    for (u32 v = 0; v < vertices; v++) {
        offset[v + 1] = offset[v] + below(4);
        component[v] = v % kinds;
        depth[v] = v % 9 == 0 ? NONE : below(last + 1);
    }
    auto launch = [&](u32 step) {
        emulated_blocks.clear();
        for (u32 b = 0; b < blocks; b++) emulated_blocks.emplace_back(new emulated_block(threads, blocks));
        emulate_blocks(blocks, threads, [&] {
            graph_diameter(offset.data(), component.data(), depth.data(), size.data(), lower.data(), upper.data(), best,
                           found.data(), &arrived, vertices, step, last, largest);
        });
    };
    launch(DIAMETER_SIZES);
    launch(DIAMETER_BEGIN);
    std::fill(found.begin(), found.end(), ~0u);
    best[0] = best[1] = ~0ull;
    launch(DIAMETER_BOUND);
    u32 high = NONE, low = NONE, farthest = NONE;
    auto degree = [&](u32 v) { return offset[v + 1] - offset[v]; };
    for (u32 v = vertices; v-- > 0;) {
        const u32 others = (vertices - 1 - v % kinds) / kinds;
        const u32 shortest = depth[v] == NONE ? 0 : std::max(depth[v], last - depth[v]);
        const u32 longest = depth[v] == NONE ? others : std::min(others, last + depth[v]);
        if (size[v] != others || lower[v] != shortest || upper[v] != longest) {
            std::printf("vertex %u of %u: wrong bounds\n", v, vertices);
            std::exit(1);
        }
        if (depth[v] == last) farthest = v;
        if (longest <= largest) continue;
        if (high == NONE || longest > upper[high] || (longest == upper[high] && degree(v) >= degree(high))) high = v;
        if (low == NONE || shortest < lower[low] || (shortest == lower[low] && degree(v) >= degree(low))) low = v;
    }
    if (found[DIAMETER_HIGH] == high && found[DIAMETER_LOW] == low && found[DIAMETER_FARTHEST] == farthest) return;
    std::printf("%u vertices, %u components, %u blocks: wrong candidates\n", vertices, kinds, blocks);
    std::exit(1);
}

int main()
{
    check(300, 1, 2);
#ifndef SOME
    check(1000, 3, 1);
    check(777, 40, 3);
    check(20, 20, 2);
#endif
    return 0;
}
