/* SPDX-License-Identifier: MIT */
/* The state of a PageRank run on threads.
 *
 * State encoding. The share of a vertex is its rank divided by its out-degree. Without outgoing arcs the share is the
 * whole rank, which no vertex reads. Share times out-degree is the rank, so no other array is needed. An iteration
 * reads the shares in `now` and writes new shares to `next`.
 *
 * Work. Row v lies at key offset[v] + v on a line of arcs and vertices. A task is the set of rows that begin in one
 * segment of pagerank_task units of the line, so tasks cost about the same. A heavy row has more arcs than a task; its
 * arcs are divided into pieces, which are tasks too. The caller adds the sums of the pieces and finishes these
 * vertices. Neither the pieces nor the sums depend on the workers. */
#ifndef GWS_TRAVERSAL_PAGERANK_STATE_H
#define GWS_TRAVERSAL_PAGERANK_STATE_H

#include <stdatomic.h>

#include "../../../lib/parallel.h"
#include "../../pagerank.h"

enum { pagerank_task = 8192 };

/* Sums over the vertices of a task. */
struct gws__pagerank_sums {
    double error; /* sum of the absolute changes of ranks */
    double given; /* sum of the ranks of vertices with outgoing arcs, from the shares: the mass that arcs carry */
    double total; /* sum of the ranks of all vertices, computed from the shares */
};

/* Arcs begin .. end - 1 of a heavy row. */
struct gws__pagerank_piece {
    uint64_t begin, end;
    double sum;
    uint32_t vertex;
};

struct gws__pagerank_plan {
    uint64_t tasks, pieces;
    uint32_t *first;                   /* tasks + 1 entries: the first row of each task */
    struct gws__pagerank_sums *sums;   /* tasks entries */
    struct gws__pagerank_piece *piece; /* pieces entries, in the order of the rows */
};

/* Sums among ranks, which do not depend on the parts: those of a block of vertices are in double, and blocks add up in
 * fixed point, in units of 2^-40 and of 2^-72. Parts begin at multiples of a block. */
enum { pagerank_block = 64 };

enum gws__pagerank_word {
    pagerank_error,
    pagerank_given = pagerank_error + 2,
    pagerank_total = pagerank_given + 2,
    pagerank_words = pagerank_total + 2
};

struct gws__pagerank {
    struct gws_runtime *runtime;
    uint64_t vertices, arcs;
    const uint64_t *offset; /* the rows that pull reads */
    const uint32_t *source;
    const uint64_t *out;    /* offsets of the outgoing arcs; NULL if degree is used */
    const uint32_t *degree; /* the out-degrees */
    const uint32_t *number; /* the place of each vertex; NULL: the vertex itself */
    uint32_t *restarts;     /* number of entries of the list of sources at this place; NULL: one for every vertex */
    double damping;
    double restart;  /* the rank that one entry of the list of sources gets in this iteration */
    double scale;    /* factor of the ranks when they are written */
    double entries;  /* number of entries of the list */
    void *memory[2]; /* the arrays of shares, except that of the ranks */
    void *now, *next;
    const void *all; /* the shares that pull reads: now, or among ranks those of all vertices */
    double *rank;
    _Atomic uint64_t exact[pagerank_words]; /* filled by the loop `exact` alone */
    struct gws__pagerank_plan plan;
};

static inline uint64_t gws__pagerank_degree(const struct gws__pagerank *run, uint64_t place)
{
    return run->degree ? run->degree[place] : run->out[place + 1] - run->out[place];
}

static inline double gws__pagerank_restarts(const struct gws__pagerank *run, uint64_t place)
{
    return run->restarts ? (double)run->restarts[place] * run->restart : run->restart;
}

/* On devices: returns the sum below which the iterations end, in multiples of 2^-60; 0: the iterations never end early.
 */
static inline uint64_t gws__pagerank_bound(double tolerance)
{
    if (tolerance < 0) return 0;
    return tolerance >= 8 ? UINT64_MAX : (uint64_t)(tolerance * 0x1p60) + 1;
}

/* Checks options (NULL: none) and fills in the defaults. Errors: GWS_INVALID, GWS_OUT_OF_RANGE, GWS_NEEDS_REVERSE. */
gws_status gws__pagerank_options(const struct gws_graph *graph, const struct gws_pagerank_options *options,
                                 struct gws_pagerank_options *all);

/* Gives result an array of ranks for this number of vertices; the other fields do not change. GWS_NO_MEMORY leaves
 * result unchanged. */
gws_status gws__pagerank_reserve(struct gws_runtime *runtime, uint64_t vertices, struct gws_pagerank_result *result);

/* Divides the rows into tasks. GWS_NO_MEMORY leaves nothing allocated. */
gws_status gws__pagerank_plan(struct gws__pagerank *run);
void gws__pagerank_plan_free(struct gws__pagerank *run);

/* The loops for one type of shares. */
struct gws__pagerank_loops {
    gws_body *begin; /* tasks: writes the first shares */
    gws_body *pull;  /* tasks and pieces: computes the sums of rows */
    gws_body *write; /* vertices: writes the ranks */
    gws_body *exact; /* blocks: adds the sums of the shares in `next` to exact[], and copies the shares to `now` */
    /* Finishes the vertices with heavy rows, after pull. */
    void (*heavy)(const struct gws__pagerank *run, struct gws__pagerank_sums *sums);
};

extern const struct gws__pagerank_loops gws__pagerank_float, gws__pagerank_double;

#endif
