/* SPDX-License-Identifier: MIT */
/* Maps names to vertices. While the workers read lines, each worker numbers the names of its lines in its own hash
 * table. Then the workers sort the distinct names of all tables by their bytes, and the i-th name is vertex i. So the
 * result does not depend on the number of threads or on their order.
 *
 * Memory: about 70 bytes and the text for each name, in each table that has the name. */
#ifndef GWS_IO_TEXT_NAME_TABLE_H
#define GWS_IO_TEXT_NAME_TABLE_H

#include "edges.h"

struct gws__name {
    uint64_t offset; /* the name's offset in text */
    uint32_t length, hash;
};

/* A slot of a table with open addressing. The slot has a name's hash and 1 + its number, or number 0 if the slot is
 * free. */
struct gws__name_slot {
    uint32_t hash, number;
};

/* A name in a sorted list. */
struct gws__name_item {
    uint64_t key; /* the name's first eight bytes, the first byte highest, padded with zeros */
    uint32_t worker, number;
};

/* One worker's names, numbered from 0 as they appear. */
struct gws__name_table {
    struct gws__name *name;
    uint64_t count, capacity;
    char *text;
    uint64_t bytes, text_capacity;
    struct gws__name_slot *slot;
    uint64_t slots;                /* a power of two, or 0 */
    struct gws__name_item *sorted; /* the names in ascending order, count entries */
    uint32_t *vertex;              /* the vertex of each number */
};

struct gws__name_tables {
    struct gws_runtime *runtime;
    uint32_t workers;
    uint64_t seed; /* seed of the hash, drawn for each file, so no author of a file can prepare collisions */
    struct gws__name_table *table;
    struct gws__name_item *list; /* the distinct names, sorted */
    uint64_t vertices, capacity;
};

gws_status gws__names_open(struct gws__name_tables *names, struct gws_runtime *runtime);
void gws__names_close(struct gws__name_tables *names);

/* Finds or adds a name of 1 to GWS_MAX_NAME bytes. Errors: GWS_NO_MEMORY, GWS_TOO_LARGE (2^31 names). */
gws_status gws__names_number(struct gws__name_tables *names, uint32_t worker, const char *text, uint64_t length,
                             uint32_t *number);

/* Adds the names of all other ranks (io/ranks/ranks.h; NULL: none) to the first table, so that all ranks have all
 * names. Memory: also the text and 8 to 15 bytes for each name of each rank. */
gws_status gws__names_exchange(struct gws__read_ranks *ranks, struct gws__name_tables *names);

/* Sorts all names, and sets list, vertices and the vertex of each number. */
gws_status gws__names_sort(struct gws__name_tables *names);

/* Replaces the numbers in narrow blocks by vertices. Errors: GWS_CANCELLED. */
gws_status gws__names_apply(const struct gws__name_tables *names, struct gws__edges *edges);

/* Gives the names to a graph of names->vertices vertices. */
gws_status gws__names_move(const struct gws__name_tables *names, struct gws_graph *graph);

/* Returns the text of an item. */
static inline const char *gws__names_text(const struct gws__name_tables *names, const struct gws__name_item *item,
                                          uint64_t *length)
{
    const struct gws__name_table *table = &names->table[item->worker];
    *length = table->name[item->number].length;
    return table->text + table->name[item->number].offset;
}

#endif
