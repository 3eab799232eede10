/* SPDX-License-Identifier: MIT */
/* The result of a builder of MADNESS trees. It has each worker's families, in slabs, and the tree that owns the
 * slabs. */
#ifndef GWS_SPACE_MADNESS_STATE_H
#define GWS_SPACE_MADNESS_STATE_H

#include "../../lib/parallel.h"
#include "../../lib/tasks.h"
#include "../madness.h"

/* A block of memory that one worker fills with `capacity` families, then with their coefficients, each family's
 * aligned to 64 bytes. */
struct gws__madness_slab {
    struct gws__madness_slab *next;
    uint64_t bytes; /* size of the slab */
    uint64_t count, capacity;
    double *coefficient; /* coefficients of family 0 */
    struct gws_madness_family family[];
};

/* Creates a slab for `families` families of `entries` coefficients. With UINT64_MAX families, the slab has the size for
 * which the library's allocator has huge pages. next is NULL. Returns NULL when memory is short. */
struct gws__madness_slab *gws__madness_slab_new(struct gws_runtime *runtime, uint64_t entries, uint64_t families);

struct gws__madness_owner {
    struct gws_allocator allocator;
    struct gws__madness_slab *slab; /* list of all slabs */
    struct gws_madness_family *family;
    struct gws_madness_part *part;
    struct gws_madness_tree tree;
};

/* A task computes a box. Each task in a list is aligned to 8 bytes. */
struct gws__madness_task {
    uint32_t function, level, at[3];
};
static inline const struct gws__madness_task *gws__madness_task_at(const void *list, uint64_t i)
{
    return (const struct gws__madness_task *)((const char *)list +
                                              i * ((sizeof(struct gws__madness_task) + 7) / 8 * 8));
}

/* ---- madness.c ---- */

/* Computes all boxes of the problem into the owner's slabs, with runner(context, tasks) or, if runner is NULL, with
 * gws_tasks_run(). Adds the work of the CPU workers to tree.boxes and tree.forced. */
typedef gws_status gws__madness_runner(void *context, const struct gws_tasks *tasks);
gws_status gws__madness_run(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                            struct gws__madness_owner *owner, gws__madness_runner *runner, void *context);

/* ---- madness_ranks.c ---- */

/* How a rank runs its boxes. */
struct gws__madness_part {
    gws__madness_runner *run; /* takes part in a run of all ranks */
    void *context;
    /* Prepares the run, whose families go to owner; an error ends the call on all ranks. May be NULL. */
    gws_status (*prepare)(void *context, const struct gws_madness_problem *problem, struct gws__madness_owner *owner,
                          struct gws_diagnostic *where);
    const char *kernel; /* that computes the boxes; NULL: the CPU's */
};

/* gws_madness_build_on_ranks() with part's functions. */
struct gws_ranks;
gws_status gws__madness_build_parts(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                    const struct gws_madness_problem *problem, const struct gws__madness_part *part,
                                    struct gws_madness_tree **tree, struct gws_diagnostic *where);

/* ---- madness_problem.c ---- */

/* Validates the problem. Errors: GWS_INVALID, with a message in *where. */
gws_status gws__madness_problem_check(const struct gws_madness_problem *problem, struct gws_diagnostic *where);

/* gws__madness_tolerance() returns the limit of the difference of a box of that level. gws__madness_scale() returns
 * the factor of the box's values, which is the root of a child's volume. */
double gws__madness_tolerance(const struct gws_madness_problem *problem, uint32_t level);
double gws__madness_scale(const struct gws_madness_problem *problem, uint32_t level);

/* Writes the points of a rule of count points in the children of a box, along one axis (2 * count entries). */
void gws__madness_points(const double *point, uint32_t count, double low, double high, uint32_t level, uint32_t at,
                         double *x);

/* Creates an owner without slabs and sets the tree's description. Returns NULL when memory is short. */
struct gws__madness_owner *gws__madness_owner_new(struct gws_runtime *runtime,
                                                  const struct gws_madness_problem *problem);

/* Finishes a tree after all boxes ended with status. Gathers the owner's slabs into *tree, or destroys the owner after
 * a failure. The caller has set tree.boxes, .forced and .kernel. owner may be NULL if memory was short. */
gws_status gws__madness_finish(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                               gws_status status, struct gws__madness_owner *owner, struct gws_madness_tree **tree,
                               struct gws_diagnostic *where);

/* ---- madness_tree.c ---- */

/* Returns the position of a family in the order of its function, which is the position of its box among all boxes of
 * the deepest level. */
uint64_t gws__madness_key(uint32_t level, const uint32_t at[3]);

/* Sets families, parts and counts of the tree from owner->slab, also if they were set before. The caller has set
 * tree.boxes. */
gws_status gws__madness_gather(struct gws_runtime *runtime, struct gws__madness_owner *owner);

#endif
