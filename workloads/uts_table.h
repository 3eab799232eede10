/* SPDX-License-Identifier: MIT */
/* How many children a node has: its depth and its draw, 31 random bits, looked up without a logarithm. */
#ifndef GWS_UTS_TABLE_H
#define GWS_UTS_TABLE_H

#include <stdbool.h>

#include "uts.h"

enum { gws__uts_most = 100, gws__uts_buckets = 256 }; /* children of any node but a binomial root */

/* The nodes of one depth. Those with children have draws low .. low + width - 1. */
struct gws__uts_row {
    uint32_t low, width;
    uint32_t at[gws__uts_most + 1];  /* at[n]: the smallest draw with more than n children, UINT32_MAX: there is none */
    uint8_t begin[gws__uts_buckets]; /* children of the smallest draw of each bucket */
};

struct gws__uts_table {
    struct gws_uts_tree tree;
    uint32_t root_children;
    uint32_t depths;          /* below which nodes have a row here; */
    uint32_t rows, stride;    /* one each, or (stride 0) the same; deeper nodes have: */
    bool formula;             /* one that is made when it is asked for, which is seldom; otherwise: */
    struct gws__uts_row rest; /* this one */
    struct gws__uts_row *row; /* rows entries */
};

/* GWS_INVALID, GWS_TOO_LARGE as gws_uts_search() says. */
gws_status gws__uts_check(const struct gws_uts_tree *tree);

/* The table of a tree that has passed, with memory from the runtime. *table is written on success only. */
gws_status gws__uts_table_make(struct gws_runtime *runtime, const struct gws_uts_tree *tree, const uint32_t *root,
                               struct gws__uts_table *table);
void gws__uts_table_clear(struct gws_runtime *runtime, struct gws__uts_table *table);

/* Makes the row of a depth. */
void gws__uts_row_make(const struct gws_uts_tree *tree, uint32_t depth, struct gws__uts_row *row);

/* The row of a depth; made in *made where the table has none. */
static inline const struct gws__uts_row *gws__uts_row(const struct gws__uts_table *table, uint32_t depth,
                                                      struct gws__uts_row *made)
{
    if (depth < table->depths) return &table->row[(uint64_t)depth * table->stride];
    if (table->formula) gws__uts_row_make(&table->tree, depth, made);
    return table->formula ? made : &table->rest;
}

/* The children of a node with this draw. Most buckets hold at most one threshold, and the loop is seldom entered. */
static inline uint32_t gws__uts_children(const struct gws__uts_row *row, uint32_t draw)
{
    uint32_t n = row->begin[draw / ((uint32_t)(1U << 31) / gws__uts_buckets)];
    n += draw >= row->at[n];
    while (draw >= row->at[n]) n++;
    return n;
}

#endif
