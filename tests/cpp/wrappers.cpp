// SPDX-License-Identifier: MIT
// Every wrapper of graphws.hpp on inputs whose answers are known. Prints the failed checks.
#include <graphws/graphws.hpp> // first: its headers need no others

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <type_traits>
#include <vector>

static int failures = 0;

static void expect(bool holds, const char *what, int line)
{
    if (holds) return;
    std::printf("line %d: %s\n", line, what);
    failures++;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

template <class Call> static gws_status thrown(Call call)
{
    try {
        call();
    } catch (const gws::error &failed) {
        return failed.status();
    }
    return GWS_OK;
}

// Ownership is unique, and moving does not throw.
template <class T>
constexpr bool moves_only =
    std::is_nothrow_move_constructible_v<T> &&std::is_nothrow_move_assignable_v<T> && !std::is_copy_constructible_v<T>;
static_assert(moves_only<gws::runtime> && moves_only<gws::graph> && moves_only<gws::bfs_result> &&
              moves_only<gws::points> && moves_only<gws::octree> && moves_only<gws::octree_hits>);

static const std::vector<gws_edge> square = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}; // with a diagonal; 4 is alone

static void test_graph(const gws::runtime &on)
{
    gws::graph graph = gws::graph::from_edges(on, 5, square);
    EXPECT(graph.vertices() == 5 && graph.arcs() == 10 && !graph.directed());
    EXPECT(std::ranges::equal(graph.neighbours(0), std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT(graph.neighbours(4).empty() && graph.weight().empty() && graph.real_weight().empty());
    EXPECT(graph.offset().size() == 6 && graph.offset()[5] == 10 && graph.target().size() == 10);
    EXPECT(graph.id(3) == 3 && graph.find(std::uint64_t{3}) == 3u && !graph.find(std::uint64_t{5}));
    EXPECT(!graph.find("alice"));
    gws_build_options options{};
    options.kind = GWS_BUILD_DIRECTED;
    const gws::graph directed = gws::graph::from_edges(on, 5, square, options);
    EXPECT(directed.directed() && directed.arcs() == 5);
    EXPECT(thrown([&] { (void)gws::bfs(on, directed, 0, {GWS_BFS_BOTTOM_UP, nullptr, false}); }) == GWS_NEEDS_REVERSE);
    gws::graph second = std::move(graph);
    EXPECT(graph.get() == nullptr && second.vertices() == 5);
    second = gws::graph::load(on, "grid:3x2");
    EXPECT(second.vertices() == 6 && second->position != nullptr);
}

static void test_weights(const gws::runtime &on)
{
    const std::vector<std::int32_t> whole = {1, 1, 1, 9, 9};
    const std::vector<float> real = {.5f, .5f, .5f, 9, 9};
    const gws::graph a = gws::graph::from_edges(on, 5, square, whole), b = gws::graph::from_edges(on, 5, square, real);
    const gws::sssp_result of_a = gws::sssp(on, a, 0), of_b = gws::sssp(on, b, 0);
    EXPECT(of_a.distance()[3] == 3 && of_a.distance()[4] == GWS_NO_DISTANCE && of_a.real_distance().empty());
    EXPECT(of_b.real_distance()[3] == 1.5 && std::isinf(of_b.real_distance()[4]) && of_b.distance().empty());
    EXPECT(of_a.parent()[3] == 2 && of_a.parent()[4] == GWS_NO_VERTEX);
    EXPECT(std::ranges::equal(gws::path(on, a, 0, 3).vertex(), std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT(gws::path(on, a, 0, 4).vertex().empty());
    EXPECT(thrown([&] { (void)gws::graph::from_edges(on, 5, square, std::span(whole).first(4)); }) == GWS_INVALID);
}

static void test_algorithms(const gws::runtime &on)
{
    const gws::graph graph = gws::graph::from_edges(on, 5, square);
    gws::bfs_result searched = gws::bfs(on, graph, 1);
    EXPECT(std::ranges::equal(searched.depth(), std::vector<std::uint32_t>{1, 0, 1, 2, GWS_NO_VERTEX}));
    EXPECT(searched.parent()[1] == 1 && searched->reached == 4 && searched->levels == 3);
    const std::uint32_t *array = searched.depth().data();
    gws::bfs(on, graph, 3, searched);
    EXPECT(searched.depth().data() == array && searched.depth()[1] == 2);
    gws::bfs_result other = std::move(searched);
    EXPECT(searched.depth().empty() && other.depth().data() == array);
    other = gws::bfs(on, graph, 4);
    EXPECT(other->reached == 1);
    const gws::components_result components = gws::components(on, graph);
    EXPECT(components->components == 2 && components.component()[3] == 0 && components.component()[4] == 4);
    const gws::pagerank_result ranks = gws::pagerank(on, graph);
    EXPECT(std::abs(std::accumulate(ranks.rank().begin(), ranks.rank().end(), 0.) - 1) < 1e-9);
    const gws::betweenness_result between = gws::betweenness(on, graph);
    EXPECT(between.centrality()[0] == .5);
    EXPECT(between.centrality()[1] == 0 && between.centrality()[0] == between.centrality()[2]);
    const gws::closeness_result near = gws::closeness(on, graph);
    EXPECT(near.closeness().size() == 5 && near.harmonic()[0] == 3 && near.harmonic()[1] == 2.5);
    const gws::cores_result cores = gws::cores(on, graph);
    EXPECT(std::ranges::equal(cores.core(), std::vector<std::uint32_t>{2, 2, 2, 2, 0}));
    gws_triangles_options parts{};
    parts.parts = GWS_TRIANGLES_COUNT | GWS_TRIANGLES_CLUSTERING;
    const gws::triangles_result triangles = gws::triangles(on, graph, parts);
    EXPECT(triangles->triangles == 2 && triangles.count()[0] == 2 && triangles.clustering()[1] == 1);
    EXPECT(gws::triangles(on, graph).count().empty());
    const gws::communities_result groups = gws::communities(on, graph);
    EXPECT(groups.community().size() == 5 && groups.community()[4] == 4);
}

static void test_octree(const gws::runtime &on)
{
    const std::vector<double> x = {0, 1, 2, 3}, y(4), z(4);
    gws::points points(x, y, z);
    EXPECT(points.size() == 4 && points[2] == (std::array<double, 3>{2, 0, 0}));
    const gws::octree tree(on, points);
    EXPECT(tree->points == 4 && tree.nodes().size() == 1 && tree.leaves().size() == 1);
    const std::vector<gws_octree_box> boxes = {{{.5, -1, -1}, {2.5, 1, 1}}, {{7, 7, 7}, {8, 8, 8}}};
    const gws::octree_hits in_boxes = tree.in_boxes(on, boxes);
    EXPECT(in_boxes.queries() == 2 && in_boxes.point(0).size() == 2 && in_boxes.point(1).empty());
    EXPECT(in_boxes.distance(0).empty());
    const std::vector<gws_octree_ball> balls = {{{0, 0, 0}, 1}};
    EXPECT(tree.in_balls(on, balls).point(0).size() == 2);
    const std::vector<std::array<double, 3>> position = {{2.9, 0, 0}};
    const gws::octree_hits near = tree.nearest(on, position, 2);
    EXPECT(std::ranges::equal(near.point(0), std::vector<std::uint64_t>{3, 2}) && near.distance(0)[0] < .11);
    const std::vector<gws_octree_ray> rays = {{{-5, 0, 0}, {1, 0, 0}, .1}};
    EXPECT(tree.first_on_rays(on, rays).point(0)[0] == 0);
    EXPECT(tree.in_balls(on, {}).queries() == 0);
    const std::vector<gws_octree_ball> negative = {{{0, 0, 0}, -1}};
    EXPECT(thrown([&] { (void)tree.in_balls(on, negative); }) == GWS_INVALID);
    EXPECT(thrown([&] { gws::points(x, y, std::span(z).first(3)); }) == GWS_INVALID);
    const std::vector<float> nowhere = {NAN};
    EXPECT(thrown([&] { gws::octree(on, gws::points(nowhere, nowhere, nowhere)); }) == GWS_OUT_OF_RANGE);
    gws::points loaded = gws::points::load(on, "uniform:1000");
    points = std::move(loaded);
    EXPECT(points.size() == 1000 && loaded.size() == 0);
}

static void test_errors(const gws::runtime &on)
{
    gws_options wrong{};
    wrong.policy = "fastest";
    EXPECT(thrown([&] { gws::runtime unknown(wrong); }) == GWS_INVALID);
    try {
        (void)gws::graph::load(on, "kron:99");
        EXPECT(!"kron:99 was made");
    } catch (const gws::error &failed) {
        EXPECT(failed.status() == GWS_TOO_LARGE && failed.line() == 1 && failed.column() == 6);
        EXPECT(std::string(failed.what()).starts_with("kron:99:1:6: "));
    }
    const gws::graph graph = gws::graph::from_edges(on, 5, square);
    EXPECT(thrown([&] { (void)gws::bfs(on, graph, 5); }) == GWS_OUT_OF_RANGE);
    EXPECT(thrown([&] { (void)gws::graph::from_edges(on, 2, square); }) == GWS_OUT_OF_RANGE);
    EXPECT(thrown([&] { graph.write(on, "/nowhere/graph.gr"); }) == GWS_SYSTEM);
    gws_options small{};
    small.max_memory = 1 << 20;
    const gws::runtime little(small);
    EXPECT(thrown([&] { (void)gws::graph::load(little, "kron:16"); }) == GWS_NO_MEMORY);
}

static void test_hooks()
{
    int calls = 0;
    bool stop = false;
    gws::hooks hooks;
    hooks.progress = [&](std::string_view, std::uint64_t, std::uint64_t) { calls++; };
    hooks.cancel = [&] { return stop; };
    gws::runtime first(gws_options{}, hooks);
    gws::runtime on = std::move(first); // the hooks move along
    EXPECT(on.workers() >= 1 && on.policy() == "chunked");
    const gws::graph graph = gws::graph::load(on, "road:30000");
    EXPECT(calls > 0);
    stop = true;
    EXPECT(thrown([&] { (void)gws::betweenness(on, graph); }) == GWS_CANCELLED);
    stop = false;
    EXPECT(gws::bfs(on, graph, 0)->reached == 30000);
    on = gws::runtime();
    stop = true;
    EXPECT(gws::bfs(on, graph, 0)->reached == 30000); // the new runtime has no hooks
}

int main()
{
    gws_options two{};
    two.threads = 2;
    const gws::runtime on(two);
    test_graph(on);
    test_weights(on);
    test_algorithms(on);
    test_octree(on);
    test_errors(on);
    test_hooks();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
