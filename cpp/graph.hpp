/* SPDX-License-Identifier: MIT */
/* Graphs (lib/graph.h, io/graph_io.h). */
#ifndef GWS_CPP_GRAPH_HPP
#define GWS_CPP_GRAPH_HPP

#include <optional>
#include <span>

#include "runtime.hpp"

namespace gws
{

class graph
{
  public:
    explicit graph(gws_graph *owned) noexcept : graph_(owned) {}

    /* gws_graph_load(): reads a file or makes a generated graph such as "kron:20". */
    static graph load(const runtime &on, const std::string &name, const gws_read_options &options = {})
    {
        gws_graph *made = nullptr;
        gws_diagnostic where{};
        check(gws_graph_load(on.get(), name.c_str(), &options, &made, &where), where);
        return graph(made);
    }

    static constexpr gws_build_options undirected = {
        GWS_BUILD_SYMMETRISE, false, false, nullptr, nullptr, nullptr, nullptr};

    /* gws_graph_build() of these edges between vertices 0 .. vertices - 1, undirected by default. weight is empty or
     * has an entry for each edge. */
    static graph from_edges(const runtime &on, std::uint64_t vertices, std::span<const gws_edge> edges,
                            const gws_build_options &options = undirected)
    {
        return build(on, vertices, {edges.data(), nullptr, nullptr, edges.size()}, options);
    }
    static graph from_edges(const runtime &on, std::uint64_t vertices, std::span<const gws_edge> edges,
                            std::span<const std::int32_t> weight, const gws_build_options &options = undirected)
    {
        if (weight.size() != edges.size()) throw error(GWS_INVALID);
        return build(on, vertices, {edges.data(), weight.data(), nullptr, edges.size()}, options);
    }
    static graph from_edges(const runtime &on, std::uint64_t vertices, std::span<const gws_edge> edges,
                            std::span<const float> weight, const gws_build_options &options = undirected)
    {
        if (weight.size() != edges.size()) throw error(GWS_INVALID);
        return build(on, vertices, {edges.data(), nullptr, weight.data(), edges.size()}, options);
    }

    /* gws_graph_write(): the format is that of the name's suffix by default. */
    void write(const runtime &on, const std::string &path, gws_format format = GWS_FORMAT_AUTO) const
    {
        gws_diagnostic where{};
        check(gws_graph_write(on.get(), get(), path.c_str(), format, &where), where);
    }

    /* gws_graph_add_reverse(), which bottom-up steps on a directed graph need. */
    void add_reverse(const runtime &on) { check(gws_graph_add_reverse(on.get(), graph_.get())); }

    gws_graph *get() const noexcept { return graph_.get(); }
    const gws_graph *operator->() const noexcept { return get(); }
    std::uint64_t vertices() const noexcept { return graph_->vertices; }
    std::uint64_t arcs() const noexcept { return graph_->arcs; }
    bool directed() const noexcept { return graph_->directed; }
    std::span<const std::uint64_t> offset() const noexcept { return {graph_->offset, vertices() + 1}; }
    std::span<const std::uint32_t> target() const noexcept { return {graph_->target, arcs()}; }
    std::span<const std::int32_t> weight() const noexcept { return view(graph_->weight, arcs()); }
    std::span<const float> real_weight() const noexcept { return view(graph_->real_weight, arcs()); }

    /* The targets of a vertex's arcs, ascending; vertex < vertices(). */
    std::span<const std::uint32_t> neighbours(std::uint32_t vertex) const noexcept
    {
        return target().subspan(graph_->offset[vertex], gws_graph_degree(get(), vertex));
    }

    /* The input's id of a vertex, and the vertex of an id or a name; nothing if there is none. */
    std::uint64_t id(std::uint32_t vertex) const noexcept { return gws_graph_id(get(), vertex); }
    std::optional<std::uint32_t> find(std::uint64_t id) const noexcept
    {
        std::uint32_t vertex = 0;
        return gws_graph_find(get(), id, &vertex) == GWS_OK ? std::optional(vertex) : std::nullopt;
    }
    std::optional<std::uint32_t> find(std::string_view name) const noexcept
    {
        std::uint32_t vertex = 0;
        return gws_graph_find_name(get(), name.data(), name.size(), &vertex) == GWS_OK ? std::optional(vertex)
                                                                                       : std::nullopt;
    }

    template <class T> static std::span<const T> view(const T *array, std::uint64_t count) noexcept
    {
        return array ? std::span<const T>(array, count) : std::span<const T>();
    }

  private:
    static graph build(const runtime &on, std::uint64_t vertices, const gws_edge_block &block,
                       const gws_build_options &options)
    {
        const gws_edges edges = {vertices, 1, &block};
        gws_graph *made = nullptr;
        check(gws_graph_build(on.get(), &edges, &options, &made));
        return graph(made);
    }
    handle<gws_graph, gws_graph_destroy> graph_;
};

} // namespace gws

#endif
