/* SPDX-License-Identifier: MIT */
/* Batches of questions: workers answer blocks of them into buffers of their own, which are put together at the end. And
 * the geometry that questions share.
 *
 * Distances to an octant are bounds for pruning only, so they are made a little too small: an octant's points lie
 * between its borders as computed here, give or take `slack`, which is many roundings at the size of the box. */
#ifndef GWS_SPACE_OCTREE_ASK_H
#define GWS_SPACE_OCTREE_ASK_H

#include "../octree_query.h"
#include "octree_owner.h"

enum {
    gws__octree_scan = 64,           /* octants of at most so many points are looked through, not descended into */
    gws__octree_plain_exponent = 400 /* of two: coordinates within it are not scaled */
};

struct gws__octree_batch;

/* One worker's answers so far, and space for the distances of points that are looked through. */
struct gws__octree_asker {
    const struct gws__octree_batch *batch;
    uint64_t *point;
    double *distance; /* beside point; NULL in batches without distances */
    uint64_t hits, room;
    bool failed;
    char apart[80];
    double squared[gws__octree_scan];
};

typedef void gws__octree_ask(struct gws__octree_asker *asker, uint64_t question);

/* A place near which a question's answers may lie: finite. */
typedef void gws__octree_near(const struct gws__octree_batch *batch, uint64_t question, double place[3]);

/* What questions of a kind are made of, and how they are answered. */
struct gws__octree_kind {
    const char *name, *flaw; /* "box", and what is wrong with one that cannot be asked */
    uint32_t numbers;        /* doubles of a question */
    uint32_t finite;         /* so many of them, from the first on, must be finite; */
    bool radius;             /* the last one must not be negative; */
    bool corners;            /* each of the first three must not be above the third one behind it */
    bool distances;          /* answers have distances */
    gws__octree_ask *ask;
    gws__octree_near *near; /* NULL: the first three numbers */
};
extern const struct gws__octree_kind gws__octree_boxes, gws__octree_balls, gws__octree_places, gws__octree_rays;

/* A ray times the batch's unit, its direction made about 1 long by a power of two. */
struct gws__octree_ray {
    double origin[3], direction[3], radius, squared; /* the direction's length, squared */
    double inverse[3]; /* 1 / direction; 0 where the ray does not get anywhere along that axis */
    double grown;      /* how much larger octants are made */
    double late;       /* how much later than the best hit an octant is looked at */
    unsigned flip;     /* the child met first */
    int exponent;      /* of that power */
};

struct gws__octree_batch {
    struct gws_runtime *runtime;
    const struct gws_octree *tree;
    const struct gws__octree_kind *kind;
    const void *question;
    uint64_t count;
    uint64_t k; /* answers that every question has; 0: that is not known before */
    /* Set by gws__octree_answer(). Coordinates times unit, a power of two, have squares that neither overflow nor
     * vanish; low and width (the box's sides) are multiplied by it already. */
    double unit, low[3], width[3], slack[3];
    struct gws__octree_asker *asker;
    const struct gws_octree *order; /* of the questions' places, in whose leaf order they are asked; may be NULL */
    struct block *block;
    uint64_t *offset;
};

/* GWS_INVALID, with a message, when a question cannot be asked; GWS_TOO_LARGE: of too many, for k answers each. */
gws_status gws__octree_check_questions(const struct gws__octree_kind *kind, const void *question, uint64_t count,
                                       uint64_t k, struct gws_where *where);

/* Sets the batch's unit, low, width and slack. */
void gws__octree_find_unit(struct gws__octree_batch *batch);

/* A ray as it is followed, and how far its hit is from the origin in lengths of its direction. */
void gws__octree_ray_make(const struct gws__octree_batch *batch, const struct gws_octree_ray *asked,
                          struct gws__octree_ray *ray);
double gws__octree_ray_length(const struct gws__octree_batch *batch, const struct gws__octree_ray *ray, double best);

/* Answers to be: first room for the offsets of made->questions, then for so many hits. What was made is let go by
 * gws_octree_hits_clear(). GWS_NO_MEMORY. */
gws_status gws__octree_hits_offsets(struct gws_runtime *runtime, struct gws_octree_hits *made);
gws_status gws__octree_hits_room(struct gws_runtime *runtime, struct gws_octree_hits *made, uint64_t hits,
                                 bool distances);

/* The counts of answers to each question become their offsets, and one more, which is returned: how many in all. */
uint64_t gws__octree_sum_offsets(uint64_t *offset, uint64_t count);

/* Hands out what was made where status is GWS_OK, in the place of what *hits held, else lets go of it; returns status.
 */
gws_status gws__octree_hits_end(gws_status status, struct gws_octree_hits *made, struct gws_octree_hits *hits);

/* Answers all questions; k: of the nearest points, how many, else 0. See octree_query.h. */
gws_status gws__octree_answer(struct gws_runtime *runtime, const struct gws_octree *tree,
                              const struct gws__octree_kind *kind, const void *question, uint64_t count, uint64_t k,
                              struct gws_octree_hits *hits, struct gws_where *where);

/* GWS_INVALID, with a message, when the tree has no points in leaf order. */
gws_status gws__octree_can_answer(const struct gws_octree *tree, struct gws_where *where);

/* Room for more hits; false when memory is short, which the asker remembers. */
bool gws__octree_make_room(struct gws__octree_asker *asker, uint64_t more);

/* Squared distances of points begin .. end - 1 (at most gws__octree_scan) of the leaf order from a place that is
 * multiplied by the batch's unit, into asker->squared. */
void gws__octree_squared(struct gws__octree_asker *asker, const double place[3], uint64_t begin, uint64_t end);

static inline void gws__octree_hit(struct gws__octree_asker *asker, uint64_t point, double distance)
{
    if (asker->hits == asker->room && !gws__octree_make_room(asker, 1)) return;
    if (asker->distance) asker->distance[asker->hits] = distance;
    asker->point[asker->hits++] = point;
}

/* Coordinate `axis` of the point at a place of the leaf order. */
static inline double gws__octree_at(const struct gws_octree *tree, const void *axis, uint64_t place)
{
    return tree->is_double ? ((const double *)axis)[place] : (double)((const float *)axis)[place];
}

/* An octant on the way down: its node, and its corner in cells of its level. */
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

/* The child with that digit, which the node has. */
static inline uint64_t gws__octree_child_at(const struct gws_octree_node *node, unsigned digit)
{
    return node->first_child + (unsigned)__builtin_popcount(node->child_mask & ((1U << digit) - 1));
}

/* At most the squared distance between a place and a point that cell `corner` of a level holds, along one axis. */
static inline double gws__octree_apart(const struct gws__octree_batch *batch, int axis, double place, uint32_t corner,
                                       double cell)
{
    double low = batch->low[axis] + corner * cell, below = low - place, above = place - (low + cell);
    double apart = (below > above ? below : above) - batch->slack[axis];
    return apart > 0 ? apart * apart : 0;
}

#endif
