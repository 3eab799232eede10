/* SPDX-License-Identifier: MIT */
/* The slow path of the nodes' memory exchanges and allocates magazines. A worker takes the lock once for 256 nodes. */
#include "connect_four_nodes.h"

#include <string.h>

gws_status gws__nodes_make(struct gws_runtime *runtime, struct gws__nodes *nodes)
{
    uint64_t workers = gws_runtime_workers(runtime);
    *nodes = (struct gws__nodes){.runtime = runtime, .lock = PTHREAD_MUTEX_INITIALIZER};
    nodes->cache = gws_allocate(runtime, workers, sizeof *nodes->cache);
    if (!nodes->cache) return GWS_NO_MEMORY;
    memset(nodes->cache, 0, workers * sizeof *nodes->cache);
    return GWS_OK;
}

void gws__nodes_clear(struct gws__nodes *nodes)
{
    for (struct gws__node_magazine *magazine = nodes->allocated, *next; magazine; magazine = next) {
        next = magazine->next;
        gws_release(nodes->runtime, magazine, 1, sizeof *magazine);
    }
    pthread_mutex_destroy(&nodes->lock);
    gws_release(nodes->runtime, nodes->cache, gws_runtime_workers(nodes->runtime), sizeof *nodes->cache);
}

static struct gws__node *take_magazine(struct gws__nodes *nodes)
{
    pthread_mutex_lock(&nodes->lock);
    struct gws__node *magazine = nodes->full_magazines;
    if (magazine) nodes->full_magazines = magazine->as.magazine;
    pthread_mutex_unlock(&nodes->lock);
    return magazine;
}

/* Allocates a magazine. Returns NULL when memory is short. */
static struct gws__node *new_magazine(struct gws__nodes *nodes)
{
    struct gws__node_magazine *magazine = gws_allocate(nodes->runtime, 1, sizeof *magazine);
    if (!magazine) return NULL;
    for (uint32_t i = 0; i < gws__magazine_nodes; i++) {
        atomic_init(&magazine->node[i].answers, 0);
        magazine->node[i].parent = i + 1 < gws__magazine_nodes ? &magazine->node[i + 1] : NULL;
    }
    pthread_mutex_lock(&nodes->lock);
    magazine->next = nodes->allocated;
    nodes->allocated = magazine;
    nodes->magazines++;
    pthread_mutex_unlock(&nodes->lock);
    return magazine->node;
}

bool gws__nodes_refill(struct gws__nodes *nodes, struct gws__node_cache *cache)
{
    struct gws__node *magazine = cache->full;
    cache->full = NULL;
    if (!magazine) magazine = take_magazine(nodes);
    if (!magazine) magazine = new_magazine(nodes);
    if (!magazine) return false;
    cache->open = magazine;
    cache->count = gws__magazine_nodes;
    return true;
}

void gws__nodes_flush(struct gws__nodes *nodes, struct gws__node_cache *cache)
{
    if (cache->full) {
        pthread_mutex_lock(&nodes->lock);
        cache->full->as.magazine = nodes->full_magazines;
        nodes->full_magazines = cache->full;
        pthread_mutex_unlock(&nodes->lock);
    }
    cache->full = cache->open;
    cache->open = NULL;
    cache->count = 0;
}

/* Positions as text, with the column of each move as one character. */

static bool is_over(const struct gws__board *board)
{
    return gws__board_has_four(board->all ^ board->next);
}

static gws_status wrong(struct gws_diagnostic *where, uint64_t at, const char *what)
{
    return gws_diagnostic_set(where, GWS_SYNTAX, NULL, 0, at + 1, "%s", what);
}

static gws_status read_move(struct gws__board *board, const char *moves, uint64_t at, struct gws_diagnostic *where)
{
    if (moves[at] < '1' || moves[at] > '0' + GWS_CONNECT_FOUR_COLUMNS)
        return wrong(where, at, "a move is a column, 1 to 7");
    uint32_t column = (uint32_t)(moves[at] - '1');
    if (is_over(board)) return wrong(where, at, "the game is over before this move: four in a row");
    if (!gws__board_has_space(board, column)) return wrong(where, at, "the column is full before this move");
    gws__board_drop(board, column);
    return GWS_OK;
}

gws_status gws__board_read(const char *moves, struct gws__board *board, struct gws_diagnostic *where)
{
    struct gws__board made = {0, 0};
    uint64_t at = 0;
    for (; moves && moves[at]; at++) {
        gws_status status = read_move(&made, moves, at, where);
        if (status != GWS_OK) return status;
    }
    if (is_over(&made)) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, at, "the game is over: four in a row");
    if (!gws__board_open(&made))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, at, "the game is over: the board is full");
    *board = made;
    return GWS_OK;
}
