/* SPDX-License-Identifier: MIT */
/* Building by tasks, as in Cederman and Tsigas, section 35.4.2: a task is an octant and its points; it divides them and
 * makes a task of each of the eight parts that has too many; workers count the points that have found their place, and
 * all is done when these are all points. The text's counter is what ends its kernel; here the runtime knows when no
 * task is left, and the count is held against the points, so that a lost or doubled task cannot go unseen. */
#include "octree_task.h"

#include <string.h>

enum { block = 1024 };

/* Pieces of one block: how many points of each have a key, and then where they go. */
struct gather {
    struct gws__octree_work *work;
    uint64_t *place; /* of each block */
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

static void count_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gather *gather = context;
    uint64_t key[block];
    (void)worker;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t count = keys_of(gather->work->state, b, key), kept = 0;
        for (uint64_t i = 0; i < count; i++) kept += key[i] != GWS__OCTREE_NO_KEY;
        gather->place[b] = kept;
    }
}

static void write_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gather *gather = context;
    struct gws__octree_state *state = gather->work->state;
    uint64_t key[block];
    (void)worker;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t count = keys_of(state, b, key), to = gather->place[b];
        for (uint64_t i = 0; i < count; i++) {
            if (key[i] == GWS__OCTREE_NO_KEY) continue;
            gather->work->key[to] = key[i];
            if (state->wide)
                state->index64[to] = b * block + i;
            else
                state->index32[to] = (uint32_t)(b * block + i);
            to++;
        }
    }
}

static uint64_t counts_to_places(uint64_t *place, uint64_t blocks)
{
    uint64_t sum = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t count = place[b];
        place[b] = sum;
        sum += count;
    }
    return sum;
}

gws_status gws__octree_gather_points(struct gws__octree_work *work)
{
    struct gws__octree_state *state = work->state;
    uint64_t blocks = blocks_of(state);
    struct gather gather = {work, gws_allocate(state->runtime, blocks, sizeof *gather.place)};
    if (!gather.place) return GWS_NO_MEMORY;
    gws_parallel_for(state->runtime, blocks, 8, count_blocks, &gather);
    uint64_t kept = counts_to_places(gather.place, blocks);
    gws_status status = kept < state->points->count && !state->drop ? gws__octree_no_key(state) : GWS_OK;
    if (status == GWS_OK) status = gws__octree_index_new(state, kept);
    if (status == GWS_OK) {
        work->key = gws_allocate(state->runtime, kept, sizeof *work->key);
        if (work->key)
            gws_parallel_for(state->runtime, blocks, 8, write_blocks, &gather);
        else
            status = GWS_NO_MEMORY;
    }
    gws_release(state->runtime, gather.place, blocks, sizeof *gather.place);
    return status;
}

static gws_status run(struct gws__octree_work *work)
{
    struct gws__octree_state *state = work->state;
    struct gws__octree_octant root = {0, state->kept, &state->root, 0};
    struct gws_tasks tasks = {.bytes = sizeof root,
                              .root = &root,
                              .roots = 1,
                              .run = state->wide ? gws__octree_run_wide : gws__octree_run_narrow,
                              .context = work};
    gws_status status = gws_tasks_run(state->runtime, &tasks);
    if (status == GWS_OK && gws__octree_arenas_failed(state->runtime, state->arena)) status = GWS_NO_MEMORY;
    for (uint32_t w = 0; w < gws_runtime_workers(state->runtime); w++) {
        state->placed += work->tally[w].placed;
        state->tasks += work->tally[w].tasks;
    }
    if (status != GWS_OK || state->placed == state->kept) return status;
    return gws_where_set(state->where, GWS_WRONG_RESULT, NULL, 0, 0, "%llu points found a place, not %llu",
                         (unsigned long long)state->placed, (unsigned long long)state->kept);
}

gws_status gws__octree_by_task(struct gws__octree_state *state)
{
    struct gws_runtime *runtime = state->runtime;
    uint32_t workers = gws_runtime_workers(runtime);
    struct gws__octree_work work = {.state = state};
    state->arena = gws__octree_arenas_new(runtime);
    work.tally = gws_allocate(runtime, workers, sizeof *work.tally);
    gws_status status = state->arena && work.tally ? GWS_OK : GWS_NO_MEMORY;
    if (work.tally) memset(work.tally, 0, workers * sizeof *work.tally);
    if (status == GWS_OK) status = gws__octree_gather_points(&work);
    if (status == GWS_OK) status = run(&work);
    gws_release(runtime, work.key, state->kept, sizeof *work.key);
    gws_release(runtime, work.tally, workers, sizeof *work.tally);
    return status;
}
