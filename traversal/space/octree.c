/* SPDX-License-Identifier: MIT */
/* Builds a tree in four steps, which are the box, the grid over the box, the builder, and the layout of the nodes. */
#include "../octree.h"

#include <math.h>
#include <string.h>

#include "octree_owner.h"
#include "octree_state.h"

static const uint64_t max_points = UINT64_C(1) << 48;
enum { default_leaf = 32 };

static const struct {
    const char *name, *about;
} builders[] = {
    {"auto", "the fastest builder, currently sort"},
    {"sort", "partitions the points by Morton key into buckets that fit a cache, then divides each bucket in place"},
    {"task", "each task divides one octant and spawns a task for every child that must be divided again"},
};

const char *gws_octree_builder_at(uint32_t i, const char **about)
{
    if (i >= sizeof builders / sizeof *builders) return NULL;
    if (about) *about = builders[i].about;
    return builders[i].name;
}

gws_status gws__octree_check_options(const struct gws_octree_options *options, const struct gws_points *points,
                                     struct gws_diagnostic *where)
{
    if (options->max_depth > GWS_OCTREE_DEPTH)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the depth %u exceeds %d", options->max_depth,
                                  GWS_OCTREE_DEPTH);
    if ((unsigned)options->builder > GWS_OCTREE_BY_TASK)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "unknown builder %d", (int)options->builder);
    struct gws__octree_grid grid;
    if (options->has_box && gws__octree_grid_make(&grid, options->low, options->high) != GWS_OK)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "invalid bounding box: its sides must be finite, low <= high");
    if (points->count > max_points)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "more than 2^48 points");
    return GWS_OK;
}

/* Returns the reason why x is not a coordinate in the box, or NULL. There is no box if no point is finite. */
static const char *flaw_of(const struct gws__octree_grid *grid, int axis, double x, bool finite_only)
{
    if (isnan(x)) return "which is not a number";
    if (!isfinite(x)) return "which is not finite";
    return finite_only || (x >= grid->low[axis] && x <= grid->high[axis]) ? NULL : "outside the box";
}

gws_status gws__octree_no_key(const struct gws__octree_state *state)
{
    const struct gws_points *points = state->points;
    const void *axis[3] = {points->x, points->y, points->z};
    for (uint64_t i = 0; i < points->count; i++) {
        for (int a = 0; a < 6; a++) { /* the first pass tests for finite numbers, the second pass for the box */
            double x = gws_points_at(points, axis[a % 3], i);
            const char *flaw = flaw_of(&state->grid, a % 3, x, a < 3);
            if (flaw)
                return gws_diagnostic_set(state->where, GWS_OUT_OF_RANGE, NULL, 0, 0, "point %llu: %c is %.17g, %s",
                                          (unsigned long long)i, "xyz"[a % 3], x, flaw);
        }
    }
    return GWS_OUT_OF_RANGE;
}

void gws__octree_state_set(struct gws__octree_state *state, struct gws_runtime *runtime,
                           const struct gws_points *points, const struct gws_octree_options *options,
                           struct gws_diagnostic *where)
{
    *state = (struct gws__octree_state){
        .runtime = runtime,
        .points = points,
        .leaf = options->leaf ? options->leaf : default_leaf,
        .depth = options->max_depth ? options->max_depth : GWS_OCTREE_DEPTH,
        .drop = options->drop,
        .wide = options->wide || points->count > UINT32_MAX,
        .where = where,
    };
}

gws_status gws__octree_index_new(struct gws__octree_state *state, uint64_t indexed)
{
    state->indexed = indexed;
    if (state->wide)
        state->index64 = gws_allocate(state->runtime, indexed, sizeof *state->index64);
    else
        state->index32 = gws_allocate(state->runtime, indexed, sizeof *state->index32);
    return state->index32 || state->index64 ? GWS_OK : GWS_NO_MEMORY;
}

void gws__octree_state_clear(struct gws__octree_state *state)
{
    gws_release(state->runtime, state->index32, state->indexed, sizeof *state->index32);
    gws_release(state->runtime, state->index64, state->indexed, sizeof *state->index64);
    gws__octree_arenas_free(state->runtime, state->arena);
    gws_release(state->runtime, state->reusable, state->reusable_bytes, 1);
}

void gws__octree_state_finish(struct gws__octree_state *state, struct gws_octree *tree)
{
    tree->index32 = tree->owner->index32 = state->index32;
    tree->index64 = tree->owner->index64 = state->index64;
    state->index32 = NULL;
    state->index64 = NULL;
    tree->points = state->indexed;
    tree->given = state->points->count;
    tree->dropped = tree->given - tree->points;
    tree->max_depth = state->depth;
    tree->leaf_size = state->leaf;
    tree->is_double = state->points->is_double;
    tree->owner->grid = state->grid;
    memcpy(tree->low, state->grid.low, sizeof tree->low);
    memcpy(tree->high, state->grid.high, sizeof tree->high);
}

static gws_status build_tree(struct gws__octree_state *state, const struct gws_octree_options *options,
                             struct gws_octree *tree)
{
    bool by_task = options->builder == GWS_OCTREE_BY_TASK;
    double begin = gws_clock_ms();
    gws_status status = options->has_box ? gws__octree_grid_make(&state->grid, options->low, options->high)
                                         : gws__octree_find_box(state);
    double bounded = gws_clock_ms();
    gws_report_progress(state->runtime, "dividing octants", 1, 3);
    if (status == GWS_OK) status = by_task ? gws__octree_by_task(state) : gws__octree_sort(state);
    double sorted = gws_clock_ms();
    gws_report_progress(state->runtime, "numbering nodes", 2, 3);
    if (status == GWS_OK) status = gws__octree_flatten(state, tree);
    if (status != GWS_OK) return status;
    double end = gws_clock_ms();
    tree->stats = (struct gws_octree_stats){.builder = by_task ? GWS_OCTREE_BY_TASK : GWS_OCTREE_SORT,
                                            .bounds_ms = bounded - begin,
                                            .sort_ms = sorted - bounded,
                                            .flatten_ms = end - sorted,
                                            .ms = end - begin,
                                            .tasks = state->tasks,
                                            .finalised = tree->stats.finalised};
    gws__octree_state_finish(state, tree);
    return GWS_OK;
}

static gws_status octree_build(struct gws_runtime *runtime, const struct gws_points *points,
                               const struct gws_octree_options *options, struct gws_octree **tree,
                               struct gws_diagnostic *where)
{
    const struct gws_octree_options none = {0};
    if (!options) options = &none;
    gws_status status = gws__octree_check_options(options, points, where);
    if (status != GWS_OK) return status;
    struct gws__octree_state state;
    gws__octree_state_set(&state, runtime, points, options, where);
    struct gws_octree *made = gws__octree_new(runtime);
    status = made ? build_tree(&state, options, made) : GWS_NO_MEMORY;
    gws__octree_state_clear(&state);
    if (status == GWS_OK)
        *tree = made;
    else
        gws_octree_destroy(made);
    return status;
}

gws_status gws_octree_build(struct gws_runtime *runtime, const struct gws_points *points,
                            const struct gws_octree_options *options, struct gws_octree **tree,
                            struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, octree_build(runtime, points, options, tree, where));
}

void gws_octree_bounds(const struct gws_octree *tree, uint64_t node, double low[3], double high[3])
{
    const struct gws_octree_node *octant = &tree->node[node];
    double cells = (double)(UINT64_C(1) << octant->level);
    for (int a = 0; a < 3; a++) {
        double cell = gws__octree_gather(octant->key >> (2 - a));
        /* The code adds two halves, because the full side may overflow. */
        double half = tree->high[a] / 2 - tree->low[a] / 2;
        low[a] = fmin(tree->low[a] + cell / cells * half + cell / cells * half, tree->high[a]);
        high[a] = fmin(tree->low[a] + (cell + 1) / cells * half + (cell + 1) / cells * half, tree->high[a]);
    }
}
