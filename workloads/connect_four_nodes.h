/* SPDX-License-Identifier: MIT */
/* Memory for the positions of four-in-a-row that wait for the values of their successors. A position is judged on one
 * worker and closed on whichever gets its last value, so memory wanders between workers: each keeps two bunches of free
 * nodes at most and hands full ones over to all (the magazines of Bonwick and Adams, USENIX 2001). What is allocated
 * is therefore at most the most that were open at once, and a few bunches for each worker. */
#ifndef GWS_CONNECT_FOUR_NODES_H
#define GWS_CONNECT_FOUR_NODES_H

#include <pthread.h>
#include <stdatomic.h>

#include "../lib/parallel.h"
#include "connect_four.h"

/* A board of four-in-a-row in two words. A column has 7 bits, its lowest row first and the seventh always 0, so that a
 * row that is looked for by shifting cannot run from one column into the next. */

enum { gws__board_height = GWS_CONNECT_FOUR_ROWS + 1 };

struct gws__board {
    uint64_t all;  /* every token */
    uint64_t next; /* those of the player who moves next */
};

/* The lowest square of a column (from 0), and the highest of all columns. */
static inline uint64_t gws__board_foot(uint32_t column)
{
    return UINT64_C(1) << (column * gws__board_height);
}

static inline uint64_t gws__board_tops(void)
{
    return UINT64_C(0x810204081020); /* bit 5 of each column */
}

/* One bit for each column that is not full, at its highest square. */
static inline uint64_t gws__board_open(const struct gws__board *board)
{
    return ~board->all & gws__board_tops();
}

static inline bool gws__board_has_room(const struct gws__board *board, uint32_t column)
{
    return gws__board_open(board) >> (column * gws__board_height) & (UINT64_C(1) << (GWS_CONNECT_FOUR_ROWS - 1));
}

/* Drops a token of who moves next into a column that is not full: adding its foot carries up to the first free bit. */
static inline void gws__board_drop(struct gws__board *board, uint32_t column)
{
    board->next ^= board->all;
    board->all |= board->all + gws__board_foot(column);
}

/* Has the player with these tokens four in a row? The steps lead up, right, and right with up or down. */
static inline bool gws__board_has_four(uint64_t tokens)
{
    static const uint32_t steps[4] = {1, gws__board_height, gws__board_height + 1, gws__board_height - 1};
    uint64_t found = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = tokens & (tokens >> steps[i]);
        found |= pairs & (pairs >> (2 * steps[i]));
    }
    return found != 0;
}

/* The rows of two or more: a row's first token has a second behind it and none before it. Where there is no four, each
 * has two or three. */
static inline int32_t gws__board_rows(uint64_t tokens)
{
    static const uint32_t steps[4] = {1, gws__board_height, gws__board_height + 1, gws__board_height - 1};
    int32_t rows = 0;
    for (int i = 0; i < 4; i++) rows += __builtin_popcountll(tokens & (tokens >> steps[i]) & ~(tokens << steps[i]));
    return rows;
}

/* The board of a position, and errors as gws_connect_four() has them; *board is written on success only. */
gws_status gws__board_read(const char *moves, struct gws__board *board, struct gws_diagnostic *where);

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

/* GWS_NO_MEMORY: nothing was made. */
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
