/* SPDX-License-Identifier: MIT */
/* Compares the kernel of weak components (kernels/graph/components.cl), emulated by warps, with passes over all arcs.
 * test_warps.py assembles the sources. */
#include "warps.h"

#include <cstdio>
#include <cstdlib>

#include "rows.h"

#define COMPONENTS_HEAVY 128u /* rows of more than 32 arcs are long */
#define COMPONENTS_CHUNK 256u
/* clang-format off */
#include "engine_words.h"
#include "grid.cl"
#include "components_words.h"
#include "components_links.cl"
#include "components_hub.cl"
#include "components_chunks.cl"
#include "components.cl"
/* clang-format on */

static std::vector<u32> label(u32 vertices, const std::vector<uint2> &arcs)
{
    std::vector<u32> component(vertices);
    std::iota(component.begin(), component.end(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint2 arc : arcs) {
            u32 &a = component[arc.x], &b = component[arc.y];
            changed = changed || a != b;
            a = b = std::min(a, b);
        }
    }
    return component;
}

static void check(const char *name, u32 vertices, const std::vector<uint2> &arcs, u32 undirected)
{
    const rows out(vertices, arcs);
    const std::vector<u32> expected = label(vertices, arcs);
    std::vector<u32> component(vertices), list(vertices), visited((vertices + 31) / 32);
    std::vector<u32> count(COMPONENTS_COUNTS), size(vertices);
    u32 roots = 0;
    u64 arrived = 0;
    emulated_blocks.clear();
    for (u32 b = 0; b < 2; b++) emulated_blocks.emplace_back(new emulated_block(64, 2));
    emulate_blocks(2, 64, [&] {
        graph_components(out.offset.data(), out.target.data(), component.data(), list.data(), visited.data(),
                         count.data(), &arrived, vertices, undirected);
    });
    for (u32 v = 0; v < vertices; v++) {
        roots += expected[v] == v;
        size[expected[v]]++;
    }
    bool is_largest = COMPONENTS_IS_LARGEST(count[COMPONENTS_SAMPLED], roots, vertices);
    u32 largest = count[is_largest ? COMPONENTS_SAMPLED : COMPONENTS_LARGEST];
    if (component == expected && count[COMPONENTS_ROOTS] == roots &&
        largest == *std::max_element(size.begin(), size.end()) &&
        std::count(visited.begin(), visited.end(), 0) == (long)visited.size())
        return;
    std::printf("%s, %u vertices, %zu arcs: wrong\n", name, vertices, arcs.size());
    std::exit(1);
}

static u32 below(u32 bound)
{
    static u32 random = 1;
    return (random = random * 1664525 + 1013904223), (random >> 8) % bound;
}

static std::vector<uint2> symmetric(std::vector<uint2> arcs)
{
    const std::vector<uint2> back = reversed(arcs);
    arcs.insert(arcs.end(), back.begin(), back.end());
    return arcs;
}

static std::vector<uint2> make_random(u32 vertices, u32 count)
{
    std::vector<uint2> arcs;
    for (u32 i = 0; i < count; i++) arcs.push_back({below(vertices), below(vertices)});
    return arcs;
}

/* Most vertices below 800 are near the hub 700. The others are a path that begins and ends there, and a clique. */
static std::vector<uint2> make_hub()
{
    std::vector<uint2> arcs = make_random(800, 6000);
    for (u32 v = 20; v < 500; v++) arcs.push_back({700, v});
    for (u32 v = 800; v < 850; v++) arcs.push_back({v, v + 1});
    arcs.push_back({825, 3});
    for (u32 v = 860; v < 960; v++)
        for (u32 w = 860; w < v; w++) arcs.push_back({v, w});
    return arcs;
}

static std::vector<uint2> make_cliques(u32 vertices)
{
    std::vector<uint2> arcs;
    for (u32 v = 0; v < vertices; v++)
        for (u32 w = v % 50; w < v; w += 50) arcs.push_back({v, w});
    return arcs;
}

/* A mesh with gaps, and a hub with a heavy row. */
static std::vector<uint2> make_mesh(u32 vertices)
{
    std::vector<uint2> arcs;
    for (u32 v = 50; v < vertices; v++) {
        if (v % 7 > 0) arcs.push_back({v, v - 1});
        if (v % 11 > 0) arcs.push_back({v, v - 40});
    }
    for (u32 v = 0; v < 200; v++) arcs.push_back({45, v * 4 + 100});
    return arcs;
}

int main()
{
    check("hub", 1000, symmetric(make_hub()), 1);
    check("mesh", 1500, symmetric(make_mesh(1500)), 1);
#ifndef SOME
    check("cliques", 1000, symmetric(make_cliques(1000)), 1);
    check("directed hub", 1000, make_hub(), 0);
    check("random", 1500, make_random(1500, 1200), 0);
    check("long rows", 100, symmetric(make_random(100, 4000)), 1);
    check("nothing", 40, {}, 1);
#endif
    return 0;
}
