/* SPDX-License-Identifier: MIT */
/* The slow side of the nodes' memory: bunches that change hands, and new ones. The lock is taken once for 256 nodes. */
#include "connect_four_nodes.h"

#include <string.h>

gws_status gws__nodes_make(struct gws_runtime *runtime, struct gws__nodes *nodes)
{
    uint64_t workers = gws_runtime_workers(runtime);
    *nodes = (struct gws__nodes){.runtime = runtime, .lock = PTHREAD_MUTEX_INITIALIZER};
    nodes->shelf = gws_allocate(runtime, workers, sizeof *nodes->shelf);
    if (!nodes->shelf) return GWS_NO_MEMORY;
    memset(nodes->shelf, 0, workers * sizeof *nodes->shelf);
    return GWS_OK;
}

void gws__nodes_clear(struct gws__nodes *nodes)
{
    for (struct gws__node_block *block = nodes->block, *next; block; block = next) {
        next = block->next;
        gws_release(nodes->runtime, block, 1, sizeof *block);
    }
    pthread_mutex_destroy(&nodes->lock);
    gws_release(nodes->runtime, nodes->shelf, gws_runtime_workers(nodes->runtime), sizeof *nodes->shelf);
}

static struct gws__node *take_bunch(struct gws__nodes *nodes)
{
    pthread_mutex_lock(&nodes->lock);
    struct gws__node *bunch = nodes->bunches;
    if (bunch) nodes->bunches = bunch->as.bunch;
    pthread_mutex_unlock(&nodes->lock);
    return bunch;
}

/* NULL when memory is short. */
static struct gws__node *make_bunch(struct gws__nodes *nodes)
{
    struct gws__node_block *block = gws_allocate(nodes->runtime, 1, sizeof *block);
    if (!block) return NULL;
    for (uint32_t i = 0; i < gws__node_bunch; i++) {
        atomic_init(&block->node[i].answers, 0);
        block->node[i].parent = i + 1 < gws__node_bunch ? &block->node[i + 1] : NULL;
    }
    pthread_mutex_lock(&nodes->lock);
    block->next = nodes->block;
    nodes->block = block;
    nodes->blocks++;
    pthread_mutex_unlock(&nodes->lock);
    return block->node;
}

bool gws__nodes_refill(struct gws__nodes *nodes, struct gws__node_shelf *shelf)
{
    struct gws__node *bunch = shelf->full;
    shelf->full = NULL;
    if (!bunch) bunch = take_bunch(nodes);
    if (!bunch) bunch = make_bunch(nodes);
    if (!bunch) return false;
    shelf->open = bunch;
    shelf->count = gws__node_bunch;
    return true;
}

void gws__nodes_store(struct gws__nodes *nodes, struct gws__node_shelf *shelf)
{
    if (shelf->full) {
        pthread_mutex_lock(&nodes->lock);
        shelf->full->as.bunch = nodes->bunches;
        nodes->bunches = shelf->full;
        pthread_mutex_unlock(&nodes->lock);
    }
    shelf->full = shelf->open;
    shelf->open = NULL;
    shelf->count = 0;
}

/* A position as the columns that were played, one character each. */

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
    if (!gws__board_has_room(board, column)) return wrong(where, at, "the column is full before this move");
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
