/* SPDX-License-Identifier: MIT */
/* Building by sorting on CUDA: kernels/cuda/octree_sort.cu. The host is asked twice: for the grid, once the extent is
 * known, and for room, once the nodes are counted. Buckets are planned from a sample of the points; should one of them
 * turn out too large, all is done again with every point in the sample, which cannot fail. */
#include <math.h>
#include <string.h>

#include "../../../kernels/kernels.h"
#include "octree_device_state.h"

/* As in kernels/cuda/octree_words.cuh. */
enum {
    rows = GWS_OCTREE_DEPTH + 2,
    most_bucket = 8192,
    bins = 512,
    item_bytes = 16,
    table_bytes = 24,
    bucket_bytes = 40,
    record_bytes = 16,
    divide_bytes = 110848, /* struct divide_memory */
    tile_bytes = 69776,    /* struct tile_memory */
    group_bytes = 512 * 16,
};

enum {
    planned_bucket = 4864, /* points that a bucket may have, judging by the sample */
    sample_stride = 128,   /* a run of sample_run in each is sampled */
    sample_run = 4,
    room_factor = 4,     /* places in buckets for each point */
    by_groups = 1 << 17, /* from so many points on they go to groups of buckets first */
    group = 512,
    most_points = 1 << 30,
};

enum buffer {
    axis_x,
    axis_y,
    axis_z,
    sample,
    where_sampled,
    count,
    entry,
    tables,
    buckets,
    cursor,
    groups,
    staged,
    slots,
    order,
    leaves,
    opened,
    nodes,
    leaf_list,
    now,
    arrived,
    buffers
};

struct asked {
    uint64_t slot_room;
    uint32_t points, leaf, depth, number_levels, few, stride, run, samples, table_room, bucket_room, staged_room, spare;
};

struct build {
    uint64_t slots, extent[6], strange, keyless;
    uint32_t tables, buckets, kept, failed, ticket, whole, max_leaf, large, total[rows], group_shift;
};

struct levels {
    uint64_t begin[GWS_OCTREE_DEPTH + 3];
};

_Static_assert(sizeof(struct gws_octree_node) == 48 && sizeof(struct gws__octree_grid) == 13 * sizeof(double) &&
                   sizeof(struct build) == 200 && sizeof(struct asked) == 56,
               "as the kernels have them");

struct own {
    struct gws_device_program *program;
    struct gws_device_buffer *buffer[buffers];
    uint64_t plan_groups; /* of octree_plan, that run at the same time */
};

/* A build under way. */
struct sorting {
    struct gws_octree_device *builder;
    struct own *own;
    struct gws__octree_state *state;
    struct gws_where *where;
    struct asked asked;
    struct build now;
    struct levels levels;
};

/* ---- memory and launches ---- */

/* Memory stays from one build to the next, and grows. */
static gws_status need(struct sorting *sorting, enum buffer which, uint64_t bytes)
{
    struct gws_device_buffer **buffer = &sorting->own->buffer[which];
    if (*buffer && gws_device_buffer_bytes(*buffer) >= bytes) return GWS_OK;
    gws_device_buffer_free(*buffer);
    *buffer = NULL;
    return gws_device_buffer_new(sorting->builder->device, bytes, buffer, sorting->where);
}

static gws_status clear(struct sorting *sorting, enum buffer which, uint64_t bytes)
{
    return gws_device_fill(sorting->own->buffer[which], 0, 0, bytes / 4, sorting->where);
}

/* Arguments in the kernel's order. */
struct call {
    struct gws_device_argument argument[16];
    uint32_t count;
};

static void pass(struct call *call, const struct sorting *sorting, enum buffer which)
{
    call->argument[call->count++] = (struct gws_device_argument){.buffer = sorting->own->buffer[which]};
}

static void pass_value(struct call *call, const void *value, uint64_t bytes)
{
    call->argument[call->count++] = (struct gws_device_argument){.value = value, .bytes = bytes};
}

static gws_status launch(struct sorting *sorting, const char *kernel, uint64_t groups, uint64_t size,
                         const struct call *call)
{
    struct gws_device_launch launch = {.program = sorting->own->program,
                                       .kernel = kernel,
                                       .groups = groups ? groups : 1,
                                       .group_size = size,
                                       .argument = call->argument,
                                       .arguments = call->count};
    launch.resident = strcmp(kernel, "octree_plan") == 0;
    return gws_device_run(sorting->builder->device, &launch, sorting->where);
}

/* octree_NAME_float or octree_NAME_double, which begin with the coordinates. */
static gws_status launch_over_points(struct sorting *sorting, const char *kernels[2], uint64_t groups_a_unit,
                                     uint64_t size, struct call *rest)
{
    struct call call = {.count = 0};
    for (int a = 0; a < 3; a++) pass(&call, sorting, (enum buffer)(axis_x + a));
    memcpy(call.argument + call.count, rest->argument, rest->count * sizeof *rest->argument);
    call.count += rest->count;
    uint64_t units = gws_device_describe(sorting->builder->device)->units;
    uint64_t most = sorting->state->points->count / size + 1, groups = groups_a_unit * units;
    return launch(sorting, kernels[sorting->state->points->is_double], groups < most ? groups : most, size, &call);
}

static gws_status read_build(struct sorting *sorting)
{
    return gws_device_read(sorting->own->buffer[now], 0, &sorting->now, sizeof sorting->now, sorting->where);
}

/* ---- the box ---- */

/* The way back from the order of unsigned integers. */
static double unordered(uint64_t bits)
{
    double x;
    bits = bits >> 63 ? bits & ~(UINT64_C(1) << 63) : ~bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static gws_status find_box(struct sorting *sorting)
{
    static const char *kernels[2] = {"octree_extent_float", "octree_extent_double"};
    struct gws__octree_state *state = sorting->state;
    uint32_t points = (uint32_t)state->points->count;
    struct call call = {.count = 0};
    pass_value(&call, &points, sizeof points);
    pass(&call, sorting, now);
    gws_status status = launch_over_points(sorting, kernels, 8, 256, &call);
    if (status == GWS_OK) status = read_build(sorting);
    if (status != GWS_OK) return status;
    double least[3] = {0}, most[3] = {0}, low[3], high[3];
    for (int a = 0; a < 3 && sorting->now.strange < points; a++) {
        least[a] = unordered(~sorting->now.extent[2 * a]);
        most[a] = unordered(sorting->now.extent[2 * a + 1]);
    }
    gws__octree_cube(least, most, low, high);
    status = gws__octree_grid_make(&state->grid, low, high);
    return status == GWS_OK && sorting->now.strange > 0 && !state->drop ? gws__octree_no_key(state) : status;
}

/* ---- the plan ---- */

/* Levels of three bits that tell so many numbers apart. */
static uint32_t levels_of(uint64_t numbers)
{
    uint32_t levels = 0;
    while (levels < 21 && UINT64_C(1) << 3 * levels < numbers) levels++;
    return levels;
}

/* few is at least K, so that an octant that is cut is divided in the tree, too. */
static void ask(struct sorting *sorting, bool all)
{
    const struct gws__octree_state *state = sorting->state;
    uint64_t points = state->points->count, leaf = state->leaf < points ? state->leaf : points;
    uint64_t most = leaf > planned_bucket ? leaf : planned_bucket;
    const uint32_t rate = sample_stride / sample_run;
    all = all || leaf > planned_bucket / rate;
    struct asked *asked = &sorting->asked;
    *asked = (struct asked){.points = (uint32_t)points,
                            .leaf = (uint32_t)leaf,
                            .depth = state->depth,
                            .number_levels = levels_of(points),
                            .stride = all ? 1 : sample_stride,
                            .run = all ? 1 : sample_run};
    asked->few = (uint32_t)(all ? most : planned_bucket / rate);
    asked->samples = (uint32_t)(points / asked->stride * asked->run);
    if (points <= most) asked->samples = 0;
    /* Each level has at most so many octants of more than few sampled points. */
    uint64_t cuts = asked->samples / (asked->few + UINT64_C(1)) + 1, deep = asked->depth + asked->number_levels;
    asked->table_room = (uint32_t)(8 + cuts * (all ? deep / 3 + 1 : 4));
    asked->bucket_room = (uint32_t)(8 + 8 * cuts * (all ? deep : 4));
    asked->slot_room = points < most_bucket ? most_bucket : all ? points : points * room_factor;
    if (asked->slot_room > UINT32_MAX) asked->slot_room = UINT32_MAX;
    /* What 512 groups may have beyond their parts of the points, judging by the sample: most where all are alike. */
    double beyond = (1 << 18) + 768 * sqrt((double)points);
    if (!all && points >= by_groups) asked->staged_room = (uint32_t)(points + (uint64_t)beyond);
}

static gws_status make_room(struct sorting *sorting)
{
    const struct asked *asked = &sorting->asked;
    uint64_t points = asked->points;
    const struct {
        enum buffer which;
        uint64_t bytes;
    } needs[] = {{sample, (uint64_t)asked->samples * item_bytes},
                 {where_sampled, (uint64_t)asked->samples * 4},
                 {count, (uint64_t)asked->table_room * bins * 4},
                 {entry, (uint64_t)asked->table_room * bins * 4},
                 {tables, (uint64_t)asked->table_room * table_bytes},
                 {buckets, (uint64_t)asked->bucket_room * bucket_bytes},
                 {cursor, (uint64_t)asked->bucket_room * 4},
                 {groups, group_bytes},
                 {staged, (uint64_t)asked->staged_room * item_bytes},
                 {slots, asked->slot_room * item_bytes},
                 {order, points * 4},
                 {leaves, points * record_bytes},
                 {opened, (uint64_t)asked->bucket_room * rows * 4}};
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof needs / sizeof *needs && status == GWS_OK; i++)
        status = need(sorting, needs[i].which, needs[i].bytes);
    if (status == GWS_OK) status = clear(sorting, count, (uint64_t)asked->table_room * bins * 4);
    if (status == GWS_OK) status = clear(sorting, groups, group_bytes);
    return status == GWS_OK ? clear(sorting, now, sizeof sorting->now) : status;
}

static gws_status plan(struct sorting *sorting)
{
    static const char *kernels[2] = {"octree_sample_float", "octree_sample_double"};
    struct call draw = {.count = 0}, call = {.count = 0};
    pass_value(&draw, &sorting->state->grid, sizeof sorting->state->grid);
    pass_value(&draw, &sorting->asked, sizeof sorting->asked);
    pass(&draw, sorting, sample);
    gws_status status = GWS_OK;
    if (sorting->asked.samples) status = launch_over_points(sorting, kernels, 8, 256, &draw);
    pass_value(&call, &sorting->asked, sizeof sorting->asked);
    static const enum buffer passed[] = {sample,  where_sampled, count,  entry, tables,
                                         buckets, cursor,        groups, now,   arrived};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) pass(&call, sorting, passed[i]);
    return status == GWS_OK ? launch(sorting, "octree_plan", sorting->own->plan_groups, group, &call) : status;
}

/* ---- the points ---- */

/* To their buckets at once. */
static gws_status deal_out(struct sorting *sorting)
{
    static const char *kernels[2] = {"octree_deal_float", "octree_deal_double"};
    static const enum buffer passed[] = {entry, cursor, slots, now};
    struct call call = {.count = 0};
    pass_value(&call, &sorting->state->grid, sizeof sorting->state->grid);
    pass_value(&call, &sorting->asked, sizeof sorting->asked);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) pass(&call, sorting, passed[i]);
    return launch_over_points(sorting, kernels, 4, group, &call);
}

/* By way of groups. */
static gws_status deal_by_groups(struct sorting *sorting)
{
    static const char *kernels[2] = {"octree_group_float", "octree_group_double"};
    static const enum buffer passed[] = {entry, groups, staged, now};
    static const enum buffer parted[] = {groups, staged, cursor, slots, now};
    struct call call = {.count = 0}, part = {.count = 0};
    uint64_t units = gws_device_describe(sorting->builder->device)->units;
    pass_value(&call, &sorting->state->grid, sizeof sorting->state->grid);
    pass_value(&call, &sorting->asked, sizeof sorting->asked);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) pass(&call, sorting, passed[i]);
    call.argument[call.count++] = (struct gws_device_argument){.bytes = tile_bytes};
    gws_status status = launch_over_points(sorting, kernels, 2, group, &call);
    pass_value(&part, &sorting->asked, sizeof sorting->asked);
    for (size_t i = 0; i < sizeof parted / sizeof *parted; i++) pass(&part, sorting, parted[i]);
    part.argument[part.count++] = (struct gws_device_argument){.bytes = tile_bytes};
    return status == GWS_OK ? launch(sorting, "octree_part", 2 * units, group, &part) : status;
}

static gws_status deal(struct sorting *sorting)
{
    struct call place = {.count = 0};
    gws_status status = sorting->asked.staged_room ? deal_by_groups(sorting) : deal_out(sorting);
    pass_value(&place, &sorting->asked, sizeof sorting->asked);
    pass(&place, sorting, buckets);
    pass(&place, sorting, cursor);
    pass(&place, sorting, now);
    return status == GWS_OK ? launch(sorting, "octree_place", 1, 1024, &place) : status;
}

static gws_status divide(struct sorting *sorting)
{
    struct call call = {.count = 0}, sums = {.count = 0};
    uint64_t units = gws_device_describe(sorting->builder->device)->units;
    pass_value(&call, &sorting->asked, sizeof sorting->asked);
    static const enum buffer passed[] = {buckets, cursor, slots, order, leaves, opened, now};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) pass(&call, sorting, passed[i]);
    call.argument[call.count++] = (struct gws_device_argument){.bytes = divide_bytes};
    gws_status status = launch(sorting, "octree_divide", 2 * units, group, &call);
    pass_value(&sums, &sorting->asked, sizeof sorting->asked);
    pass(&sums, sorting, opened);
    pass(&sums, sorting, now);
    return status == GWS_OK ? launch(sorting, "octree_count", rows, 1024, &sums) : status;
}

/* From the points to the counts of nodes. */
static gws_status try_to_sort(struct sorting *sorting, bool all)
{
    ask(sorting, all);
    gws_status status = make_room(sorting);
    if (status == GWS_OK) status = plan(sorting);
    if (status == GWS_OK) status = deal(sorting);
    if (status == GWS_OK) status = divide(sorting);
    return status == GWS_OK ? read_build(sorting) : status;
}

static gws_status sort(struct sorting *sorting)
{
    struct gws__octree_state *state = sorting->state;
    gws_status status = try_to_sort(sorting, false);
    if (status == GWS_OK && sorting->now.failed) status = try_to_sort(sorting, true);
    if (status != GWS_OK) return status;
    if (sorting->now.keyless > 0 && !state->drop) return gws__octree_no_key(state);
    if (!sorting->now.failed && sorting->now.kept + sorting->now.keyless == state->points->count) return GWS_OK;
    return gws_where_set(sorting->where, GWS_WRONG_RESULT, NULL, 0, 0, "%u points found a bucket, not %llu",
                         sorting->now.kept, (unsigned long long)(state->points->count - sorting->now.keyless));
}

/* ---- the nodes ---- */

static void count_nodes(struct sorting *sorting, struct gws_octree *tree)
{
    tree->nodes = 0;
    for (uint32_t l = 0; l < rows - 1; l++) {
        sorting->levels.begin[l] = tree->nodes;
        tree->nodes += sorting->now.total[l];
        if (sorting->now.total[l]) tree->depth = l;
    }
    tree->leaves = sorting->now.total[rows - 1];
    tree->empty = 8 * (tree->nodes - tree->leaves) - (tree->nodes - 1);
}

static gws_status flatten(struct sorting *sorting, struct gws_octree *tree)
{
    count_nodes(sorting, tree);
    gws_status status = need(sorting, nodes, tree->nodes * sizeof *tree->node);
    if (status == GWS_OK) status = need(sorting, leaf_list, tree->leaves * sizeof *tree->leaf);
    struct call call = {.count = 0};
    pass_value(&call, &sorting->asked, sizeof sorting->asked);
    pass_value(&call, &sorting->levels, sizeof sorting->levels);
    static const enum buffer passed[] = {buckets, cursor, opened, leaves, nodes, leaf_list, now};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) pass(&call, sorting, passed[i]);
    uint64_t units = gws_device_describe(sorting->builder->device)->units, above = sorting->now.buckets / 256 + 1;
    if (status == GWS_OK) status = launch(sorting, "octree_nodes", 8 * units, 256, &call);
    if (status == GWS_OK) status = launch(sorting, "octree_open", above, 256, &call);
    if (status == GWS_OK) status = launch(sorting, "octree_close", above, 256, &call);
    if (status == GWS_OK) status = read_build(sorting);
    tree->max_leaf = sorting->now.max_leaf;
    tree->large = sorting->now.large;
    return status;
}

/* ---- there and back ---- */

static gws_status upload(struct sorting *sorting)
{
    const struct gws_points *points = sorting->state->points;
    const void *axis[3] = {points->x, points->y, points->z};
    uint64_t bytes = points->count * (points->is_double ? sizeof(double) : sizeof(float));
    gws_status status = GWS_OK;
    for (int a = 0; a < 3 && status == GWS_OK; a++) {
        status = need(sorting, (enum buffer)(axis_x + a), bytes);
        if (status == GWS_OK)
            status = gws_device_write(sorting->own->buffer[axis_x + a], 0, axis[a], bytes, sorting->where);
    }
    return status;
}

/* Numbers of 32 bits, in the back half of the array, become its numbers of 64 bits; from the front, where there is room
 * already. */
static void widen(uint64_t *index, uint64_t kept)
{
    const char *narrow = (const char *)index + 4 * kept;
    for (uint64_t i = 0; i < kept; i++) {
        uint32_t point;
        memcpy(&point, narrow + 4 * i, sizeof point);
        index[i] = point;
    }
}

static gws_status download(struct sorting *sorting, struct gws_octree *tree)
{
    struct gws__octree_state *state = sorting->state;
    struct own *own = sorting->own;
    gws_status status = gws__octree_index_new(state, sorting->now.kept);
    if (status == GWS_OK && !gws__octree_owner_room(state->runtime, tree)) status = GWS_NO_MEMORY;
    if (status != GWS_OK) return status;
    memcpy(tree->owner->level_begin, sorting->levels.begin, (tree->depth + UINT64_C(1)) * sizeof(uint64_t));
    tree->owner->level_begin[tree->depth + 1] = tree->nodes;
    uint64_t kept = state->kept;
    void *to = state->index32 ? (void *)state->index32 : (char *)state->index64 + 4 * kept;
    status = gws_device_read(own->buffer[order], 0, to, 4 * kept, sorting->where);
    if (status == GWS_OK && state->index64) widen(state->index64, kept);
    if (status == GWS_OK)
        status =
            gws_device_read(own->buffer[nodes], 0, tree->owner->node, tree->nodes * sizeof *tree->node, sorting->where);
    if (status == GWS_OK)
        status = gws_device_read(own->buffer[leaf_list], 0, tree->owner->leaf, tree->leaves * sizeof *tree->leaf,
                                 sorting->where);
    return status;
}

/* ---- the way ---- */

static bool suits(const struct gws_octree_device *builder, struct gws_where *where)
{
    if (!gws__octree_device_is(builder, "cuda")) return false;
    if (builder->options.tree.leaf <= most_bucket) return true;
    (void)gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "its leaves hold at most %d points", most_bucket);
    return false;
}

static void close_sort(struct gws_octree_device *builder)
{
    struct own *own = builder->own;
    if (!own) return;
    for (int i = 0; i < buffers; i++) gws_device_buffer_free(own->buffer[i]);
    if (own->program) gws_device_program_free(own->program);
    gws_release(builder->runtime, own, 1, sizeof *own);
}

/* How many blocks of the plan's kernel run at the same time; one a multiprocessor is enough. A block that divides takes
 * more memory than small devices have. */
static gws_status find_groups(struct gws_octree_device *builder, struct gws_where *where)
{
    struct own *own = builder->own;
    uint32_t units = gws_device_describe(builder->device)->units;
    const struct gws_device_argument local = {.bytes = divide_bytes};
    struct gws_device_launch launch = {.program = own->program, .kernel = "octree_plan", .group_size = group};
    uint64_t dividing = 0;
    gws_status status = gws_device_resident(builder->device, &launch, &own->plan_groups, where);
    if (own->plan_groups > units) own->plan_groups = units;
    launch.kernel = "octree_divide";
    launch.argument = &local;
    launch.arguments = 1;
    if (status == GWS_OK) status = gws_device_resident(builder->device, &launch, &dividing, where);
    if (status == GWS_OK && (own->plan_groups == 0 || dividing == 0))
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "sorting takes %d KB of memory a group; task does not",
                             divide_bytes >> 10);
    return status;
}

static gws_status open_sort(struct gws_octree_device *builder, struct gws_where *where)
{
    const struct gws__kernel_program *program = gws__kernel_program_find("octree_sort");
    if (!program) return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "no program octree_sort");
    struct gws_device_source source = {
        .name = program->name, .image = program->image, .image_bytes = program->image_bytes};
    struct own *own = builder->own = gws_allocate(builder->runtime, 1, sizeof *own);
    if (!own) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
    *own = (struct own){.plan_groups = 0};
    gws_status status = gws_device_program_build(builder->device, &source, &own->program, where);
    if (status == GWS_OK) status = find_groups(builder, where);
    if (status == GWS_OK)
        status = gws_device_buffer_new(builder->device, sizeof(struct build), &own->buffer[now], where);
    if (status == GWS_OK) status = gws_device_buffer_new(builder->device, 8, &own->buffer[arrived], where);
    return status == GWS_OK ? gws_device_fill(own->buffer[arrived], 0, 0, 2, where) : status;
}

/* A tree without points is an empty root; the CPU knows how. */
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

static uint64_t memory_of(const struct own *own)
{
    uint64_t bytes = 0;
    for (int i = 0; i < buffers; i++)
        if (own->buffer[i]) bytes += gws_device_buffer_bytes(own->buffer[i]);
    return bytes;
}

static gws_status run_sort(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                           struct gws_where *where)
{
    struct sorting sorting = {.builder = builder, .own = builder->own, .state = state, .where = where};
    bool has_box = builder->options.tree.has_box;
    if (state->points->count == 0) return build_empty(state, tree);
    if (state->points->count > most_points)
        return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0, "more than 2^30 points");
    double began = gws_clock_ms();
    gws_status status = upload(&sorting);
    double there = gws_clock_ms();
    if (status == GWS_OK && !has_box) status = clear(&sorting, now, sizeof sorting.now);
    if (status == GWS_OK && !has_box) status = find_box(&sorting);
    double bounded = gws_clock_ms();
    if (status == GWS_OK) status = sort(&sorting);
    if (status == GWS_OK && sorting.now.kept == 0) return build_empty(state, tree);
    double sorted = gws_clock_ms();
    if (status == GWS_OK) status = flatten(&sorting, tree);
    double made = gws_clock_ms();
    if (status == GWS_OK) status = download(&sorting, tree);
    if (status != GWS_OK) return status;
    tree->stats = (struct gws_octree_stats){.bounds_ms = bounded - there,
                                            .sort_ms = sorted - bounded,
                                            .flatten_ms = made - sorted,
                                            .ms = made - there,
                                            .tasks = sorting.now.buckets,
                                            .placed = sorting.now.kept};
    builder->stats = (struct gws_octree_device_stats){.upload_ms = there - began,
                                                      .ms = made - there,
                                                      .download_ms = gws_clock_ms() - made,
                                                      .memory = memory_of(builder->own)};
    return GWS_OK;
}

const struct gws__octree_way gws__octree_sort_cuda = {
    .form = "sort, tuned for CUDA",
    .builder = GWS_OCTREE_SORT,
    .suits = suits,
    .open = open_sort,
    .close = close_sort,
    .run = run_sort,
};
