/* SPDX-License-Identifier: MIT */
/* Memory for the positions of four-in-a-row that wait for the values of their successors. A position is judged on one
 * worker and closed on whichever gets its last value, so memory wanders between workers: each keeps two bunches of free
 * nodes at most and hands full ones over to all (the magazines of Bonwick and Adams, USENIX 2001). What is allocated
 * is therefore at most the most that were open at once, and a few bunches for each worker. */
#ifndef GWS_TREE_CONNECT_FOUR_NODES_H
#define GWS_TREE_CONNECT_FOUR_NODES_H

#include <pthread.h>
#include <stdatomic.h>

#include "../../lib/parallel.h"

enum { gws__node_bunch = 256 };

struct gws__node {
    struct gws__node *parent; /* NULL: this is a first move. Of a free node: the next in its bunch */
    /* The best value so far in the upper half, the successors that have not answered in the lower. The answers pair
     * with each other, acquire and release: who gives the last one sees all that the others did with the node, and may
     * free it. */
    _Atomic uint64_t answers;
    union {
        uint64_t level;          /* moves ahead */
        struct gws__node *bunch; /* of a bunch's first node: the next bunch */
    } as;
};

struct gws__node_block {
    struct gws__node_block *next;
    struct gws__node node[gws__node_bunch];
};

/* One worker's free nodes. */
struct gws__node_shelf {
    struct gws__node *open, *full; /* one bunch that is begun, one that is full or NULL */
    uint32_t count;                /* in open */
    char apart[104];
};

struct gws__nodes {
    struct gws_runtime *runtime;
    struct gws__node_shelf *shelf; /* one for each worker */
    pthread_mutex_t lock;          /* of all that follows */
    struct gws__node *bunches;     /* full ones for everybody */
    struct gws__node_block *block;
    uint64_t blocks;
};

/* GWS_NO_MEMORY, GWS_SYSTEM: nothing was made. */
gws_status gws__nodes_make(struct gws_runtime *runtime, struct gws__nodes *nodes);
void gws__nodes_clear(struct gws__nodes *nodes);

/* A new bunch for a worker whose shelf is empty, from the others or from new memory; false when that is short. */
bool gws__nodes_refill(struct gws__nodes *nodes, struct gws__node_shelf *shelf);

/* Puts a full bunch aside, handing over the one that lies there. */
void gws__nodes_store(struct gws__nodes *nodes, struct gws__node_shelf *shelf);

/* NULL when memory is short. */
static inline struct gws__node *gws__nodes_take(struct gws__nodes *nodes, uint32_t worker)
{
    struct gws__node_shelf *shelf = &nodes->shelf[worker];
    if (!shelf->open && !gws__nodes_refill(nodes, shelf)) return NULL;
    struct gws__node *node = shelf->open;
    shelf->open = node->parent;
    shelf->count--;
    return node;
}

static inline void gws__nodes_give(struct gws__nodes *nodes, uint32_t worker, struct gws__node *node)
{
    struct gws__node_shelf *shelf = &nodes->shelf[worker];
    if (shelf->count == gws__node_bunch) gws__nodes_store(nodes, shelf);
    node->parent = shelf->open;
    shelf->open = node;
    shelf->count++;
}

#endif
