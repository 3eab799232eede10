/* SPDX-License-Identifier: MIT */
/* State of batched queries. Workers store the answers to blocks of queries in private buffers, and merge the buffers
 * at the end. This header also has the geometry that all kinds of query share.
 *
 * Distances to an octant only serve for pruning and are therefore lower bounds. The true borders of an octant differ
 * from the computed borders by at most `slack`, many roundings at the magnitude of the box. */
#ifndef GWS_SPACE_OCTREE_QUERY_STATE_H
#define GWS_SPACE_OCTREE_QUERY_STATE_H

#include "../octree_query.h"
#include "octree_owner.h"

enum {
    gws__octree_scan = 64,           /* a query scans octants of at most this many points instead of traversing them */
    gws__octree_plain_exponent = 400 /* coordinates between 2^-400 and 2^400 need no scale */
};

struct gws__octree_batch;

/* One worker's answers so far, and scratch for the distances of scanned points. */
struct gws__octree_query_context {
    const struct gws__octree_batch *batch;
    uint64_t *point;
    double *distance; /* parallel to point; NULL in batches without distances */
    uint64_t hits, capacity;
    bool failed;
    /* In batches of totals, point has recent answers to the current query, and these fields have the totals of the
     * earlier ones. */
    uint64_t count;
    double sum;
    char padding[64];
    double squared[gws__octree_scan];
};

typedef void gws__octree_query_function(struct gws__octree_query_context *context, uint64_t query);

/* Computes a finite position near the expected answers of a query. */
typedef void gws__octree_query_position(const struct gws__octree_batch *batch, uint64_t query, double position[3]);

/* A kind of query, with its layout, validation and implementation. */
struct gws__octree_kind {
    const char *name, *flaw; /* name: "box", for example; flaw: the message about an invalid query */
    uint32_t numbers;        /* doubles per query */
    uint32_t finite;         /* the first `finite` numbers must be finite */
    bool radius;             /* the last number must not be negative */
    bool corners;            /* number i must not exceed number i + 3, for the first three numbers */
    bool distances;          /* answers include distances */
    gws__octree_query_function *run;
    gws__octree_query_position *position; /* NULL: the first three numbers are the position */
};
extern const struct gws__octree_kind gws__octree_boxes, gws__octree_balls, gws__octree_nearest, gws__octree_rays;

/* A ray scaled by the batch's unit, with its direction scaled by a power of two to a length of about 1. */
struct gws__octree_ray {
    double origin[3], direction[3], radius, squared; /* squared: the square of the direction's length */
    double inverse[3];                               /* 1 / direction; 0 where the direction is too small */
    double margin;                                   /* the search enlarges octants by this length */
    double tolerance;                                /* the search visits octants up to this far behind the best hit */
    unsigned flip;                                   /* the child that the ray enters first */
    int exponent;                                    /* exponent of the power of two that scales the direction */
};

struct gws__octree_batch {
    struct gws_runtime *runtime;
    const struct gws_octree *tree;
    const struct gws__octree_kind *kind;
    const void *query;
    uint64_t count;
    uint64_t k;                             /* answers per query; 0: unknown before the search */
    const struct gws_octree_totals *totals; /* NULL: queries are answered by points */
    /* gws__octree_answer() sets these fields. unit is a power of two. Squares of coordinates times unit neither
     * overflow nor vanish. low and width (the sides of the box) include this factor. */
    double unit, low[3], width[3], slack[3];
    struct gws__octree_query_context *context;
    const struct gws_octree *order; /* a tree of the queries' positions, in whose leaf order queries run; may be NULL */
    struct query_block *block;
    uint64_t *offset;
};

/* Returns GWS_INVALID, with a message, when a query is invalid, and GWS_TOO_LARGE when count * k is too large. */
gws_status gws__octree_check_queries(const struct gws__octree_kind *kind, const void *query, uint64_t count, uint64_t k,
                                     struct gws_diagnostic *where);

/* Sets the batch's unit, low, width and slack. */
void gws__octree_find_unit(struct gws__octree_batch *batch);

/* gws__octree_ray_make() converts a ray to the form above. gws__octree_ray_length() converts a hit to multiples of the
 * original direction. */
void gws__octree_ray_make(const struct gws__octree_batch *batch, const struct gws_octree_ray *given,
                          struct gws__octree_ray *ray);
double gws__octree_ray_length(const struct gws__octree_batch *batch, const struct gws__octree_ray *ray, double best);

/* Allocate answers, first the offsets of made->queries, then the arrays of `hits` answers. gws_octree_hits_clear()
 * frees the answers. Errors: GWS_NO_MEMORY. */
gws_status gws__octree_hits_offsets(struct gws_runtime *runtime, struct gws_octree_hits *made);
gws_status gws__octree_hits_allocate(struct gws_runtime *runtime, struct gws_octree_hits *made, uint64_t hits,
                                     bool distances);

/* Replaces the number of answers to each query by its offset (exclusive prefix sum). Appends and returns the total. */
uint64_t gws__octree_sum_offsets(uint64_t *offset, uint64_t count);

/* If status is GWS_OK, frees *hits and replaces it by *made. Otherwise frees *made. Returns status. */
gws_status gws__octree_hits_end(gws_status status, struct gws_octree_hits *made, struct gws_octree_hits *hits);

/* Answers all queries. k: the number of nearest points, or 0 for other kinds. See octree_query.h. */
gws_status gws__octree_answer(struct gws_runtime *runtime, const struct gws_octree *tree,
                              const struct gws__octree_kind *kind, const void *query, uint64_t count, uint64_t k,
                              struct gws_octree_hits *hits, struct gws_diagnostic *where);

/* Works like gws__octree_answer(), for kinds without k, but answers with totals. */
gws_status gws__octree_total(struct gws_runtime *runtime, const struct gws_octree *tree,
                             const struct gws__octree_kind *kind, const void *query, uint64_t count,
                             const struct gws_octree_totals *totals, struct gws_diagnostic *where);

/* Makes the order of a large batch, which is the leaf order of a tree over the queries' positions. So consecutive
 * queries find the same nodes in the cache. Returns NULL for a small batch, and if memory is short: the batch then runs
 * in its given order. */
struct gws_octree *gws__octree_query_order(const struct gws__octree_batch *batch);

/* Returns GWS_INVALID, with a message, when the tree has no points in leaf order. */
gws_status gws__octree_can_answer(const struct gws_octree *tree, struct gws_diagnostic *where);

/* Grows the buffers for `added` more hits, or adds them to the totals. Returns false and sets context->failed when
 * memory is short. */
bool gws__octree_reserve_hits(struct gws__octree_query_context *context, uint64_t added);

/* Writes squared distances from a position, scaled by the batch's unit, to context->squared, for points begin .. end -
 * 1 (at most gws__octree_scan) of the leaf order. */
void gws__octree_squared(struct gws__octree_query_context *context, const double position[3], uint64_t begin,
                         uint64_t end);

static inline void gws__octree_hit(struct gws__octree_query_context *context, uint64_t point, double distance)
{
    if (context->hits == context->capacity && !gws__octree_reserve_hits(context, 1)) return;
    if (context->distance) context->distance[context->hits] = distance;
    context->point[context->hits++] = point;
}

/* Returns whether the batch only counts. An octant inside the query then needs no visit. */
static inline bool gws__octree_only_counts(const struct gws__octree_query_context *context)
{
    return context->batch->totals && !context->batch->totals->value;
}

/* Returns coordinate `axis` of the point at a position of the leaf order. */
static inline double gws__octree_at(const struct gws_octree *tree, const void *axis, uint64_t position)
{
    return tree->is_double ? ((const double *)axis)[position] : (double)((const float *)axis)[position];
}

/* A visited octant, with its node, and its corner in cells of its level. */
struct gws__octree_visit {
    uint64_t node;
    uint32_t corner[3];
    unsigned level;
};

static inline struct gws__octree_visit gws__octree_child(const struct gws__octree_visit *parent, unsigned digit,
                                                         uint64_t node)
{
    return (struct gws__octree_visit){node,
                                      {parent->corner[0] << 1 | (digit >> 2 & 1),
                                       parent->corner[1] << 1 | (digit >> 1 & 1), parent->corner[2] << 1 | (digit & 1)},
                                      parent->level + 1};
}

/* Returns the child with that digit, which the node must have. */
static inline uint64_t gws__octree_child_at(const struct gws_octree_node *node, unsigned digit)
{
    return node->first_child + (unsigned)__builtin_popcount(node->child_mask & ((1U << digit) - 1));
}

/* Returns a lower bound of the squared distance between a position and any point in cell `corner` of a level, along
 * one axis. */
static inline double gws__octree_min_squared(const struct gws__octree_batch *batch, int axis, double position,
                                             uint32_t corner, double cell)
{
    double low = batch->low[axis] + corner * cell, below = low - position, above = position - (low + cell);
    double apart = (below > above ? below : above) - batch->slack[axis];
    return apart > 0 ? apart * apart : 0;
}

#endif
