/* SPDX-License-Identifier: MIT */
/* Transfers the data of a MADNESS tree. The problem has the layout of kernels/madness/madness_words.h. The results of
 * a launch are families, counters, and tasks that exceeded the capacity. */
#include <string.h>

#include "../madness_box.h"
#include "madness_device_state.h"

static uint64_t pairs_of(uint32_t order)
{
    return (order + 1) / 2;
}

uint64_t gws__madness_device_table_bytes(uint32_t order)
{
    const uint64_t pairs = pairs_of(order);
    return (MADNESS_MATRICES + 2 * (pairs * pairs + 2 * order * pairs)) * sizeof(double);
}

/* Returns H0_ij from the CPU's table, where lane 0 holds even i, lane 7 odd i. */
static double two_scale(const struct gws__madness_tables *tables, uint32_t i, uint32_t j)
{
    return tables->two_scale[0][8 * (j * tables->folded + i / 2) + (i % 2 ? 7 : 0)];
}

static void fill_matrices(const struct gws__madness_tables *tables, double *to)
{
    const uint32_t k = tables->order, width = 2 * tables->folded;
    double *children = to + (uint64_t)tables->folded * width, *parents = children + (uint64_t)k * width;
    for (uint32_t a = 0; a < tables->folded; a++)
        for (uint32_t i = 0; i < k; i++) to[a * width + i] = tables->quadrature[a * k + i];
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) children[j * width + i] = parents[i * width + j] = two_scale(tables, i, j);
}

static void fill_table(const struct gws_madness_problem *problem, const struct gws__madness_tables *tables,
                       double *table)
{
    for (uint32_t level = 0; level <= GWS_MADNESS_LEVEL; level++) {
        table[MADNESS_TOLERANCE + level] = gws__madness_tolerance(problem, level);
        table[MADNESS_SCALE + level] = gws__madness_scale(problem, level);
    }
    for (int a = 0; a < 3; a++) {
        table[MADNESS_LOW + a] = problem->low[a];
        table[MADNESS_EDGE + a] = problem->high[a] - problem->low[a];
    }
    memcpy(table + MADNESS_POINTS, tables->point, problem->order * sizeof *table);
    fill_matrices(tables, table + MADNESS_MATRICES);
}

static gws_status upload_table(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                               struct gws_diagnostic *where)
{
    const uint64_t bytes = gws__madness_device_table_bytes(problem->order);
    struct gws__madness_tables *tables = gws_allocate(builder->runtime, 1, sizeof *tables);
    double *table = gws_allocate(builder->runtime, bytes, 1);
    gws_status status = tables && table ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
    if (status == GWS_OK) {
        memset(table, 0, bytes);
        gws__madness_tables_make(problem->order, tables);
        fill_table(problem, tables, table);
        status = gws_device_write(builder->buffer[madness_table], 0, table, bytes, where);
    }
    gws_release(builder->runtime, table, bytes, 1);
    gws_release(builder->runtime, tables, 1, sizeof *tables);
    return status;
}

static gws_status write_buffer(struct gws_madness_device *builder, uint32_t which, const void *data, uint64_t bytes,
                               struct gws_diagnostic *where)
{
    gws_status status = gws__madness_device_reserve(builder, which, bytes, where);
    return status == GWS_OK ? gws_device_write(builder->buffer[which], 0, data, bytes, where) : status;
}

static gws_status upload_specials(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                  struct gws_diagnostic *where)
{
    const uint64_t numbers = (uint64_t)MADNESS_SPECIAL_NUMBERS * problem->specials + 1;
    double *number = gws_allocate(builder->runtime, numbers, sizeof *number);
    if (!number) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    for (uint32_t i = 0; i < problem->specials; i++) {
        double *to = number + (uint64_t)MADNESS_SPECIAL_NUMBERS * i;
        memcpy(to, problem->special[i].at, 3 * sizeof *to);
        to[3] = problem->special[i].function;
        to[4] = problem->special[i].level;
    }
    number[numbers - 1] = 0; /* keeps the write from being empty if there are no special points */
    gws_status status = write_buffer(builder, madness_special, number, numbers * sizeof *number, where);
    gws_release(builder->runtime, number, numbers, sizeof *number);
    return status;
}

gws_status gws__madness_device_upload(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                      struct gws_diagnostic *where)
{
    gws_status status = upload_table(builder, problem, where);
    /* Kernels read bodies in the host's layout. */
    _Static_assert(sizeof(struct gws_madness_body) == MADNESS_BODY_NUMBERS * sizeof(double), "as the kernels read it");
    const uint64_t bytes = problem->functions * sizeof(struct gws_madness_body);
    if (status == GWS_OK) status = write_buffer(builder, madness_body, problem->context, bytes, where);
    return status == GWS_OK ? upload_specials(builder, problem, where) : status;
}

/* ---- the families ---- */

static void describe(const struct gws_madness_device *builder, struct gws__madness_slab *slab, const uint32_t *word,
                     const double *number)
{
    for (uint64_t i = 0; i < slab->capacity; i++, word += MADNESS_FAMILY_WORDS, number += MADNESS_FAMILY_NUMBERS) {
        if (!word[MADNESS_USED]) continue;
        slab->family[slab->count++] =
            (struct gws_madness_family){.function = word[MADNESS_FUNCTION],
                                        .level = word[MADNESS_LEVEL],
                                        .at = {word[MADNESS_AT], word[MADNESS_AT + 1], word[MADNESS_AT + 2]},
                                        .square = number[0],
                                        .difference = number[1],
                                        .coefficient = slab->coefficient + i * builder->entries};
    }
}

gws_status gws__madness_device_fetch(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = builder->runtime;
    struct gws_device_buffer *const *buffer = builder->buffer;
    const double began = gws_clock_ms();
    const uint64_t held = builder->held, words = held * MADNESS_FAMILY_WORDS, numbers = held * MADNESS_FAMILY_NUMBERS;
    if (held == 0) return GWS_OK;
    struct gws__madness_slab *slab = gws__madness_slab_new(runtime, builder->entries, held);
    uint32_t *word = gws_allocate(runtime, words, sizeof *word);
    double *number = gws_allocate(runtime, numbers, sizeof *number);
    gws_status status = slab && word && number ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
    if (status == GWS_OK) status = gws_device_read(buffer[madness_family], 0, word, words * sizeof *word, where);
    if (status == GWS_OK) status = gws_device_read(buffer[madness_number], 0, number, numbers * sizeof *number, where);
    if (status == GWS_OK)
        status = gws_device_read(buffer[madness_coefficient], 0, slab->coefficient,
                                 held * builder->entries * sizeof(double), where);
    if (status == GWS_OK) describe(builder, slab, word, number);
    if (slab) { /* the owner frees the slab, also after an error */
        slab->next = builder->owner->slab;
        builder->owner->slab = slab;
    }
    builder->held = 0;
    gws_release(runtime, number, numbers, sizeof *number);
    gws_release(runtime, word, words, sizeof *word);
    builder->stats.fetch_ms += gws_clock_ms() - began;
    return status;
}

/* ---- counts ---- */

static void add_group(struct gws_madness_device *builder, const uint64_t *word)
{
    struct gws_madness_device_stats *stats = &builder->stats;
    builder->owner->tree.boxes += word[MADNESS_BOXES];
    builder->owner->tree.forced += word[MADNESS_FORCED];
    stats->device.run += word[MADNESS_BOXES];
    stats->near_tolerance += word[MADNESS_NEAR];
    stats->polls += word[MADNESS_POLLS];
    if (word[MADNESS_BOXES] < stats->min_boxes) stats->min_boxes = word[MADNESS_BOXES];
    if (word[MADNESS_BOXES] > stats->max_boxes) stats->max_boxes = word[MADNESS_BOXES];
}

static gws_status count(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const uint64_t groups = builder->options.groups, words = groups * MADNESS_STATS_WORDS;
    uint64_t *word = gws_allocate(builder->runtime, words, sizeof *word);
    if (!word) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = gws_device_read(builder->buffer[madness_stats], 0, word, words * sizeof *word, where);
    for (uint64_t g = 0; g < groups && status == GWS_OK; g++) add_group(builder, word + g * MADNESS_STATS_WORDS);
    gws_release(builder->runtime, word, words, sizeof *word);
    return status;
}

/* ---- remaining tasks ---- */

/* Moves the waiting tasks to the front of the list, for the next launch. */
static gws_status gather_remaining(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const uint64_t tail = builder->control[MADNESS_TAIL],
                   made = tail < builder->task_capacity ? tail : builder->task_capacity;
    uint32_t *state = gws_allocate(builder->runtime, made, sizeof *state);
    gws_status status =
        state ? gws__madness_device_tasks(builder, made, where) : gws_diagnostic_status(where, GWS_NO_MEMORY);
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

gws_status gws__madness_device_finish(struct gws_madness_device *builder, bool *again, struct gws_diagnostic *where)
{
    const uint64_t limit = gws__madness_limit(builder);
    gws_status status =
        gws_device_read(builder->buffer[madness_control], 0, builder->control, sizeof builder->control, where);
    builder->stats.ms += gws_clock_ms() - builder->launched_ms;
    if (status == GWS_OK && builder->control[MADNESS_STOP] == MADNESS_NOT_FINITE) status = GWS_OUT_OF_RANGE;
    if (status == GWS_OK) status = count(builder, where);
    /* The groups reserved this number of families, of which some may be unused. */
    const uint64_t reserved = builder->control[MADNESS_SLOTS];
    builder->held = reserved < limit ? reserved : limit;
    if (builder->held > builder->filled) builder->filled = builder->held;
    *again = status == GWS_OK && builder->control[MADNESS_STOP] == MADNESS_FULL;
    if (status == GWS_OK && builder->family_capacity - builder->held < gws__madness_min_families(builder))
        status = gws__madness_device_fetch(builder, where);
    return status == GWS_OK && *again ? gather_remaining(builder, where) : status;
}
