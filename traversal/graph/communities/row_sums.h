/* SPDX-License-Identifier: MIT */
/* The sum of the weights towards each label of a row: one hash table for each worker, with linear probing. A row uses
 * only as much of the table as its length needs, so the slots of short rows stay in the nearest cache. */
#ifndef GWS_TRAVERSAL_COMMUNITIES_ROW_SUMS_H
#define GWS_TRAVERSAL_COMMUNITIES_ROW_SUMS_H

#include "../../../lib/parallel.h"

struct gws__slot {
    uint64_t sum;
    uint32_t label; /* GWS_NO_VERTEX: empty */
    uint32_t used;  /* slot i: the index of the i-th slot in use, for i < labels */
};

struct gws__table {
    struct gws__slot *slot; /* all slots are empty between rows */
    uint32_t shift, labels;
};

struct gws__tables {
    struct gws__slot *slot;
    uint64_t slots; /* slots of one worker, a power of 2 */
    uint32_t workers;
};

/* Returns the table of a worker for a row of at most `arcs` different labels. */
static inline struct gws__table gws__table_of(const struct gws__tables *tables, uint32_t worker, uint64_t arcs)
{
    uint32_t bits = 3;
    while (((uint64_t)1 << bits) < 2 * arcs && ((uint64_t)1 << bits) < tables->slots) bits++;
    return (struct gws__table){.slot = tables->slot + worker * tables->slots, .shift = 32 - bits};
}

static inline struct gws__slot *gws__table_find(struct gws__table *table, uint32_t label)
{
    uint32_t mask = UINT32_MAX >> table->shift, i = (label * 2654435769U) >> table->shift;
    while (table->slot[i].label != label && table->slot[i].label != UINT32_MAX) i = (i + 1) & mask;
    struct gws__slot *slot = &table->slot[i];
    if (slot->label == label) return slot;
    table->slot[table->labels++].used = i;
    slot->label = label;
    slot->sum = 0;
    return slot;
}

static inline const struct gws__slot *gws__table_at(const struct gws__table *table, uint32_t i)
{
    return &table->slot[table->slot[i].used];
}

static inline void gws__table_clear(struct gws__table *table)
{
    for (uint32_t i = 0; i < table->labels; i++) table->slot[table->slot[i].used].label = UINT32_MAX;
    table->labels = 0;
}

/* Allocates tables for rows of at most `labels` different labels, unless the old tables are large enough. */
static inline gws_status gws__tables_reserve(struct gws_runtime *runtime, struct gws__tables *tables, uint64_t labels)
{
    struct gws__tables made = {.slots = 8, .workers = gws_runtime_workers(runtime)};
    while (made.slots < 2 * labels) made.slots *= 2;
    if (made.slots <= tables->slots) return GWS_OK;
    if (made.slots > (uint64_t)1 << 31) return GWS_TOO_LARGE;
    made.slot = gws_allocate(runtime, made.workers * made.slots, sizeof *made.slot);
    if (!made.slot) return GWS_NO_MEMORY;
    for (uint64_t i = 0; i < made.workers * made.slots; i++) made.slot[i].label = UINT32_MAX;
    gws_release(runtime, tables->slot, tables->workers * tables->slots, sizeof *tables->slot);
    *tables = made;
    return GWS_OK;
}

static inline void gws__tables_clear(struct gws_runtime *runtime, struct gws__tables *tables)
{
    gws_release(runtime, tables->slot, tables->workers * tables->slots, sizeof *tables->slot);
    *tables = (struct gws__tables){0};
}

#endif
