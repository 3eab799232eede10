/* SPDX-License-Identifier: MIT */
/* The shares of all vertices that the arcs of a part read, and their exchange after each iteration. */
#ifndef GWS_TRAVERSAL_RANKS_PAGERANK_SHARES_H
#define GWS_TRAVERSAL_RANKS_PAGERANK_SHARES_H

#include "../../../lib/hetero/rank_memory.h"
#include "../../../lib/hetero/ranks.h"
#include "../../../lib/rank_graph.h"

struct gws__rank_shares {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    const struct gws_rank_graph *in; /* the incoming arcs */
    uint32_t item_bytes;             /* of a share */
    char *all;                       /* a share of each vertex of the graph, filled as far as arcs read it */
    uint64_t all_words;
    struct gws__rank_memory shared; /* `all` if it is memory of all parts, and nothing is sent */
    bool by_list;                   /* parts send what others need; false: all parts get all shares */
    /* By list: */
    uint32_t *needed;      /* the vertices of other parts that arcs read, in ascending order */
    uint32_t *sent;        /* the own vertices that others need, part by part */
    char *packed;          /* their shares */
    uint64_t *needed_of;   /* for each part: the number of vertices that are needed from it, ... */
    uint64_t *sent_to;     /* ... and sent to it */
    uint64_t *place;       /* of the next share from each part */
    uint64_t needs, sends; /* sums of the two */
    /* Otherwise: */
    uint64_t *words;   /* for each part: 64-bit words of its shares */
    uint64_t received; /* shares from other parts, over all parts */
};

/* Finds out what is needed. Collective. Errors: GWS_NO_MEMORY, GWS_CANCELLED. The caller closes it in any case. */
gws_status gws__rank_shares_open(struct gws__rank_shares *shares, struct gws_diagnostic *where);
void gws__rank_shares_close(struct gws__rank_shares *shares);

/* Exchanges the shares of the own vertices, which the caller has written at gws__rank_shares_own(). Collective. */
void gws__rank_shares_exchange(struct gws__rank_shares *shares);

static inline void *gws__rank_shares_own(const struct gws__rank_shares *shares)
{
    return shares->all + shares->graph->first * shares->item_bytes;
}

#endif
