/* SPDX-License-Identifier: MIT */
/* Builds octrees by tasks, as in Cederman and Tsigas, section 35.4.2. A task divides the points of one octant and
 * spawns a task for each child to divide. Workers count the points in leaves. This counter terminates the kernel in
 * the paper. Here the runtime detects termination, and comparing the counter with the number of points reveals lost or
 * duplicated tasks.
 *
 * All workers divide the first two levels while they compute the keys, because they write the points in the order of
 * the first two digits. So the tasks begin with up to 64 octants, instead of one octant that a single worker would
 * divide. */
#include "octree_state.h"

#include <string.h>

enum { block = 4096 };

/* Counts of points with a key, by block and part, which become the points' destinations. */
struct point_gather {
    struct gws__octree_work *work;
    uint32_t parts;
    uint64_t *position; /* parts entries per block */
};

static uint64_t blocks_of(const struct gws__octree_state *state)
{
    return state->points->count / block + (state->points->count % block != 0);
}

static uint64_t keys_of(const struct gws__octree_state *state, uint64_t number, uint64_t key[block])
{
    uint64_t rest = state->points->count - number * block, count = rest < block ? rest : block;
    gws__octree_keys(&state->grid, state->points, number * block, count, key);
    return count;
}

/* Returns the first two digits of a key, or 0 if all points form one part. */
static uint32_t part_of(const struct point_gather *gather, uint64_t key)
{
    return (uint32_t)(key >> (gws__octree_key_bits - 6)) & (gather->parts - 1);
}

static void count_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct point_gather *gather = context;
    uint64_t key[block];
    (void)worker;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t count = keys_of(gather->work->state, b, key), *counts = gather->position + b * gather->parts;
        memset(counts, 0, gather->parts * sizeof *counts);
        for (uint64_t i = 0; i < count; i++)
            if (key[i] != GWS__OCTREE_NO_KEY) counts[part_of(gather, key[i])]++;
    }
}

static void write_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct point_gather *gather = context;
    const struct gws__octree_state *state = gather->work->state;
    struct gws__octree_index index = gws__octree_index_at(state, 0);
    uint64_t key[block];
    (void)worker;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t count = keys_of(state, b, key), *position = gather->position + b * gather->parts;
        for (uint64_t i = 0; i < count; i++) {
            if (key[i] == GWS__OCTREE_NO_KEY) continue;
            uint64_t to = position[part_of(gather, key[i])]++;
            gather->work->key[to] = key[i];
            gws__octree_index_set(index, to, b * block + i);
        }
    }
}

/* Computes exclusive prefix sums, by part and within a part by block. Returns the total. */
static uint64_t counts_to_offsets(struct point_gather *gather, uint64_t blocks)
{
    uint64_t sum = 0;
    for (uint32_t p = 0; p < gather->parts; p++) {
        gather->work->part[p] = sum;
        for (uint64_t b = 0; b < blocks; b++) {
            uint64_t *position = gather->position + b * gather->parts + p, count = *position;
            *position = sum;
            sum += count;
        }
    }
    gather->work->part[gather->parts] = sum;
    return sum;
}

gws_status gws__octree_gather_points(struct gws__octree_work *work, bool by_part)
{
    struct gws__octree_state *state = work->state;
    uint64_t blocks = blocks_of(state);
    struct point_gather gather = {work, by_part ? gws__octree_max_parts : 1, NULL};
    gather.position = gws_allocate(state->runtime, blocks * gather.parts, sizeof *gather.position);
    if (!gather.position) return GWS_NO_MEMORY;
    gws_status status = gws_parallel_try_for(state->runtime, blocks, 2, count_blocks, &gather);
    uint64_t indexed = status == GWS_OK ? counts_to_offsets(&gather, blocks) : 0;
    if (status == GWS_OK && indexed < state->points->count && !state->drop) status = gws__octree_no_key(state);
    if (status == GWS_OK) status = gws__octree_index_new(state, indexed);
    if (status == GWS_OK) {
        work->key = gws_allocate(state->runtime, indexed, sizeof *work->key);
        status = work->key ? gws_parallel_try_for(state->runtime, blocks, 2, write_blocks, &gather) : GWS_NO_MEMORY;
    }
    gws_release(state->runtime, gather.position, blocks * gather.parts, sizeof *gather.position);
    return status;
}

/* Creates the first tasks of an octant with that many parts from `first` on. These are one task for the octant itself
 * or, if the octant is already divided, the tasks of its children. */
static void begin_octant(struct gws__octree_work *work, struct gws__octree_octant octant, uint32_t first,
                         uint32_t parts)
{
    struct gws__octree_state *state = work->state;
    if (parts == 1 || gws__octree_is_leaf(state, octant.end - octant.begin, (unsigned)octant.level)) {
        work->root[work->roots++] = octant;
        return;
    }
    const uint64_t *begin = work->part + first;
    uint32_t each = parts / 8, mask = 0, made = 0;
    for (uint32_t c = 0; c < 8; c++) mask |= (uint32_t)(begin[(c + 1) * each] > begin[c * each]) << c;
    struct gws__octree_inner *inner = gws__octree_inner_new(state->runtime, &state->arena[0], mask);
    if (!inner) return;
    work->tally[0].tasks++;
    *octant.handle = gws__octree_branch(inner);
    for (uint32_t c = 0; c < 8; c++) {
        struct gws__octree_octant child = {begin[c * each], begin[(c + 1) * each], NULL, octant.level + 1};
        if (child.begin == child.end) continue;
        child.handle = &inner->child[made++];
        begin_octant(work, child, first + c * each, each);
    }
}

static uint64_t number_bytes(const struct gws__octree_state *state)
{
    return state->wide ? sizeof *state->index64 : sizeof *state->index32;
}

gws_status gws__octree_work_open(struct gws__octree_work *work)
{
    struct gws__octree_state *state = work->state;
    uint32_t workers = gws_runtime_workers(state->runtime);
    state->arena = gws__octree_arenas_new(state->runtime);
    work->tally = gws_allocate(state->runtime, workers, sizeof *work->tally);
    gws_status status = state->arena && work->tally ? GWS_OK : GWS_NO_MEMORY;
    if (work->tally) memset(work->tally, 0, workers * sizeof *work->tally);
    if (status == GWS_OK) status = gws__octree_gather_points(work, true);
    if (status == GWS_OK && work->stable) {
        work->key_copy = gws_allocate(state->runtime, state->indexed, sizeof *work->key_copy);
        work->index_copy = gws_allocate(state->runtime, state->indexed, number_bytes(state));
        if (!work->key_copy || !work->index_copy) status = GWS_NO_MEMORY;
    }
    if (status != GWS_OK) return status;
    struct gws__octree_octant all = {0, state->indexed, &state->root, 0};
    begin_octant(work, all, 0, gws__octree_max_parts);
    return GWS_OK;
}

gws_status gws__octree_work_run(struct gws__octree_work *work, gws__octree_runner *runner, void *context)
{
    struct gws__octree_state *state = work->state;
    struct gws_tasks tasks = {.bytes = sizeof *work->root,
                              .root = work->root,
                              .roots = work->roots,
                              .run = state->wide ? gws__octree_run_wide : gws__octree_run_narrow,
                              .context = work};
    gws_status status = runner ? runner(context, work, &tasks) : gws_tasks_run(state->runtime, &tasks);
    if (status == GWS_OK && gws__octree_arenas_failed(state->runtime, state->arena)) status = GWS_NO_MEMORY;
    for (uint32_t w = 0; w < gws_runtime_workers(state->runtime); w++) state->tasks += work->tally[w].tasks;
    state->finalised = gws__octree_finalised(work);
    if (status != GWS_OK || state->finalised == state->indexed) return status;
    return gws_diagnostic_set(state->where, GWS_WRONG_RESULT, NULL, 0, 0, "%llu points reached a leaf, not %llu",
                              (unsigned long long)state->finalised, (unsigned long long)state->indexed);
}

void gws__octree_work_close(struct gws__octree_work *work)
{
    struct gws_runtime *runtime = work->state->runtime;
    gws_release(runtime, work->key, work->state->indexed, sizeof *work->key);
    gws_release(runtime, work->key_copy, work->state->indexed, sizeof *work->key_copy);
    gws_release(runtime, work->index_copy, work->state->indexed, number_bytes(work->state));
    gws_release(runtime, work->tally, gws_runtime_workers(runtime), sizeof *work->tally);
}

gws_status gws__octree_by_task(struct gws__octree_state *state)
{
    struct gws__octree_work work = {.state = state};
    gws_status status = gws__octree_work_open(&work);
    if (status == GWS_OK) status = gws__octree_work_run(&work, NULL, NULL);
    gws__octree_work_close(&work);
    return status;
}
