/* SPDX-License-Identifier: MIT */
/* Points and octrees (lib/points.h, io/points_io.h, traversal/octree.h, traversal/octree_query.h). */
#ifndef GWS_CPP_OCTREE_HPP
#define GWS_CPP_OCTREE_HPP

#include <array>
#include <span>

#include "runtime.hpp"

namespace gws
{

/* A set that the library owns, or a view of the caller's arrays, which must outlive it. */
class points
{
  public:
    points() noexcept = default;
    points(std::span<const float> x, std::span<const float> y, std::span<const float> z) { use(x, y, z, false); }
    points(std::span<const double> x, std::span<const double> y, std::span<const double> z) { use(x, y, z, true); }
    points(points &&other) noexcept : points_(std::exchange(other.points_, {})) {}
    points &operator=(points &&other) noexcept
    {
        if (this != &other) {
            gws_points_clear(&points_);
            points_ = std::exchange(other.points_, {});
        }
        return *this;
    }
    ~points() { gws_points_clear(&points_); }

    /* gws_points_load(): reads a file or makes generated points such as "plummer:1M". */
    static points load(const runtime &on, const std::string &name, const gws_points_read_options &options = {})
    {
        points made;
        gws_diagnostic where{};
        check(gws_points_load(on.get(), name.c_str(), &options, &made.points_, &where), where);
        return made;
    }
    gws_points *get() noexcept { return &points_; }
    const gws_points *get() const noexcept { return &points_; }
    const gws_points *operator->() const noexcept { return &points_; }
    std::uint64_t size() const noexcept { return points_.count; }
    std::array<double, 3> operator[](std::uint64_t i) const noexcept
    {
        return {gws_points_at(&points_, points_.x, i), gws_points_at(&points_, points_.y, i),
                gws_points_at(&points_, points_.z, i)};
    }

  private:
    template <class T> void use(std::span<const T> x, std::span<const T> y, std::span<const T> z, bool is_double)
    {
        if (x.size() != y.size() || x.size() != z.size()) throw error(GWS_INVALID);
        points_.count = x.size();
        points_.is_double = is_double;
        points_.x = const_cast<T *>(x.data()); /* the octree only reads them */
        points_.y = const_cast<T *>(y.data());
        points_.z = const_cast<T *>(z.data());
    }
    gws_points points_{};
};

/* The answers to a batch of queries. */
class octree_hits
{
  public:
    octree_hits() noexcept = default;
    octree_hits(octree_hits &&other) noexcept : hits_(std::exchange(other.hits_, {})) {}
    octree_hits &operator=(octree_hits &&other) noexcept
    {
        std::swap(hits_, other.hits_);
        return *this;
    }
    ~octree_hits() { gws_octree_hits_clear(&hits_); }
    gws_octree_hits *get() noexcept { return &hits_; }
    std::uint64_t queries() const noexcept { return hits_.queries; }

    /* The points of one answer, and their distances, which are empty for boxes; query < queries(). */
    std::span<const std::uint64_t> point(std::uint64_t query) const noexcept { return answer(hits_.point, query); }
    std::span<const double> distance(std::uint64_t query) const noexcept { return answer(hits_.distance, query); }

  private:
    template <class T> std::span<const T> answer(const T *array, std::uint64_t query) const noexcept
    {
        if (!array) return {};
        return {array + hits_.offset[query], static_cast<std::size_t>(hits_.offset[query + 1] - hits_.offset[query])};
    }
    gws_octree_hits hits_{};
};

/* An octree with a copy of its points, ready for queries. */
class octree
{
  public:
    /* gws_octree_build() and gws_octree_copy_points(). The tree does not refer to the points afterwards. */
    octree(const runtime &on, const points &of, const gws_octree_options &options = {})
    {
        gws_octree *made = nullptr;
        gws_diagnostic where{};
        check(gws_octree_build(on.get(), of.get(), &options, &made, &where), where);
        tree_.reset(made);
        check(gws_octree_copy_points(on.get(), made, of.get()));
    }
    gws_octree *get() const noexcept { return tree_.get(); }
    const gws_octree *operator->() const noexcept { return get(); }
    std::span<const gws_octree_node> nodes() const noexcept { return {tree_->node, tree_->nodes}; }
    std::span<const std::uint64_t> leaves() const noexcept { return {tree_->leaf, tree_->leaves}; }

    octree_hits in_boxes(const runtime &on, std::span<const gws_octree_box> boxes) const
    {
        return query(gws_octree_in_boxes, on, boxes);
    }
    octree_hits in_balls(const runtime &on, std::span<const gws_octree_ball> balls) const
    {
        return query(gws_octree_in_balls, on, balls);
    }
    octree_hits first_on_rays(const runtime &on, std::span<const gws_octree_ray> rays) const
    {
        return query(gws_octree_first_on_rays, on, rays);
    }
    octree_hits nearest(const runtime &on, std::span<const std::array<double, 3>> positions, std::uint64_t k) const
    {
        octree_hits hits;
        gws_diagnostic where{};
        const double *first = positions.empty() ? nullptr : positions.front().data();
        check(gws_octree_nearest(on.get(), get(), first, positions.size(), k, hits.get(), &where), where);
        return hits;
    }

  private:
    template <class Call, class Query>
    octree_hits query(Call call, const runtime &on, std::span<const Query> queries) const
    {
        octree_hits hits;
        gws_diagnostic where{};
        check(call(on.get(), get(), queries.data(), queries.size(), hits.get(), &where), where);
        return hits;
    }
    handle<gws_octree, gws_octree_destroy> tree_;
};

} // namespace gws

#endif
