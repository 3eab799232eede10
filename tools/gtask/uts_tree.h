/* SPDX-License-Identifier: MIT */
/* The trees of gtask uts and gsim uts: the options of the original program, and the named trees. */
#ifndef TOOLS_GTASK_UTS_TREE_H
#define TOOLS_GTASK_UTS_TREE_H

#include <math.h>
#include <stdio.h>

#include "../../workloads/uts.h"
#include "../common/options.h"

enum { UTS_TREE_ROWS = 9 };
extern const struct option_row uts_tree_row[UTS_TREE_ROWS]; /* the options, with destinations in struct gws_uts_tree */
extern const char *const uts_type_name[], *const uts_shape_name[];

/* Values of options that are not given. */
#define UTS_TREE_NOT_GIVEN                                                                                             \
    {                                                                                                                  \
        (enum gws_uts_type) - 1, (enum gws_uts_shape) - 1, UINT64_MAX, NAN, UINT64_MAX, NAN, UINT64_MAX, NAN,          \
            UINT64_MAX                                                                                                 \
    }

/* Fills in the tree of --tree (NULL: the defaults) and the given options; answers "help". Refuses an unknown name, and
 * given options that have no effect on the tree. Returns -1, or the exit status. */
int uts_tree_open(const char *name, const struct gws_uts_tree *given, struct gws_uts_tree *tree);

/* Prints the tree's name, if it has one, and its parameters. */
void uts_tree_print(const struct gws_uts_tree *tree, FILE *out);

/* Returns the named tree with the same nodes; NULL: none. Options without effect on the type may differ. */
const struct gws_uts_named *uts_tree_known(const struct gws_uts_tree *tree);

/* Explains why a search has refused the tree. Returns status. */
gws_status uts_tree_refused(const struct gws_uts_tree *tree, gws_status status, struct gws_diagnostic *where);

#endif
