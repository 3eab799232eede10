// SPDX-License-Identifier: MIT
// The library from C++20: an undirected graph of five weighted edges, and an octree of 100,000 points. What the library
// made is freed at the end of its scope, and a failed call throws a gws::error.
#include <array>
#include <cstdio>
#include <graphws/graphws.hpp>
#include <vector>

static void algorithms(const gws::runtime &workers)
{
    const std::vector<gws_edge> edges = {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 3}};
    const std::vector<std::int32_t> lengths = {5, 1, 1, 2, 2};
    const gws::graph graph = gws::graph::from_edges(workers, 6, edges, lengths);
    const auto searched = gws::bfs(workers, graph, 0);
    const auto shortest = gws::sssp(workers, graph, 0);
    for (std::uint32_t v = 0; v < graph.vertices(); v++)
        if (searched.depth()[v] != GWS_NO_VERTEX)
            std::printf("%u is %u edges and %u units away\n", v, searched.depth()[v], unsigned(shortest.distance()[v]));
    std::printf("%u components\n", unsigned(gws::components(workers, graph)->components));
}

static void octree(const gws::runtime &workers)
{
    const gws::points points = gws::points::load(workers, "uniform:100k");
    const gws::octree tree(workers, points);
    const std::array<double, 3> centre = {0.5, 0.5, 0.5};
    const gws::octree_hits hits = tree.nearest(workers, {&centre, 1}, 3);
    for (std::size_t i = 0; i < hits.point(0).size(); i++)
        std::printf("point %u is %.5f from the centre\n", unsigned(hits.point(0)[i]), hits.distance(0)[i]);
}

int main()
{
    try {
        const gws::runtime workers; // a thread for each CPU
        algorithms(workers);
        octree(workers);
        (void)gws::graph::load(workers, "missing.gr");
    } catch (const gws::error &error) {
        std::printf("%s\n", error.what());
    }
}
