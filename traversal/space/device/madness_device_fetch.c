/* SPDX-License-Identifier: MIT */
/* What a launch has left on the device: families, counts, and tasks that nobody had room for. */
#include <string.h>

#include "madness_device_state.h"

enum { line = 64 };

static uint64_t entries_of(const struct gws_madness_device *builder)
{
    const uint64_t k = builder->order;
    return 8 * k * k * k;
}

/* The places that the groups have taken, a few of them perhaps without using them. */
static uint64_t places_taken(const struct gws_madness_device *builder)
{
    const uint64_t taken = builder->control[MADNESS_PLACES];
    return taken < builder->places ? taken : builder->places;
}

static struct gws__madness_slab *new_slab(const struct gws_madness_device *builder, uint64_t room)
{
    const uint64_t entry_bytes = entries_of(builder) * sizeof(double);
    const uint64_t bytes =
        sizeof(struct gws__madness_slab) + line + room * (sizeof(struct gws_madness_family) + entry_bytes);
    struct gws__madness_slab *slab = gws_allocate(builder->runtime, bytes, 1);
    if (!slab) return NULL;
    *slab = (struct gws__madness_slab){.bytes = bytes, .room = room};
    const uintptr_t end = (uintptr_t)(slab->family + room);
    slab->coefficient = (double *)((char *)(slab->family + room) + (line - end % line) % line);
    return slab;
}

/* ---- families ---- */

static void describe(const struct gws_madness_device *builder, struct gws__madness_slab *slab, const uint32_t *word,
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
                                        .coefficient = slab->coefficient + i * entries_of(builder)};
    }
}

static gws_status fetch_families(struct gws_madness_device *builder, struct gws_where *where)
{
    struct gws_runtime *runtime = builder->runtime;
    struct gws_device_buffer *const *buffer = builder->buffer;
    const uint64_t room = places_taken(builder), words = room * MADNESS_FAMILY_WORDS,
                   numbers = room * MADNESS_FAMILY_NUMBERS;
    if (room > builder->filled) builder->filled = room;
    struct gws__madness_slab *slab = new_slab(builder, room);
    uint32_t *word = gws_allocate(runtime, words, sizeof *word);
    double *number = gws_allocate(runtime, numbers, sizeof *number);
    gws_status status = slab && word && number ? GWS_OK : gws__madness_device_no_memory(where);
    if (status == GWS_OK) status = gws_device_read(buffer[madness_family], 0, word, words * sizeof *word, where);
    if (status == GWS_OK) status = gws_device_read(buffer[madness_number], 0, number, numbers * sizeof *number, where);
    if (status == GWS_OK)
        status = gws_device_read(buffer[madness_coefficient], 0, slab->coefficient,
                                 room * entries_of(builder) * sizeof(double), where);
    if (status == GWS_OK) describe(builder, slab, word, number);
    if (slab) { /* it goes with its owner */
        slab->next = builder->owner->slab;
        builder->owner->slab = slab;
    }
    gws_release(runtime, number, numbers, sizeof *number);
    gws_release(runtime, word, words, sizeof *word);
    return status;
}

/* ---- counts ---- */

static void add_group(struct gws_madness_device *builder, const uint64_t *word)
{
    struct gws_madness_device_stats *stats = &builder->stats;
    builder->owner->tree.boxes += word[MADNESS_BOXES];
    builder->owner->tree.forced += word[MADNESS_FORCED];
    stats->device.run += word[MADNESS_BOXES];
    stats->near += word[MADNESS_NEAR];
    stats->looks += word[MADNESS_LOOKS];
    if (word[MADNESS_BOXES] < stats->least) stats->least = word[MADNESS_BOXES];
    if (word[MADNESS_BOXES] > stats->most) stats->most = word[MADNESS_BOXES];
}

static gws_status count(struct gws_madness_device *builder, struct gws_where *where)
{
    const uint64_t groups = builder->options.groups, words = groups * MADNESS_STATS_WORDS;
    uint64_t *word = gws_allocate(builder->runtime, words, sizeof *word);
    if (!word) return gws__madness_device_no_memory(where);
    gws_status status = gws_device_read(builder->buffer[madness_stats], 0, word, words * sizeof *word, where);
    for (uint64_t g = 0; g < groups && status == GWS_OK; g++) add_group(builder, word + g * MADNESS_STATS_WORDS);
    gws_release(builder->runtime, word, words, sizeof *word);
    return status;
}

/* ---- what is left ---- */

/* The tasks that wait come to the front and are the next ones. */
static gws_status gather_remaining(struct gws_madness_device *builder, struct gws_where *where)
{
    const uint64_t tail = builder->control[MADNESS_TAIL], made = tail < builder->room ? tail : builder->room;
    uint32_t *state = gws_allocate(builder->runtime, made, sizeof *state);
    gws_status status = state ? gws__madness_device_tasks(builder, made, where) : gws__madness_device_no_memory(where);
    if (status == GWS_OK)
        status = gws_device_read(builder->buffer[madness_state], 0, state, made * sizeof *state, where);
    if (status == GWS_OK)
        status = gws_device_read(builder->buffer[madness_task], 0, builder->task,
                                 made * MADNESS_TASK_WORDS * sizeof *builder->task, where);
    builder->tasks = 0;
    for (uint64_t i = 0; i < made && status == GWS_OK; i++) {
        if (state[i] != MADNESS_WAITING) continue;
        memmove(builder->task + MADNESS_TASK_WORDS * builder->tasks++, builder->task + MADNESS_TASK_WORDS * i,
                MADNESS_TASK_WORDS * sizeof *builder->task);
    }
    gws_release(builder->runtime, state, made, sizeof *state);
    return status;
}

gws_status gws__madness_device_fetch(struct gws_madness_device *builder, bool *again, struct gws_where *where)
{
    gws_status status =
        gws_device_read(builder->buffer[madness_control], 0, builder->control, sizeof builder->control, where);
    const double ended = gws_clock_ms();
    builder->stats.ms += ended - builder->launched_ms;
    if (status == GWS_OK && builder->control[MADNESS_STOP] == MADNESS_NOT_FINITE) status = GWS_OUT_OF_RANGE;
    if (status == GWS_OK) status = count(builder, where);
    if (status == GWS_OK) status = fetch_families(builder, where);
    builder->stats.fetch_ms += gws_clock_ms() - ended;
    *again = status == GWS_OK && builder->control[MADNESS_STOP] == MADNESS_FULL;
    return *again ? gather_remaining(builder, where) : status;
}
