/* SPDX-License-Identifier: MIT */
/* Algorithms on graphs, and their results (traversal/). */
#ifndef GWS_CPP_ALGORITHMS_HPP
#define GWS_CPP_ALGORITHMS_HPP

#include "graph.hpp"

namespace gws
{

/* Owns a result struct of the C library. A call that takes the result again reuses its memory. */
template <class Struct, auto Clear> class result
{
  public:
    result() noexcept = default;
    result(result &&other) noexcept : struct_(std::exchange(other.struct_, {})) {}
    result &operator=(result &&other) noexcept
    {
        if (this != &other) {
            Clear(&struct_);
            struct_ = std::exchange(other.struct_, {});
        }
        return *this;
    }
    ~result() { Clear(&struct_); }
    Struct *get() noexcept { return &struct_; }
    const Struct *get() const noexcept { return &struct_; }
    const Struct *operator->() const noexcept { return &struct_; }

  protected:
    template <class T> std::span<const T> all(const T *array) const noexcept
    {
        return graph::view(array, struct_.vertices);
    }
    Struct struct_{};
};

struct bfs_result : result<gws_bfs_result, gws_bfs_result_clear> {
    std::span<const std::uint32_t> depth() const noexcept { return all<std::uint32_t>(struct_.depth); }
    std::span<const std::uint32_t> parent() const noexcept { return all<std::uint32_t>(struct_.parent); }
};

/* gws_bfs(). The second form fills a result again. */
inline void bfs(const runtime &on, const graph &of, std::uint32_t source, bfs_result &into,
                const gws_bfs_options &options = {})
{
    check(gws_bfs(on.get(), of.get(), source, &options, into.get()));
}
inline bfs_result bfs(const runtime &on, const graph &of, std::uint32_t source, const gws_bfs_options &options = {})
{
    bfs_result found;
    bfs(on, of, source, found, options);
    return found;
}

/* distance() is empty if the graph has real weights, otherwise real_distance() is. */
struct sssp_result : result<gws_sssp_result, gws_sssp_result_clear> {
    std::span<const std::uint64_t> distance() const noexcept { return all<std::uint64_t>(struct_.distance); }
    std::span<const double> real_distance() const noexcept { return all<double>(struct_.real_distance); }
    std::span<const std::uint32_t> parent() const noexcept { return all<std::uint32_t>(struct_.parent); }
};

/* gws_sssp(). */
inline sssp_result sssp(const runtime &on, const graph &of, std::uint32_t source, const gws_sssp_options &options = {})
{
    sssp_result found;
    gws_diagnostic where{};
    check(gws_sssp(on.get(), of.get(), source, &options, found.get(), &where), where);
    return found;
}

/* vertex() is empty if no path exists. */
struct path_result : result<gws_path_result, gws_path_result_clear> {
    std::span<const std::uint32_t> vertex() const noexcept
    {
        return graph::view<std::uint32_t>(struct_.vertex, struct_.length);
    }
};

/* gws_path(). */
inline path_result path(const runtime &on, const graph &of, std::uint32_t source, std::uint32_t target,
                        const gws_path_options &options = {})
{
    path_result found;
    gws_diagnostic where{};
    check(gws_path(on.get(), of.get(), source, target, &options, found.get(), &where), where);
    return found;
}

struct components_result : result<gws_components_result, gws_components_result_clear> {
    std::span<const std::uint32_t> component() const noexcept { return all<std::uint32_t>(struct_.component); }
};

/* gws_components(): weak components by default. */
inline components_result components(const runtime &on, const graph &of, const gws_components_options &options = {})
{
    components_result found;
    check(gws_components(on.get(), of.get(), &options, found.get()));
    return found;
}

struct pagerank_result : result<gws_pagerank_result, gws_pagerank_result_clear> {
    std::span<const double> rank() const noexcept { return all<double>(struct_.rank); }
};

/* gws_pagerank(). */
inline pagerank_result pagerank(const runtime &on, const graph &of, const gws_pagerank_options &options = {})
{
    pagerank_result found;
    check(gws_pagerank(on.get(), of.get(), &options, found.get()));
    return found;
}

struct betweenness_result : result<gws_betweenness_result, gws_betweenness_result_clear> {
    std::span<const double> centrality() const noexcept { return all<double>(struct_.centrality); }
};

/* gws_betweenness(): exact and not normalised by default. */
inline betweenness_result betweenness(const runtime &on, const graph &of, const gws_betweenness_options &options = {})
{
    betweenness_result found;
    check(gws_betweenness(on.get(), of.get(), &options, found.get()));
    return found;
}

/* Entries belong to the selected vertices, by default all. */
struct closeness_result : result<gws_closeness_result, gws_closeness_result_clear> {
    std::span<const double> closeness() const noexcept
    {
        return graph::view<double>(struct_.closeness, struct_.sources);
    }
    std::span<const double> harmonic() const noexcept { return graph::view<double>(struct_.harmonic, struct_.sources); }
};

/* gws_closeness(). */
inline closeness_result closeness(const runtime &on, const graph &of, const gws_closeness_options &options = {})
{
    closeness_result found;
    check(gws_closeness(on.get(), of.get(), &options, found.get()));
    return found;
}

struct cores_result : result<gws_cores_result, gws_cores_result_clear> {
    std::span<const std::uint32_t> core() const noexcept { return all<std::uint32_t>(struct_.core); }
};

/* gws_cores(). */
inline cores_result cores(const runtime &on, const graph &of)
{
    cores_result found;
    check(gws_cores(on.get(), of.get(), found.get()));
    return found;
}

struct triangles_result : result<gws_triangles_result, gws_triangles_result_clear> {
    std::span<const std::uint64_t> count() const noexcept { return all<std::uint64_t>(struct_.count); }
    std::span<const double> clustering() const noexcept { return all<double>(struct_.clustering); }
};

/* gws_triangles(): only the totals by default. */
inline triangles_result triangles(const runtime &on, const graph &of, const gws_triangles_options &options = {})
{
    triangles_result found;
    check(gws_triangles(on.get(), of.get(), &options, found.get()));
    return found;
}

struct communities_result : result<gws_communities_result, gws_communities_result_clear> {
    std::span<const std::uint32_t> community() const noexcept { return all<std::uint32_t>(struct_.community); }
};

/* gws_communities(). */
inline communities_result communities(const runtime &on, const graph &of, const gws_communities_options &options = {})
{
    communities_result found;
    check(gws_communities(on.get(), of.get(), &options, found.get()));
    return found;
}

} // namespace gws

#endif
