/* SPDX-License-Identifier: MIT */
/* Brings what the kernels tuned for CUDA found from the device into the result: levels, depth and parent, statistics.
 */
#include <string.h>

#include "../../../../lib/poison.h"
#include "cuda.h"

/* Two bits a level, as in kernels/cuda/bfs_words.cuh. */
enum { how_up = 1, how_one_block = 2 };

struct levels {
    uint32_t *size, *how;
};

static gws_status read_levels(struct gws_bfs_device *search, uint32_t index, struct levels *levels,
                              struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    uint32_t count = own->told.levels;
    uint64_t vertices = search->graph->vertices, size = index * vertices * 4, how = (vertices + 31) / 32 * 8 * index;
    gws_status status = gws_device_read(own->buffer[bfs_cuda_level_size], size, levels->size, count * 4ull, where);
    if (status == GWS_OK && !own->mesh)
        status = gws_device_read(own->buffer[bfs_cuda_level_how], how, levels->how, (count + 15ull) / 16 * 4, where);
    for (uint32_t i = 0; i < count && status == GWS_OK; i++) {
        uint32_t way = own->mesh ? 0 : levels->how[i / 16] >> i % 16 * 2 & 3;
        struct gws_bfs_level level = {
            .size = levels->size[i], .bottom_up = way == how_up, .workers = way == how_one_block ? 1 : own->groups};
        status = gws__bfs_device_level(search, level, where);
    }
    return status;
}

static gws_status fetch_levels(struct gws_bfs_device *search, uint32_t index, struct gws_where *where)
{
    uint64_t count = ((struct gws__bfs_cuda *)search->own)->told.levels + 16ull;
    struct levels levels = {gws_allocate(search->runtime, count, 4), gws_allocate(search->runtime, count, 4)};
    gws_status status =
        levels.size && levels.how ? read_levels(search, index, &levels, where) : gws__bfs_device_no_memory(where);
    gws_release(search->runtime, levels.size, count, 4);
    gws_release(search->runtime, levels.how, count, 4);
    return status;
}

/* The measured times as nanoseconds of the launch's. */
static gws_status fetch_busy(struct gws_bfs_device *search, uint64_t *ticks, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    gws_status status = gws_device_read(own->buffer[bfs_cuda_busy], 0, ticks, own->groups * 16ull, where);
    for (uint32_t g = 0; g < own->groups && status == GWS_OK; g++) {
        uint64_t *ran = search->ran + (uint64_t)g * bfs_stats_words;
        double share = ticks[2 * g + 1] ? (double)ticks[2 * g] / (double)ticks[2 * g + 1] : 0;
        ran[gws__bfs_stats_time] = (uint64_t)(own->ms * 1e6);
        ran[gws__bfs_stats_busy] = (uint64_t)(own->ms * 1e6 * share);
    }
    return status;
}

/* In the words of a worker's statistics. */
static gws_status fetch_notes(struct gws_bfs_device *search, uint64_t *notes, uint32_t groups, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    uint64_t words = own->mesh ? 1 : bfs_cuda_note_words;
    gws_status status = gws_device_read(own->buffer[bfs_cuda_stats], 0, notes, groups * words * 8, where);
    for (uint32_t g = 0; g < groups && status == GWS_OK; g++) {
        const uint64_t *note = notes + g * words; /* ran, stolen, steals, failed, given */
        uint64_t *ran = search->ran + (uint64_t)g * bfs_stats_words;
        ran[gws__bfs_stats_ran] = ran[gws__bfs_stats_given] = note[0];
        if (own->mesh) continue;
        ran[gws__bfs_stats_from_gpu] = note[1];
        ran[gws__bfs_stats_steals] = note[2];
        ran[gws__bfs_stats_failed] = note[3];
        ran[gws__bfs_stats_given] = note[4];
    }
    return status;
}

gws_status gws__bfs_cuda_fetch_stats(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    uint32_t groups = own->groups * own->clusters;
    uint64_t count = groups * (uint64_t)bfs_cuda_note_words;
    uint64_t *words = gws_allocate(search->runtime, count, 8);
    if (!words) return gws__bfs_device_no_memory(where);
    memset(search->ran, 0, (size_t)search->workers * bfs_stats_words * sizeof *search->ran);
    gws_status status = fetch_notes(search, words, groups, where);
    if (status == GWS_OK && !own->mesh && !own->more) status = fetch_busy(search, words, where);
    gws_release(search->runtime, words, count, 8);
    return status;
}

gws_status gws__bfs_cuda_fetch_result(struct gws_bfs_device *search, uint32_t index, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    struct gws_bfs_result *result = search->result;
    uint64_t bytes = search->graph->vertices * 4;
    own->told = own->told_of[index];
    result->reached = own->told.reached;
    gws_status status = fetch_levels(search, index, where);
    if (status == GWS_OK)
        status = gws_device_read(own->buffer[bfs_cuda_depth], index * bytes, result->depth, bytes, where);
    if (status == GWS_OK)
        status = gws_device_read(own->buffer[bfs_cuda_parent], index * bytes, result->parent, bytes, where);
    if (status == GWS_OK) result->reached_arcs = gws__bfs_device_reached_arcs(search);
    return status;
}

/* Words that the host counts by become 0. */
gws_status gws__bfs_cuda_poison(struct gws_bfs_device *search, struct gws_where *where)
{
    static const struct {
        uint32_t which, word;
    } all[] = {
        {bfs_cuda_depth, GWS_POISON}, {bfs_cuda_parent, GWS_POISON}, {bfs_cuda_level_size, 0}, {bfs_cuda_told, 0}};
    const struct gws__bfs_cuda *own = search->own;
    gws_status status = GWS_OK;
    for (size_t i = 0; own && i < sizeof all / sizeof *all && status == GWS_OK; i++)
        status = gws_buffer_poison(own->buffer[all[i].which], all[i].word, where);
    return status;
}

gws_status gws__bfs_cuda_fetch(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = gws__bfs_cuda_fetch_result(search, 0, where);
    return status == GWS_OK ? gws__bfs_cuda_fetch_stats(search, where) : status;
}
