/* SPDX-License-Identifier: MIT */
/* Builds octrees by sorting. One pass over the points partitions them into buckets that fit a cache
 * (octree_partition.c). Then each bucket is one task. The task's worker gathers the bucket into scratch memory and
 * divides it there (octree_divide.c). A build must at least read the points, write and read a record of 8 bytes per
 * point, and write the index. This traffic is 32 bytes per point for floats. */
#include <string.h>

#include "octree_partition.h"

enum { max_bucket = 1 << 16, min_bucket = 1 << 11, buckets_per_worker = 16 };

struct bucket_sort {
    struct gws__octree_partition partition;
    gws__octree_handle *handle; /* one per bucket */
    uint64_t *scratch;          /* 2 * capacity records per worker */
    uint64_t capacity;
    uint64_t tasks; /* buckets with points */
};

/* Writes a leaf that is one bucket, of any size, directly from the partition. */
static void write_leaf_bucket(const struct gws__octree_partition *partition, uint64_t bucket)
{
    struct gws__octree_index index = gws__octree_index_at(partition->state, partition->start[bucket]);
    uint64_t mask = gws__octree_number_mask(partition->state->points->count), position = 0;
    for (uint64_t p = 0; p < partition->tiles; p++) {
        struct gws_range run = gws__octree_bucket_run(partition, p, bucket);
        for (uint64_t i = run.begin; i < run.end; i++)
            gws__octree_index_set(index, position++, partition->record[i] & mask);
    }
}

/* Writes a leaf that consists of several buckets. Replaces the leaf's records by the points' numbers and sorts the
 * numbers. */
static void write_merged_leaf(const struct gws__octree_state *state, uint64_t *record, uint64_t *other, uint64_t count,
                              uint64_t position)
{
    struct gws__octree_index index = gws__octree_index_at(state, position);
    uint64_t mask = gws__octree_number_mask(state->points->count);
    for (uint64_t i = 0; i < count; i++) record[i] &= mask;
    gws__octree_sort_keys(record, other, count);
    for (uint64_t i = 0; i < count; i++) gws__octree_index_set(index, i, record[i]);
}

static bool is_merged(const struct gws__octree_partition *partition, uint64_t bucket)
{
    return partition->end[bucket] > bucket + 1;
}

static bool is_leaf_bucket(const struct gws__octree_partition *partition, uint64_t bucket)
{
    return !is_merged(partition, bucket) &&
           gws__octree_is_leaf(partition->state, gws__octree_bucket_points(partition, bucket),
                               partition->plan.level[bucket]);
}

static gws__octree_handle build_bucket(const struct bucket_sort *sort, uint32_t worker, uint64_t bucket)
{
    const struct gws__octree_partition *partition = &sort->partition;
    struct gws__octree_state *state = partition->state;
    uint64_t count = gws__octree_bucket_points(partition, bucket), begin = partition->start[bucket];
    unsigned level = partition->plan.level[bucket];
    if (count == 0) return 0;
    if (is_leaf_bucket(partition, bucket)) {
        write_leaf_bucket(partition, bucket);
        return gws__octree_leaf(count);
    }
    uint64_t *from = sort->scratch + 2 * worker * sort->capacity, *to = from + sort->capacity;
    gws__octree_bucket_gather(partition, bucket, from);
    if (!is_merged(partition, bucket))
        return gws__octree_divide(state, &state->arena[worker], from, to, count, begin, level);
    write_merged_leaf(state, from, to, count, begin);
    return gws__octree_leaf(count);
}

static void build_buckets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct bucket_sort *sort = context;
    for (uint64_t bucket = begin; bucket < end; bucket++) sort->handle[bucket] = build_bucket(sort, worker, bucket);
}

/* ---- the tree above the buckets ---- */

/* Assembles the handle of the octant whose span entries in the plan's tables begin at `at`. The handles of its buckets
 * exist. A split octant that is a leaf after all has the handle of its first bucket. Workers lay out the nodes by
 * buckets, as they divided the points. */
static gws__octree_handle assemble(const struct bucket_sort *sort, uint32_t at, uint32_t span, unsigned level)
{
    const struct gws__octree_plan *plan = &sort->partition.plan;
    struct gws__octree_state *state = sort->partition.state;
    uint32_t end, first = gws__octree_plan_below(plan, at, span, &end);
    if (gws__octree_plan_is_bucket(plan, at, level) || sort->partition.end[first] == end) return sort->handle[first];
    if (span == 1) return assemble(sort, plan->table[at] & ~GWS__OCTREE_SPLIT, gws__octree_table_size, level);
    gws__octree_handle child[8];
    unsigned mask = 0, made = 0;
    for (unsigned c = 0; c < 8; c++) {
        gws__octree_handle subtree = assemble(sort, at + c * (span / 8), span / 8, level + 1);
        if (!subtree) continue;
        mask |= 1U << c;
        child[made++] = subtree;
    }
    struct gws__octree_inner *inner = gws__octree_inner_new(state->runtime, &state->arena[0], mask);
    if (!inner) return gws__octree_leaf(0);
    memcpy(inner->child, child, made * sizeof *child);
    return gws__octree_shared_branch(inner);
}

/* ---- all ---- */

/* Allocates scratch for two copies of the largest gathered bucket per worker. */
static gws_status allocate_arrays(struct bucket_sort *sort)
{
    const struct gws__octree_partition *partition = &sort->partition;
    struct gws_runtime *runtime = partition->state->runtime;
    for (uint64_t b = 0; b < partition->plan.buckets; b++) {
        uint64_t size = gws__octree_bucket_points(partition, b);
        sort->tasks += size > 0;
        if (size > sort->capacity && !is_leaf_bucket(partition, b)) sort->capacity = size;
    }
    sort->handle = gws_allocate(runtime, partition->plan.buckets, sizeof *sort->handle);
    sort->scratch = gws_allocate(runtime, 2 * sort->capacity * gws_runtime_workers(runtime), sizeof *sort->scratch);
    return sort->handle && sort->scratch ? GWS_OK : GWS_NO_MEMORY;
}

static gws_status divide_buckets(struct bucket_sort *sort)
{
    struct gws__octree_state *state = sort->partition.state;
    struct gws_loop loop = {.count = sort->partition.plan.buckets, .chunk = 1, .body = build_buckets, .context = sort};
    gws_status status = gws_parallel_try(state->runtime, &loop);
    if (status != GWS_OK) return status;
    state->root = assemble(sort, 0, gws__octree_table_size, 0);
    if (!state->root) state->root = gws__octree_leaf(0);
    state->tasks = sort->tasks;
    return gws__octree_arenas_failed(state->runtime, state->arena) ? GWS_NO_MEMORY : GWS_OK;
}

/* Returns the planned number of points per bucket, or K if K exceeds the maximum bucket size. */
static uint64_t bucket_points(const struct gws__octree_state *state)
{
    uint64_t wanted = state->points->count / (buckets_per_worker * (uint64_t)gws_runtime_workers(state->runtime));
    if (state->leaf > max_bucket) return state->leaf;
    if (wanted < min_bucket) return min_bucket;
    return wanted < max_bucket ? wanted : max_bucket;
}

static gws_status sort(struct bucket_sort *sort)
{
    struct gws__octree_state *state = sort->partition.state;
    struct gws__octree_partition *partition = &sort->partition;
    gws_status status = gws__octree_partition_make(partition, bucket_points(state));
    if (status != GWS_OK) return status;
    uint64_t indexed = partition->start[partition->plan.buckets];
    if (indexed < state->points->count && !state->drop) return gws__octree_no_key(state);
    status = gws__octree_index_new(state, indexed);
    if (status == GWS_OK) status = allocate_arrays(sort);
    return status == GWS_OK ? divide_buckets(sort) : status;
}

/* Passes the memory of the records on to the nodes. */
static void pass_records_on(struct gws__octree_partition *partition)
{
    struct gws__octree_state *state = partition->state;
    state->reusable = partition->record;
    state->reusable_bytes = state->points->count * sizeof *partition->record;
    partition->record = NULL;
}

gws_status gws__octree_sort(struct gws__octree_state *state)
{
    struct bucket_sort all = {.partition = {.state = state}};
    state->arena = gws__octree_arenas_new(state->runtime);
    gws_status status = state->arena ? sort(&all) : GWS_NO_MEMORY;
    gws_release(state->runtime, all.handle, all.partition.plan.buckets, sizeof *all.handle);
    gws_release(state->runtime, all.scratch, 2 * all.capacity * gws_runtime_workers(state->runtime),
                sizeof *all.scratch);
    if (status == GWS_OK) pass_records_on(&all.partition);
    gws__octree_partition_clear(&all.partition);
    return status;
}
