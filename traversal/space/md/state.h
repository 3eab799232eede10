/* SPDX-License-Identifier: MIT */
/* The state of a simulation on threads. Arrays by atom are in the order in which tasks take the atoms. */
#ifndef GWS_TRAVERSAL_MD_STATE_H
#define GWS_TRAVERSAL_MD_STATE_H

#include <stdatomic.h>
#include <tgmath.h> /* md.cl calls sqrt() and floor() for floats */

#define GWS_HOST_WORKER
#include "../../../kernels/portability/host.h"

#include "../../../kernels/md/md_words.h"
#include "../../../lib/parallel.h"
#include "../../md.h"

#include "../../../kernels/md/md.cl"

/* The atoms of cell c are atom[begin[c] .. begin[c + 1] - 1], in ascending order of their numbers. */
struct gws__md_cells {
    struct gws__md_grid grid;
    uint64_t capacity; /* entries of begin[] */
    uint32_t *begin;   /* grid.cells + 1 entries in use */
    uint32_t *atom;    /* an entry for each atom */
    uint32_t *cell;    /* by atom: its cell */
};

/* What one task adds up. */
struct gws__md_sums {
    double potential, kinetic;
    uint64_t pairs;
};

struct gws_md {
    struct gws_runtime *runtime;
    struct gws_md_options options;
    struct gws__md_field field;
    uint64_t atoms, tasks;
    float *position, *velocity, *force; /* MD_WORDS floats for each atom */
    float *built_at;   /* the positions for which the lists were built; serves as scratch while they are built */
    float *sorted;     /* scratch for velocities in a new order */
    uint32_t *id;      /* the number of an atom in the caller's order */
    uint32_t *next_id; /* scratch */
    uint64_t *row;     /* atoms + 1 entries: where the lists begin */
    uint32_t *neighbour;
    uint64_t neighbours; /* capacity of neighbour[] */
    struct gws__md_cells cells;
    struct gws__md_sums *sums; /* by task */
    _Atomic uint32_t stale;    /* 1: an atom may have moved by half the skin */
    uint64_t steps, rebuilds;
    double energy, drift, rebuild_ms;
};

/* Runs body over `count` entries beside the forces, which alone count as tasks. */
static inline gws_status gws__md_for(struct gws_md *md, uint64_t count, uint32_t grain, gws_body *body)
{
    const struct gws_loop loop = {.count = count, .body = body, .context = md, .grain = grain, .uncounted = true};
    return gws_parallel_try(md->runtime, &loop);
}

static inline uint64_t gws__md_end(const struct gws_md *md, uint64_t task)
{
    uint64_t end = (task + 1) * GWS_MD_TASK;
    return end < md->atoms ? end : md->atoms;
}

/* Makes a simulation without cells, lists and forces. The caller closes it. The errors are those of gws_md_open(). */
gws_status gws__md_make(struct gws_runtime *runtime, const struct gws_points *atoms,
                        const struct gws_md_options *options, struct gws_md **out, struct gws_diagnostic *where);

/* Puts all atoms into cells, orders them by options.order, and builds the lists. Errors: GWS_NO_MEMORY,
 * GWS_CANCELLED. */
gws_status gws__md_rebuild(struct gws_md *md);

/* Puts all atoms into cells. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__md_fill_cells(struct gws_md *md);

/* Computes all forces, and the sums of each task. Moves the velocities by the forces times `kick`. Errors:
 * GWS_CANCELLED. */
gws_status gws__md_forces(struct gws_md *md, float kick);

/* Returns the sums of all tasks, in their order. */
struct gws__md_sums gws__md_total(const struct gws_md *md);

/* Returns the number of tasks that the pattern of the options gives work. */
uint64_t gws__md_busy_tasks(const struct gws_md *md);

/* Adds up the velocities. */
void gws__md_sum_momentum(const struct gws_md *md, double momentum[3]);

#endif
