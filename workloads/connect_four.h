/* SPDX-License-Identifier: MIT */
/* Finds the best next move in four-in-a-row by a search of fixed depth, plain minimax without pruning (Cederman and
 * Tsigas, "Dynamic Load Balancing Using Work-Stealing", GPU Computing Gems Jade, 2011, section 35.4.1).
 *
 * Two players in turn drop a token into one of 7 columns of 6 rows. Four tokens in a row, in any of the four
 * directions, win. Every position within the search depth is one task. The task evaluates the position and spawns the
 * successors. */
#ifndef GWS_CONNECT_FOUR_H
#define GWS_CONNECT_FOUR_H

#include "../lib/device_tasks.h"

enum {
    GWS_CONNECT_FOUR_COLUMNS = 7,
    GWS_CONNECT_FOUR_ROWS = 6,
    GWS_CONNECT_FOUR_MAX_AHEAD = 19,
    GWS_CONNECT_FOUR_MAX_DEVICE = 12 /* moves ahead on a device */
};

/* The value of a position that the player to move in the given position has won. A lost position has the negative of
 * this value. */
#define GWS_CONNECT_FOUR_WON INT32_MAX

struct gws_connect_four_options {
    const char *moves; /* the position, as a column '1' .. '7' for every token so far, the first player's first, such as
                          "4435"; "" or NULL: the empty board */
    uint32_t
        ahead; /* search depth in moves, 1 .. GWS_CONNECT_FOUR_MAX_AHEAD; each move multiplies the work by about 7 */
    uint32_t batch; /* positions that a worker takes from its queue at once, at most 256; 0: the default */
};

/* The paper's "computer" is the player to move in the given position.
 *
 * A position is won or lost if the last move made four in a row. Any other position at the search depth or with a full
 * board has as value the number of rows of this player minus the number of rows of the other player. Such a row has
 * exactly two or exactly three tokens of one player, side by side in one of the four directions, and is not part of a
 * longer row. All remaining positions have the highest value of their successors if this player moves there, otherwise
 * the lowest. */
struct gws_connect_four_result {
    bool legal[GWS_CONNECT_FOUR_COLUMNS];    /* true if the column is not full; [0] is column 1 */
    int32_t value[GWS_CONNECT_FOUR_COLUMNS]; /* the value of the position after that move; 0 if the move is not legal */
    uint32_t move;       /* the chosen column, 1 .. 7, which is the leftmost legal column with the highest value */
    uint64_t nodes;      /* positions evaluated, one task each, without the given position */
    uint64_t leaves;     /* positions without successors: won, lost, full, or at the search depth */
    uint64_t open_nodes; /* peak capacity for positions that wait for their successors' values */
    uint64_t node_bytes; /* memory of these nodes in bytes, without the tasks in queues of 16 bytes each */
};

/* Finds the move. Errors: GWS_INVALID (ahead or batch out of bounds; the game is over), GWS_SYNTAX (moves: an invalid
 * character, a full column, a move after the end), GWS_NO_MEMORY. Errors leave *result unchanged. where may be NULL.
 * where->column counts the characters of moves from 1, and where->message names the error.
 *
 * A position's task ends long before its value is known. So positions with successors are stored outside the queues, 24
 * bytes each, until the last successor has answered. Policies that run each worker's own tasks last in, first out, need
 * about (batch * ahead) stored positions for each worker. Policies with rounds or with first in, first out queues store
 * all positions at once. All workers share free nodes. */
gws_status gws_connect_four(struct gws_runtime *runtime, const struct gws_connect_four_options *options,
                            struct gws_connect_four_result *result, struct gws_diagnostic *where);

/* The search on a device (lib/device_tasks.h). */
struct gws_connect_four_device;

/* Builds the program and allocates the memory. options->length is ignored. options->is_static: without other sides, the
 * calling thread creates the upper levels until there is a task for each of the device's workers. Errors: those of
 * gws_device_tasks_open(). */
gws_status gws_connect_four_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                        const struct gws_device_tasks_options *options,
                                        struct gws_connect_four_device **search, struct gws_diagnostic *where);
void gws_connect_four_device_close(struct gws_connect_four_device *search);

/* Finds the move on `count` devices, at least one, and on the CPU's workers if `workers` is true: a work-item evaluates
 * a position, and at the last level but one its successors, too. The values lie in a table of 4 bytes for each sequence
 * of ahead - 2 moves, in the memory of each device and of the host (result->open_nodes entries), so ahead is at most
 * GWS_CONNECT_FOUR_MAX_DEVICE. options->batch is for the workers. sides, which may be NULL, receives what each side
 * did, first the devices, then the workers. A created task is a position above the last level. Errors: those of
 * gws_connect_four() and gws_device_tasks_run_sides(). */
gws_status gws_connect_four_sides(struct gws_runtime *runtime, struct gws_connect_four_device *const *search,
                                  uint32_t count, bool workers, const struct gws_connect_four_options *options,
                                  struct gws_connect_four_result *result, struct gws_device_task_side_result *sides,
                                  struct gws_diagnostic *where);

/* Checks every value, the move and the counts against an independent serial minimax, on a board of characters. Errors:
 * GWS_WRONG_RESULT (where->message names the first difference), GWS_INVALID (options that gws_connect_four() rejects).
 * where may be NULL. The check takes about 0.3 us per position, on the calling thread. */
gws_status gws_connect_four_check(const struct gws_connect_four_options *options,
                                  const struct gws_connect_four_result *result, struct gws_diagnostic *where);

#endif
