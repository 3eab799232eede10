/* SPDX-License-Identifier: MIT */
/* The number of children of a node by its depth and its draw (31 random bits), without a logarithm. */
#ifndef GWS_UTS_TABLE_H
#define GWS_UTS_TABLE_H

#include <stdbool.h>

#include "uts.h"

enum {
    gws__uts_max_children = 100,
    gws__uts_buckets = 256
}; /* maximum number of children, except of a binomial root */

/* The nodes of one depth. Nodes with children have draws low .. low + width - 1. */
struct gws__uts_row {
    uint32_t low, width;
    uint32_t at[gws__uts_max_children + 1]; /* at[n]: the smallest draw with more than n children; UINT32_MAX: none */
    uint8_t begin[gws__uts_buckets];        /* children of the smallest draw of each bucket */
};

struct gws__uts_table {
    struct gws_uts_tree tree;
    uint32_t root_children;
    uint32_t depths;       /* the table has rows for nodes at smaller depths */
    uint32_t rows, stride; /* one row for each depth, or (stride 0) one row for all */
    bool formula; /* true: the search computes the rows of deeper nodes on demand (rare); false: deeper nodes have the
                     row `rest` */
    struct gws__uts_row rest; /* the row of deeper nodes */
    struct gws__uts_row *row; /* rows entries */
};

/* Checks the parameters of a tree. Errors: GWS_INVALID, GWS_TOO_LARGE as in gws_uts_search(). */
gws_status gws__uts_check(const struct gws_uts_tree *tree);

/* Makes the table of a valid tree, with memory from the runtime. Writes *table on success only. */
gws_status gws__uts_table_make(struct gws_runtime *runtime, const struct gws_uts_tree *tree, const uint32_t *root,
                               struct gws__uts_table *table);
void gws__uts_table_clear(struct gws_runtime *runtime, struct gws__uts_table *table);

/* Computes the row of a depth. */
void gws__uts_row_make(const struct gws_uts_tree *tree, uint32_t depth, struct gws__uts_row *row);

/* Returns the row of a depth. If the table has no such row, the function computes the row in *made. */
static inline const struct gws__uts_row *gws__uts_row(const struct gws__uts_table *table, uint32_t depth,
                                                      struct gws__uts_row *made)
{
    if (depth < table->depths) return &table->row[(uint64_t)depth * table->stride];
    if (table->formula) gws__uts_row_make(&table->tree, depth, made);
    return table->formula ? made : &table->rest;
}

/* Returns the number of children of a node with this draw. Most buckets contain at most one threshold, so the loop
 * rarely runs.
 */
static inline uint32_t gws__uts_children(const struct gws__uts_row *row, uint32_t draw)
{
    uint32_t n = row->begin[draw / ((uint32_t)(1U << 31) / gws__uts_buckets)];
    n += draw >= row->at[n];
    while (draw >= row->at[n]) n++;
    return n;
}

#endif
