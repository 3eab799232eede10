/* SPDX-License-Identifier: MIT */
/* The workers' hash tables have open addressing with linear probing, and are at most half full. The hash is XXH3 (Y.
 * Collet). A table stores 32 bits of the hash beside each name. */
#define XXH_INLINE_ALL
#include "name_table.h"

#include <string.h>
#include <xxhash.h>

#include "../../lib/random.h"

enum { first_slots = 1024 };
static const uint64_t max_names = UINT64_C(1) << 31;

gws_status gws__names_open(struct gws__name_tables *names, struct gws_runtime *runtime)
{
    *names = (struct gws__name_tables){.runtime = runtime, .workers = gws_runtime_workers(runtime)};
    names->seed = gws_random_mix((uint64_t)(gws_clock_ms() * 1e6) ^ (uint64_t)(uintptr_t)names);
    names->table = gws_allocate(runtime, names->workers, sizeof *names->table);
    if (!names->table) return GWS_NO_MEMORY;
    memset(names->table, 0, names->workers * sizeof *names->table);
    return GWS_OK;
}

void gws__names_close(struct gws__name_tables *names)
{
    struct gws_runtime *runtime = names->runtime;
    if (!runtime) return;
    for (uint32_t worker = 0; names->table && worker < names->workers; worker++) {
        struct gws__name_table *table = &names->table[worker];
        gws_release(runtime, table->name, table->capacity, sizeof *table->name);
        gws_release(runtime, table->text, table->text_capacity, 1);
        gws_release(runtime, table->slot, table->slots, sizeof *table->slot);
        gws_release(runtime, table->sorted, table->count, sizeof *table->sorted);
        gws_release(runtime, table->vertex, table->count, sizeof *table->vertex);
    }
    if (names->table) gws_release(runtime, names->table, names->workers, sizeof *names->table);
    if (names->list) gws_release(runtime, names->list, names->capacity, sizeof *names->list);
    *names = (struct gws__name_tables){0};
}

static void insert(struct gws__name_table *table, uint32_t number)
{
    uint64_t mask = table->slots - 1, i = table->name[number].hash & mask;
    while (table->slot[i].number != 0) i = (i + 1) & mask;
    table->slot[i] = (struct gws__name_slot){table->name[number].hash, number + 1};
}

static bool enlarge(struct gws_runtime *runtime, struct gws__name_table *table)
{
    uint64_t slots = table->slots ? 2 * table->slots : first_slots;
    struct gws__name_slot *slot = gws_allocate(runtime, slots, sizeof *slot);
    if (!slot) return false;
    memset(slot, 0, slots * sizeof *slot);
    gws_release(runtime, table->slot, table->slots, sizeof *table->slot);
    table->slot = slot;
    table->slots = slots;
    for (uint32_t number = 0; number < table->count; number++) insert(table, number);
    return true;
}

/* Appends the text, which is not in the table yet. */
static gws_status add(struct gws_runtime *runtime, struct gws__name_table *table, const char *text, uint64_t length,
                      uint32_t hash)
{
    if (table->count == max_names) return GWS_TOO_LARGE;
    uint64_t need = table->bytes + length, twice = 2 * table->text_capacity;
    if (need > table->text_capacity &&
        !gws__resize(runtime, &table->text, table->bytes, &table->text_capacity, need > twice ? need + 4096 : twice, 1))
        return GWS_NO_MEMORY;
    if (!gws__grow(runtime, &table->name, table->count, &table->capacity, sizeof *table->name)) return GWS_NO_MEMORY;
    if (2 * (table->count + 1) > table->slots && !enlarge(runtime, table)) return GWS_NO_MEMORY;
    memcpy(table->text + table->bytes, text, length);
    table->name[table->count] = (struct gws__name){.offset = table->bytes, .length = (uint32_t)length, .hash = hash};
    table->bytes += length;
    insert(table, (uint32_t)table->count++);
    return GWS_OK;
}

gws_status gws__names_number(struct gws__name_tables *names, uint32_t worker, const char *text, uint64_t length,
                             uint32_t *number)
{
    struct gws__name_table *table = &names->table[worker];
    uint32_t hash = (uint32_t)XXH3_64bits_withSeed(text, length, names->seed);
    uint64_t mask = table->slots - 1;
    for (uint64_t i = hash & mask; table->slots && table->slot[i].number != 0; i = (i + 1) & mask) {
        if (table->slot[i].hash != hash) continue;
        const struct gws__name *name = &table->name[table->slot[i].number - 1];
        if (name->length != length || memcmp(table->text + name->offset, text, length) != 0) continue;
        *number = table->slot[i].number - 1;
        return GWS_OK;
    }
    *number = (uint32_t)table->count;
    return add(names->runtime, table, text, length, hash);
}
