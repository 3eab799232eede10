/* SPDX-License-Identifier: MIT */
/* Memory for the positions of four-in-a-row that wait for the values of their successors. One worker opens a position,
 * and the worker with its last value closes it, so memory migrates between workers. Each worker caches at most two
 * magazines of free nodes and passes full ones to a shared list (the magazines of Bonwick and Adams, USENIX 2001). So
 * the memory is at most the peak of open nodes plus a few magazines for each worker. */
#ifndef GWS_CONNECT_FOUR_NODES_H
#define GWS_CONNECT_FOUR_NODES_H

#include <pthread.h>
#include <stdatomic.h>

#include "../lib/parallel.h"
#include "connect_four.h"

/* A board of four-in-a-row in two words. A column has 7 bits, the lowest row first, and the seventh bit is always 0.
 * So shifts that find rows cannot run from one column into the next. */

enum { gws__board_height = GWS_CONNECT_FOUR_ROWS + 1 };

struct gws__board {
    uint64_t all;  /* all tokens */
    uint64_t next; /* tokens of the player to move */
};

/* Returns the lowest square of a column (from 0). */
static inline uint64_t gws__board_foot(uint32_t column)
{
    return UINT64_C(1) << (column * gws__board_height);
}

static inline uint64_t gws__board_tops(void)
{
    return UINT64_C(0x810204081020); /* bit 5 of each column */
}

/* Returns one bit for each column that is not full, at the column's highest square. */
static inline uint64_t gws__board_open(const struct gws__board *board)
{
    return ~board->all & gws__board_tops();
}

static inline bool gws__board_has_space(const struct gws__board *board, uint32_t column)
{
    return gws__board_open(board) >> (column * gws__board_height) & (UINT64_C(1) << (GWS_CONNECT_FOUR_ROWS - 1));
}

/* Drops a token of the player to move into a column that is not full. The addition carries up to the first free bit. */
static inline void gws__board_drop(struct gws__board *board, uint32_t column)
{
    board->next ^= board->all;
    board->all |= board->all + gws__board_foot(column);
}

/* Returns true if the player with these tokens has four in a row. The steps lead up, right, and right with up or
 * down. */
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

/* Returns the number of rows of two or more, by their first tokens, which have a token behind them and none before
 * them. On a board without four in a row, each row has two or three tokens. */
static inline int32_t gws__board_rows(uint64_t tokens)
{
    static const uint32_t steps[4] = {1, gws__board_height, gws__board_height + 1, gws__board_height - 1};
    int32_t rows = 0;
    for (int i = 0; i < 4; i++) rows += __builtin_popcountll(tokens & (tokens >> steps[i]) & ~(tokens << steps[i]));
    return rows;
}

/* Reads the board of a position. Errors: as for gws_connect_four(). Writes *board on success only. */
gws_status gws__board_read(const char *moves, struct gws__board *board, struct gws_diagnostic *where);

enum { gws__magazine_nodes = 256 };

struct gws__node {
    struct gws__node *parent; /* NULL: a first move. In a free node: the next node of the magazine */
    /* The upper half is the best value so far, the lower half the number of missing answers. The answers pair with
     * each other (acq_rel). So the last answer sees all writes of the other answers to the node, and may free the
     * node. */
    _Atomic uint64_t answers;
    union {
        uint64_t level;             /* moves ahead */
        struct gws__node *magazine; /* in the first node of a free magazine: the next magazine */
    } as;
};

struct gws__node_magazine {
    struct gws__node_magazine *next;
    struct gws__node node[gws__magazine_nodes];
};

/* One worker's free nodes. */
struct gws__node_cache {
    struct gws__node *open, *full; /* open: a partly used magazine; full: a full magazine or NULL */
    uint32_t count;                /* number of nodes in open */
    char apart[104];
};

struct gws__nodes {
    struct gws_runtime *runtime;
    struct gws__node_cache *cache;    /* one for each worker */
    pthread_mutex_t lock;             /* protects the members below */
    struct gws__node *full_magazines; /* full magazines of all workers */
    struct gws__node_magazine *allocated;
    uint64_t magazines;
};

/* Makes empty caches for the runtime's workers. Errors: GWS_NO_MEMORY, after which nothing is allocated. */
gws_status gws__nodes_make(struct gws_runtime *runtime, struct gws__nodes *nodes);
void gws__nodes_clear(struct gws__nodes *nodes);

/* Gets a magazine for a worker with an empty cache, from the shared list or from new memory. Returns false when memory
 * is short. */
bool gws__nodes_refill(struct gws__nodes *nodes, struct gws__node_cache *cache);

/* Stores a full magazine in the cache, and passes the full magazine that was there to the shared list. */
void gws__nodes_flush(struct gws__nodes *nodes, struct gws__node_cache *cache);

/* Returns a free node, or NULL when memory is short. */
static inline struct gws__node *gws__nodes_acquire(struct gws__nodes *nodes, uint32_t worker)
{
    struct gws__node_cache *cache = &nodes->cache[worker];
    if (!cache->open && !gws__nodes_refill(nodes, cache)) return NULL;
    struct gws__node *node = cache->open;
    cache->open = node->parent;
    cache->count--;
    return node;
}

static inline void gws__nodes_release(struct gws__nodes *nodes, uint32_t worker, struct gws__node *node)
{
    struct gws__node_cache *cache = &nodes->cache[worker];
    if (cache->count == gws__magazine_nodes) gws__nodes_flush(nodes, cache);
    node->parent = cache->open;
    cache->open = node;
    cache->count++;
}

#endif
