/* SPDX-License-Identifier: MIT */
/* What a launch has left on the device: families, counts, and tasks that nobody had room for. */
#include <string.h>

#include "madness_device_state.h"

enum { line = 64 };

static uint64_t entries_of(const struct gws__madness_order *order)
{
    const uint64_t k = order->problem->order;
    return 8 * k * k * k;
}

/* The places that the groups have taken, a few of them perhaps without using them. */
static uint64_t places_taken(const struct gws__madness_order *order)
{
    const uint64_t taken = order->control[MADNESS_PLACES];
    return taken < order->builder->places ? taken : order->builder->places;
}

static struct gws__madness_slab *new_slab(const struct gws__madness_order *order, uint64_t room)
{
    const uint64_t entry_bytes = entries_of(order) * sizeof(double);
    const uint64_t bytes =
        sizeof(struct gws__madness_slab) + line + room * (sizeof(struct gws_madness_family) + entry_bytes);
    struct gws__madness_slab *slab = gws_allocate(order->builder->runtime, bytes, 1);
    if (!slab) return NULL;
    *slab = (struct gws__madness_slab){.bytes = bytes, .room = room};
    const uintptr_t end = (uintptr_t)(slab->family + room);
    slab->coefficient = (double *)((char *)(slab->family + room) + (line - end % line) % line);
    return slab;
}

/* ---- families ---- */

static void describe(const struct gws__madness_order *order, struct gws__madness_slab *slab, const uint32_t *word,
                     const double *number)
{
    for (uint64_t i = 0; i < slab->room; i++, word += MADNESS_FAMILY_WORDS, number += MADNESS_FAMILY_NUMBERS) {
        if (!word[MADNESS_USED]) continue;
        slab->family[slab->count++] =
            (struct gws_madness_family){.function = word[MADNESS_FUNCTION],
                                        .level = word[MADNESS_LEVEL],
                                        .at = {word[MADNESS_AT], word[MADNESS_AT + 1], word[MADNESS_AT + 2]},
                                        .square = number[0],
                                        .difference = number[1],
                                        .coefficient = slab->coefficient + i * entries_of(order)};
    }
}

static gws_status fetch(struct gws__madness_order *order, struct gws__madness_slab *slab, uint32_t *word,
                        double *number, struct gws_where *where)
{
    struct gws_device_buffer *const *buffer = order->builder->buffer;
    const uint64_t room = slab->room, bytes = room * entries_of(order) * sizeof(double);
    gws_status status =
        gws_device_read(buffer[madness_family], 0, word, room * MADNESS_FAMILY_WORDS * sizeof *word, where);
    if (status == GWS_OK)
        status =
            gws_device_read(buffer[madness_number], 0, number, room * MADNESS_FAMILY_NUMBERS * sizeof *number, where);
    if (status == GWS_OK) status = gws_device_read(buffer[madness_coefficient], 0, slab->coefficient, bytes, where);
    if (status == GWS_OK) describe(order, slab, word, number);
    return status;
}

gws_status gws__madness_device_fetch(struct gws__madness_order *order, struct gws_where *where)
{
    struct gws_runtime *runtime = order->builder->runtime;
    const uint64_t room = places_taken(order);
    if (room > order->builder->filled) order->builder->filled = room;
    const double began = gws_clock_ms();
    struct gws__madness_slab *slab = new_slab(order, room);
    uint32_t *word = gws_allocate(runtime, room * MADNESS_FAMILY_WORDS, sizeof *word);
    double *number = gws_allocate(runtime, room * MADNESS_FAMILY_NUMBERS, sizeof *number);
    gws_status status =
        slab && word && number ? fetch(order, slab, word, number, where) : gws__madness_device_no_memory(where);
    if (slab) { /* it goes with its owner */
        slab->next = order->owner->slab;
        order->owner->slab = slab;
    }
    gws_release(runtime, number, room * MADNESS_FAMILY_NUMBERS, sizeof *number);
    gws_release(runtime, word, room * MADNESS_FAMILY_WORDS, sizeof *word);
    order->builder->stats.fetch_ms += gws_clock_ms() - began;
    return status;
}

/* ---- counts ---- */

static void add_up(struct gws__madness_order *order, const uint64_t *word)
{
    struct gws_madness_device_stats *stats = &order->builder->stats;
    struct gws_madness_tree *tree = &order->owner->tree;
    for (uint32_t g = 0; g < order->builder->options.groups; g++, word += MADNESS_STATS_WORDS) {
        tree->boxes += word[MADNESS_BOXES];
        tree->forced += word[MADNESS_FORCED];
        stats->near += word[MADNESS_NEAR];
        stats->looks += word[MADNESS_LOOKS];
        if (word[MADNESS_BOXES] < stats->least) stats->least = word[MADNESS_BOXES];
        if (word[MADNESS_BOXES] > stats->most) stats->most = word[MADNESS_BOXES];
    }
}

gws_status gws__madness_device_count(struct gws__madness_order *order, struct gws_where *where)
{
    struct gws_madness_device *builder = order->builder;
    const uint64_t words = (uint64_t)builder->options.groups * MADNESS_STATS_WORDS;
    uint64_t *word = gws_allocate(builder->runtime, words, sizeof *word);
    if (!word) return gws__madness_device_no_memory(where);
    gws_status status = gws_device_read(builder->buffer[madness_stats], 0, word, words * sizeof *word, where);
    if (status == GWS_OK) add_up(order, word);
    gws_release(builder->runtime, word, words, sizeof *word);
    return status;
}

/* ---- what is left ---- */

/* Moves the tasks that wait to the front; answers how many there are. */
static uint64_t gather(const uint32_t *state, uint64_t count, uint32_t *task)
{
    uint64_t waiting = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (state[i] != MADNESS_WAITING) continue;
        memmove(task + MADNESS_TASK_WORDS * waiting, task + MADNESS_TASK_WORDS * i, MADNESS_TASK_WORDS * sizeof *task);
        waiting++;
    }
    return waiting;
}

gws_status gws__madness_device_remaining(struct gws__madness_order *order, struct gws_where *where)
{
    struct gws_madness_device *builder = order->builder;
    const uint64_t tail = order->control[MADNESS_TAIL], count = tail < builder->tasks ? tail : builder->tasks;
    uint32_t *state = gws_allocate(builder->runtime, count, sizeof *state);
    uint32_t *task = gws_allocate(builder->runtime, count * MADNESS_TASK_WORDS, sizeof *task);
    gws_status status = state && task ? GWS_OK : gws__madness_device_no_memory(where);
    if (status == GWS_OK)
        status = gws_device_read(builder->buffer[madness_state], 0, state, count * sizeof *state, where);
    if (status == GWS_OK)
        status =
            gws_device_read(builder->buffer[madness_task], 0, task, count * MADNESS_TASK_WORDS * sizeof *task, where);
    if (status == GWS_OK) {
        const uint64_t waiting = gather(state, count, task);
        uint32_t *kept = gws_allocate(builder->runtime, waiting * MADNESS_TASK_WORDS, sizeof *kept);
        if (kept) {
            memcpy(kept, task, waiting * MADNESS_TASK_WORDS * sizeof *kept);
            gws_release(builder->runtime, order->task, order->tasks * MADNESS_TASK_WORDS, sizeof *task);
            order->task = kept;
            order->tasks = waiting;
        } else
            status = gws__madness_device_no_memory(where);
    }
    gws_release(builder->runtime, task, count * MADNESS_TASK_WORDS, sizeof *task);
    gws_release(builder->runtime, state, count, sizeof *state);
    return status;
}
