/* SPDX-License-Identifier: MIT */
/* What the builder of MADNESS trees leaves behind: each worker's families, in slabs, and the tree that owns them. */
#ifndef GWS_SPACE_MADNESS_STATE_H
#define GWS_SPACE_MADNESS_STATE_H

#include "../../lib/parallel.h"
#include "../../lib/tasks.h"
#include "../madness.h"

/* A piece of memory that one worker fills: room families, then their coefficients, each family's on a multiple of 64
 * bytes. */
struct gws__madness_slab {
    struct gws__madness_slab *next;
    uint64_t bytes; /* all of it */
    uint64_t count, room;
    double *coefficient; /* of family 0 */
    struct gws_madness_family family[];
};

/* For families of so many entries, so many of them or, for UINT64_MAX, as many as the size that the library's allocator
 * has huge pages for; not chained. NULL when memory is short. */
struct gws__madness_slab *gws__madness_slab_new(struct gws_runtime *runtime, uint64_t entries, uint64_t families);

struct gws__madness_owner {
    struct gws_allocator allocator;
    struct gws__madness_slab *slab; /* all of them, chained */
    struct gws_madness_family *family;
    struct gws_madness_part *part;
    struct gws_madness_tree tree;
};

/* A task is a box to be computed; a list of them has each on a multiple of 8 bytes. */
struct gws__madness_task {
    uint32_t function, level, at[3];
};
static inline const struct gws__madness_task *gws__madness_task_at(const void *list, uint64_t i)
{
    return (const struct gws__madness_task *)((const char *)list +
                                              i * ((sizeof(struct gws__madness_task) + 7) / 8 * 8));
}

/* ---- madness.c ---- */

/* Computes all boxes of the problem into the owner's slabs, by runner(context, tasks) or, if it is NULL, by
 * gws_tasks_run(); tree.boxes and .forced grow by what CPU workers did. */
typedef gws_status gws__madness_runner(void *context, const struct gws_tasks *tasks);
gws_status gws__madness_run(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                            struct gws__madness_owner *owner, gws__madness_runner *runner, void *context);

/* ---- madness_problem.c ---- */

/* Is it legal? GWS_INVALID says in where what is not. */
gws_status gws__madness_problem_check(const struct gws_madness_problem *problem, struct gws_where *where);

/* What the difference of a box of that level has to be below; and what values there are multiplied with: the root of
 * the volume of a child. */
double gws__madness_tolerance(const struct gws_madness_problem *problem, uint32_t level);
double gws__madness_scale(const struct gws_madness_problem *problem, uint32_t level);

/* The points of a rule of count points in the children of a box, along one axis: 2 * count entries. */
void gws__madness_points(const double *point, uint32_t count, double low, double high, uint32_t level, uint32_t at,
                         double *x);

/* An owner without slabs, whose tree says what it is of; NULL when memory is short. */
struct gws__madness_owner *gws__madness_owner_new(struct gws_runtime *runtime,
                                                  const struct gws_madness_problem *problem);

/* After all boxes, with how that went: gathers what the owner's slabs hold into *tree, or destroys it all. tree.boxes,
 * .forced and .kernel are there; owner may be NULL where memory was short. */
gws_status gws__madness_finish(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                               gws_status status, struct gws__madness_owner *owner, struct gws_madness_tree **tree,
                               struct gws_where *where);

/* ---- madness_tree.c ---- */

/* Where a family stands in the order of its function: its box's place among all boxes of the deepest level. */
uint64_t gws__madness_key(uint32_t level, const uint32_t at[3]);

/* Fills in what follows from owner->slab: families, parts, counts; tree.boxes is there. */
gws_status gws__madness_gather(struct gws_runtime *runtime, struct gws__madness_owner *owner);

#endif
