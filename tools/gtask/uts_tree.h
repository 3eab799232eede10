/* SPDX-License-Identifier: MIT */
/* The tree of gtask uts: options of the original program, put over a named tree or the original's defaults. */
#ifndef TOOLS_GTASK_UTS_TREE_H
#define TOOLS_GTASK_UTS_TREE_H

#include "workload.h"

/* As given; UTS_NOT_GIVEN, UINT64_MAX or not a number where they are not. */
struct uts_given {
    int type, shape;
    uint64_t depth, seed, litter, repeat;
    double branching, chance, turn;
};

enum { UTS_TREE_ROWS = 9, UTS_NOT_GIVEN = -1 };

/* A group of option rows of its own, whose fields are of a struct uts_given. */
extern const struct option_row uts_tree_row[UTS_TREE_ROWS];

void uts_given_begin(struct uts_given *given);

/* The tree that was meant; base may be NULL. */
struct gws_uts_tree uts_tree_of(const struct uts_given *given, const struct gws_uts_named *base);

/* Refuses what a tree of that type does not look at: -1, or the status to exit with. */
int uts_given_check(const struct uts_given *given, const struct gws_uts_tree *tree);

/* The row of the table of trees with the same nodes, NULL if there is none. */
const struct gws_uts_named *uts_tree_known(const struct gws_uts_tree *tree);

/* As workload.h says; known may be NULL. */
void uts_tree_describe(const struct gws_uts_tree *tree, const struct gws_uts_named *known, FILE *out);
void uts_tree_json(const struct gws_uts_tree *tree, const struct gws_uts_named *known, struct json *json);

/* Why gws_uts_search() answered status, GWS_INVALID or GWS_TOO_LARGE, into where. Returns status. */
gws_status uts_tree_refused(const struct gws_uts_tree *tree, gws_status status, struct gws_where *where);

#endif
