/* SPDX-License-Identifier: MIT */
/* The shares of all vertices that the arcs of a part read, and their exchange in each iteration. */
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
    /* The next shares arrive while arcs still read the current ones. */
    char *arrived;     /* by list: in the order of `needed`; otherwise in the order of `all` */
    uint64_t arrivals; /* its length */
    uint64_t *place;   /* in `arrived`: of the next share from each part */
    uint64_t rows;     /* own rows whose next shares have been sent, or are on their way */
    uint64_t *items;   /* of the current message, for each part */
    /* By list: */
    uint32_t *needed;      /* the vertices of other parts that arcs read, in ascending order */
    uint32_t *sent;        /* the own vertices that others need, part by part */
    char *packed;          /* their shares */
    uint64_t *needed_of;   /* for each part: the number of vertices that are needed from it, ... */
    uint64_t *sent_to;     /* ... and sent to it */
    uint64_t *next_sent;   /* the place in `sent` of the next share for each part */
    uint64_t needs, sends; /* sums of needed_of and sent_to */
    uint64_t pack;         /* shares that have been packed in this iteration */
    uint64_t received;     /* shares from other parts, over all parts */
};

/* pagerank_needs.c. Finds out what is needed. Collective. Errors: GWS_NO_MEMORY, GWS_CANCELLED. The caller closes it in
 * any case. */
gws_status gws__rank_shares_open(struct gws__rank_shares *shares, struct gws_diagnostic *where);
void gws__rank_shares_close(struct gws__rank_shares *shares);
/* Sets the places at which the items of each part begin. */
void gws__rank_shares_places(const struct gws__rank_shares *shares, const uint64_t *items, uint64_t *place);

/* pagerank_shares.c, from here on. Begins an iteration; the functions above and below call it. */
void gws__rank_shares_begin(struct gws__rank_shares *shares);

/* Begins to send the own vertices' shares from `next`, up to those of row `end`. They stay unchanged until
 * gws__rank_shares_exchange() returns. Not collective; does nothing if nothing travels meanwhile. */
void gws__rank_shares_part(struct gws__rank_shares *shares, const void *next, uint64_t end);

/* Sends the others, sums up `sum` over all parts, and writes others' shares into `all`; the caller has written the own
 * ones there. Collective. */
void gws__rank_shares_exchange(struct gws__rank_shares *shares, const void *next, uint64_t *sum, uint32_t sums);

static inline void *gws__rank_shares_own(const struct gws__rank_shares *shares)
{
    return shares->all + shares->graph->first * shares->item_bytes;
}

#endif
