/* SPDX-License-Identifier: MIT */
/* The strategy that builds octrees by sorting on CUDA (kernels/cuda/octree_sort.cu), and the steps of a build. The
 * host launches all kernels at once and synchronises at the end. If the nodes did not fit, the host then enlarges the
 * nodes' buffers. A sample of the points determines the buckets. If a bucket turns out too large, the host repeats the
 * build with every point in the sample, which cannot fail. */
#include <string.h>

#include "../../../kernels/kernels.h"
#include "../../../lib/poison.h"
#include "octree_sort_cuda.h"

enum { max_points = 1 << 30 };

/* ---- a build ---- */

static gws_status upload(struct gws__sorting *sorting)
{
    const struct gws_points *points = sorting->state->points;
    const void *axis[3] = {points->x, points->y, points->z};
    uint64_t bytes = points->count * (points->is_double ? sizeof(double) : sizeof(float));
    gws_status status = GWS_OK;
    for (int a = 0; a < 3 && status == GWS_OK; a++) {
        status = gws__sorting_reserve(sorting, (enum gws__sorting_buffer)(sorting_axis_x + a), bytes);
        if (status == GWS_OK)
            status = gws_device_write(sorting->own->buffer[sorting_axis_x + a], 0, axis[a], bytes, sorting->where);
    }
    return status;
}

/* Reads the state of the build. */
static gws_status read_build(struct gws__sorting *sorting)
{
    return gws_device_read(sorting->own->buffer[sorting_now], 0, &sorting->now, sizeof sorting->now, sorting->where);
}

static uint64_t capacity_of(const struct gws__sorting *sorting, enum gws__sorting_buffer which, uint64_t each)
{
    const struct gws_device_buffer *buffer = sorting->own->buffer[which];
    return buffer ? gws_device_buffer_bytes(buffer) / each : 0;
}

/* Writes the nodes, unless they have no buffer yet. */
static gws_status write_nodes(struct gws__sorting *sorting)
{
    struct octree_sort_params *params = &sorting->params;
    params->node_capacity = capacity_of(sorting, sorting_nodes, sizeof(struct gws_octree_node));
    params->leaf_capacity = capacity_of(sorting, sorting_leaf_list, sizeof(uint64_t));
    if (params->node_capacity == 0) return GWS_OK;
    gws_status status = gws__sorting_launch(sorting, sorting_write_nodes, params->bucket_capacity);
    return status == GWS_OK ? gws__sorting_launch(sorting, sorting_close, params->bucket_capacity / 256 + 1) : status;
}

/* Sorts the points and writes the nodes, or only counts the nodes while they have no buffer. */
static gws_status try_to_sort(struct gws__sorting *sorting, bool again)
{
    sorting->again = again;
    gws_status status = gws__sorting_prepare(sorting);
    const struct octree_sort_params *params = &sorting->params;
    if (status == GWS_OK) status = gws__sorting_launch(sorting, sorting_begin, sorting_first_tables);
    if (status == GWS_OK && !again && !params->has_box)
        status = gws__sorting_launch_over_points(sorting, sorting_extent);
    if (status == GWS_OK && params->samples) status = gws__sorting_launch_over_points(sorting, sorting_draw);
    if (status == GWS_OK) status = gws__sorting_launch(sorting, sorting_plan, sorting->own->plan_groups);
    /* The points go directly to the buckets, or first to groups of buckets. */
    if (status == GWS_OK)
        status = gws__sorting_launch_over_points(sorting, params->staged_capacity ? sorting_group : sorting_scatter);
    if (status == GWS_OK && params->staged_capacity)
        status = gws__sorting_launch(sorting, sorting_scatter_groups, UINT64_MAX);
    if (status == GWS_OK) status = gws__sorting_launch(sorting, sorting_assign, params->bucket_capacity / 1024 + 1);
    for (int k = sorting_one_pass_large; k <= sorting_divide_small && status == GWS_OK; k++)
        status = gws__sorting_launch(sorting, (enum gws__sorting_kernel)k, UINT64_MAX);
    if (status == GWS_OK) status = gws__sorting_launch(sorting, sorting_sums, OCTREE_ROWS);
    if (status == GWS_OK) status = write_nodes(sorting);
    return status == GWS_OK ? read_build(sorting) : status;
}

static gws_status sort(struct gws__sorting *sorting)
{
    struct gws__octree_state *state = sorting->state;
    const struct octree_sort_state *now = &sorting->now;
    gws_status status = try_to_sort(sorting, false);
    if (status == GWS_OK && !sorting->params.has_box) {
        memcpy(&state->grid, &now->box.grid,
               sizeof state->grid); /* bitwise equal to the result of gws__octree_find_box() */
        if (now->non_finite > 0 && !state->drop) return gws__octree_no_key(state);
    }
    if (status == GWS_OK && now->failed) status = try_to_sort(sorting, true);
    if (status != GWS_OK) return status;
    if (now->keyless > 0 && !state->drop) return gws__octree_no_key(state);
    if (!now->failed && now->indexed + now->keyless == state->points->count) return GWS_OK;
    return gws_diagnostic_set(sorting->where, GWS_WRONG_RESULT, NULL, 0, 0, "%u points reached a bucket, not %llu",
                              now->indexed, (unsigned long long)(state->points->count - now->keyless));
}

/* Sets the tree's counts, and writes the nodes if they did not fit before. */
static gws_status flatten(struct gws__sorting *sorting, struct gws_octree *tree)
{
    gws_status status = GWS_OK;
    tree->nodes = 0;
    for (uint32_t l = 0; l < OCTREE_ROWS - 1; l++) {
        tree->nodes += sorting->now.total[l];
        if (sorting->now.total[l]) tree->depth = l;
    }
    tree->leaves = sorting->now.total[OCTREE_ROWS - 1];
    tree->empty = 8 * (tree->nodes - tree->leaves) - (tree->nodes - 1);
    if (tree->nodes > sorting->params.node_capacity || tree->leaves > sorting->params.leaf_capacity) {
        status = gws__sorting_reserve(sorting, sorting_nodes, tree->nodes * sizeof *tree->node);
        if (status == GWS_OK)
            status = gws__sorting_reserve(sorting, sorting_leaf_list, tree->leaves * sizeof *tree->leaf);
        if (status == GWS_OK) status = write_nodes(sorting);
        if (status == GWS_OK) status = read_build(sorting);
    }
    tree->max_leaf = sorting->now.max_leaf;
    tree->large = sorting->now.large;
    return status;
}

/* Widens the 32-bit numbers in the back half of the array to 64 bits, in place, from the front. */
static void widen(uint64_t *index, uint64_t indexed)
{
    const char *narrow = (const char *)index + 4 * indexed;
    for (uint64_t i = 0; i < indexed; i++) {
        uint32_t point;
        memcpy(&point, narrow + 4 * i, sizeof point);
        index[i] = point;
    }
}

/* Copies the tree to the host. */
static gws_status download(struct gws__sorting *sorting, struct gws_octree *tree)
{
    struct gws__octree_state *state = sorting->state;
    struct gws__sorting_own *own = sorting->own;
    gws_status status = gws__octree_index_new(state, sorting->now.indexed);
    if (status == GWS_OK && !gws__octree_owner_allocate(state->runtime, tree)) status = GWS_NO_MEMORY;
    if (status != GWS_OK) return status;
    uint64_t *begin = tree->owner->level_begin;
    begin[0] = 0;
    for (uint32_t l = 0; l <= tree->depth; l++) begin[l + 1] = begin[l] + sorting->now.total[l];
    uint64_t indexed = state->indexed;
    void *to = state->index32 ? (void *)state->index32 : (char *)state->index64 + 4 * indexed;
    status = gws_device_read(own->buffer[sorting_order], 0, to, 4 * indexed, sorting->where);
    if (status == GWS_OK && state->index64) widen(state->index64, indexed);
    if (status == GWS_OK)
        status = gws_device_read(own->buffer[sorting_nodes], 0, tree->owner->node, tree->nodes * sizeof *tree->node,
                                 sorting->where);
    if (status == GWS_OK)
        status = gws_device_read(own->buffer[sorting_leaf_list], 0, tree->owner->leaf,
                                 tree->leaves * sizeof *tree->leaf, sorting->where);
    return status;
}

/* ---- the strategy ---- */

static bool supports(const struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    if (gws_device_describe(builder->device)->api != GWS_DEVICE_CUDA) return false;
    if (builder->options.tree.leaf <= OCTREE_MAX_BUCKET) return true;
    (void)gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "leaves of CUDA sorting hold at most %d points",
                             OCTREE_MAX_BUCKET);
    return false;
}

static void close_sort(struct gws_octree_device *builder)
{
    struct gws__sorting_own *own = builder->own;
    if (!own) return;
    for (int i = 0; i < sorting_buffers; i++) gws_device_buffer_free(own->buffer[i]);
    if (own->program) gws_device_program_free(own->program);
    gws_release(builder->runtime, own, 1, sizeof *own);
}

/* Chooses the number of blocks of the plan's kernel. There are several per multiprocessor, because blocks wait most of
 * the time. Rejects devices with too little shared memory for a block that divides. */
static gws_status find_groups(struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    struct gws__sorting_own *own = builder->own;
    uint32_t units = gws_device_describe(builder->device)->units;
    uint64_t dividing = 0;
    gws_status status = gws__sorting_resident(builder, sorting_plan, &own->plan_groups, where);
    if (own->plan_groups > 3 * units) own->plan_groups = 3 * units;
    if (status == GWS_OK) status = gws__sorting_resident(builder, sorting_divide_large, &dividing, where);
    if (status == GWS_UNSUPPORTED)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "sorting requires %d KB of shared memory per block; use the builder task",
                                  sorting_large_bytes >> 10);
    return status;
}

static gws_status open_sort(struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    struct gws__sorting_own *own = builder->own = gws_allocate(builder->runtime, 1, sizeof *own);
    if (!own) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *own = (struct gws__sorting_own){.plan_groups = 0};
    gws_status status = gws__kernel_program_build(builder->device, "octree_sort", NULL, &own->program, where);
    if (status == GWS_OK) status = find_groups(builder, where);
    if (status == GWS_OK)
        status =
            gws_device_buffer_new(builder->device, sizeof(struct octree_sort_state), &own->buffer[sorting_now], where);
    if (status == GWS_OK) status = gws_device_buffer_new(builder->device, 8, &own->buffer[sorting_arrived], where);
    return status == GWS_OK ? gws_device_fill(own->buffer[sorting_arrived], 0, 0, 2, where) : status;
}

/* Builds the tree without points, an empty root, on the CPU. */
static gws_status build_empty(struct gws__octree_state *state, struct gws_octree *tree)
{
    gws_status status = GWS_OK;
    if (state->points->count == 0) {
        double nothing[3] = {0};
        if (state->grid.factor == 0) status = gws__octree_grid_make(&state->grid, nothing, nothing);
    }
    if (status == GWS_OK) status = gws__octree_sort(state);
    return status == GWS_OK ? gws__octree_flatten(state, tree) : status;
}

static uint64_t memory_of(const struct gws__sorting_own *own)
{
    uint64_t bytes = 0;
    for (int i = 0; i < sorting_buffers; i++)
        if (own->buffer[i]) bytes += gws_device_buffer_bytes(own->buffer[i]);
    return bytes;
}

static gws_status run_sort(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                           struct gws_diagnostic *where)
{
    struct gws__sorting sorting = {.builder = builder, .own = builder->own, .state = state, .where = where};
    if (state->points->count == 0) return build_empty(state, tree);
    if (state->points->count > max_points)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "more than 2^30 points");
    double began = gws_clock_ms();
    gws_status status = upload(&sorting);
    double uploaded = gws_clock_ms();
    if (status == GWS_OK) status = sort(&sorting);
    if (status == GWS_OK && sorting.now.indexed == 0) return build_empty(state, tree);
    double sorted = gws_clock_ms();
    if (status == GWS_OK) status = flatten(&sorting, tree);
    double made = gws_clock_ms();
    if (status == GWS_OK) status = download(&sorting, tree);
    if (status != GWS_OK) return status;
    tree->stats = (struct gws_octree_stats){.sort_ms = sorted - uploaded, /* includes the box and most of the nodes */
                                            .flatten_ms = made - sorted,
                                            .ms = made - uploaded,
                                            .tasks = sorting.now.buckets,
                                            .finalised = sorting.now.indexed};
    builder->stats = (struct gws_octree_device_stats){.upload_ms = uploaded - began,
                                                      .ms = made - uploaded,
                                                      .download_ms = gws_clock_ms() - made,
                                                      .memory = memory_of(builder->own)};
    return GWS_OK;
}

/* Overwrites the results on the device. Counters that the host reads become 0. */
static gws_status poison_sort(struct gws_octree_device *builder, struct gws_diagnostic *where)
{
    static const struct {
        enum gws__sorting_buffer which;
        uint32_t word;
    } all[] = {
        {sorting_now, 0}, {sorting_order, GWS_POISON}, {sorting_nodes, GWS_POISON}, {sorting_leaf_list, GWS_POISON}};
    const struct gws__sorting_own *own = builder->own;
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && status == GWS_OK; i++)
        status = gws_buffer_poison(own->buffer[all[i].which], all[i].word, where);
    return status;
}

const struct gws__octree_strategy gws__octree_sort_cuda = {
    .builder = GWS_OCTREE_SORT,
    .supports = supports,
    .open = open_sort,
    .close = close_sort,
    .run = run_sort,
    .poison = poison_sort,
};
