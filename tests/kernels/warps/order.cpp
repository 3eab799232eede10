/* SPDX-License-Identifier: MIT */
/* Checks the kernel that orders rows by degree (kernels/graph/order.cl), emulated by warps. test_warps.py assembles the
 * sources. */
#include "warps.h"

#include <cstdio>
#include <cstdlib>

#include "rows.h"

#define GWS_GROUP_SIZE 64
#define ORDER_HEAVY 128u
/* clang-format off */
#include "engine_words.h"
#include "grid.cl"
#include "order_words.h"
#include "order.cl"
/* clang-format on */

static void check(u32 vertices, const std::vector<uint2> &arcs, u32 blocks)
{
    const rows out(vertices, arcs), in(vertices, reversed(arcs));
    std::vector<u32> number(vertices), vertex(vertices), degree(vertices), place(arcs.size() + 1), heavies(1);
    std::vector<u32> counts(blocks * ORDER_BUCKETS), heavy(arcs.size() / ORDER_HEAVY + 1);
    std::vector<u64> row(vertices + 1), sums(blocks);
    u64 arrived = 0;
    emulated_blocks.clear();
    for (u32 b = 0; b < blocks; b++) emulated_blocks.emplace_back(new emulated_block(GWS_GROUP_SIZE, blocks));
    emulate_blocks(blocks, GWS_GROUP_SIZE, [&] {
        graph_order(out.offset.data(), in.offset.data(), in.target.data(), number.data(), vertex.data(), degree.data(),
                    row.data(), place.data(), counts.data(), sums.data(), heavy.data(), heavies.data(), &arrived,
                    vertices);
    });
    bool right = row[0] == 0 && row[vertices] == arcs.size();
    for (u32 p = 0; p < vertices && right; p++) {
        u32 v = vertex[p];
        right = v < vertices && number[v] == p && degree[p] == out.offset[v + 1] - out.offset[v] &&
                (p == 0 || degree[p] <= degree[p - 1] + degree[p - 1] / 32) &&
                row[p + 1] - row[p] == in.offset[v + 1] - in.offset[v];
        for (u64 i = 0; right && i < row[p + 1] - row[p]; i++)
            right = place[row[p] + i] == number[in.target[in.offset[v] + i]];
    }
    if (right) return;
    std::printf("%u vertices, %zu arcs, %u blocks: wrong\n", vertices, arcs.size(), blocks);
    std::exit(1);
}

int main()
{
    u32 random = 1;
    auto below = [&](u32 bound) { return (random = random * 1664525 + 1013904223), (random >> 8) % bound; };
    std::vector<uint2> arcs;
    for (u32 i = 0; i < 3000; i++) arcs.push_back({below(700), below(700)});
    for (u32 hub = 0; hub < 12; hub++)
        for (u32 i = 0; i < 20 * (hub + 1); i++) {
            const uint2 arc = {below(700), hub * 50};
            arcs.push_back(arc);
            if (hub % 3 == 0) arcs.push_back({arc.y, arc.x});
        }
    check(720, arcs, 2);
    check(30, {}, 1);
    return 0;
}
