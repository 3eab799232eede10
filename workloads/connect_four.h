/* SPDX-License-Identifier: MIT */
/* Four-in-a-row: the best next move by looking some moves ahead, plain minimax without pruning (Cederman and Tsigas,
 * "Dynamic Load Balancing Using Work-Stealing", GPU Computing Gems Jade, 2011, section 35.4.1).
 *
 * Two players in turn drop a token into one of 7 columns of 6 rows; four in a row, in any of the four directions, win.
 * Every position that can come up within the moves ahead is one task, in which the new position is judged and its
 * successors are spawned. */
#ifndef GWS_CONNECT_FOUR_H
#define GWS_CONNECT_FOUR_H

#include "../lib/runtime.h"

enum { GWS_CONNECT_FOUR_COLUMNS = 7, GWS_CONNECT_FOUR_ROWS = 6, GWS_CONNECT_FOUR_MOST_AHEAD = 19 };

/* The value of a position that the one who moves next in the given one has won; lost is minus that. */
#define GWS_CONNECT_FOUR_WON INT32_MAX

struct gws_connect_four_options {
    const char *moves; /* the position: a column '1' .. '7' for every token dropped so far, the first player's first,
                        * such as "4435"; "" or NULL: the empty board */
    uint32_t ahead;    /* moves to look ahead, 1 .. GWS_CONNECT_FOUR_MOST_AHEAD; about 7 times the work for each */
    uint32_t batch;    /* positions that a worker takes from its queue at once, at most 256; 0: chosen */
};

/* What "computer" is in the paper is here the player who moves next in the position given.
 *
 * A position in which the last move made four in a row is won or lost. Else one that is as many moves ahead as was
 * asked for, or in which the board is full, is worth the rows of exactly two or exactly three tokens (of one player,
 * side by side, in one of the four directions, not part of a longer row) that this player has, less those of the
 * other. Any other is worth the highest value of its successors when this player moves there, else the lowest. */
struct gws_connect_four_result {
    bool legal[GWS_CONNECT_FOUR_COLUMNS];    /* [0] is column 1: is it not full? */
    int32_t value[GWS_CONNECT_FOUR_COLUMNS]; /* of the position after that move; 0 where it is not legal */
    uint32_t move;       /* the column chosen, 1 .. 7: of the legal ones with the highest value, the leftmost */
    uint64_t nodes;      /* positions judged: the tasks. The one that was given is not among them. */
    uint64_t leaves;     /* those of them without successors: won, lost, full, or far enough ahead */
    uint64_t open_nodes; /* room that was made for positions which wait for their successors' values, at most */
    uint64_t node_bytes; /* the memory of that room; tasks in queues, 16 bytes each, are not in it */
};

/* Finds the move. Errors: GWS_INVALID (ahead or batch out of bounds; no move is left: the game is over), GWS_SYNTAX
 * (moves: a character that is no column, a column that is full, a move after the end), GWS_NO_MEMORY; *result is then
 * as it was. where may be NULL; its column counts the characters of moves from 1, its message says what is wrong.
 *
 * A position's task is over long before its value is known, so positions with successors are kept beside the queues,
 * 24 bytes each, until the last successor has answered. Policies that keep each worker's own tasks last in, first out,
 * need about (batch * ahead) of them for a worker; policies of levels or of first in, first out, as many as there are.
 * Room given back by one worker is used by all. */
gws_status gws_connect_four(struct gws_runtime *runtime, const struct gws_connect_four_options *options,
                            struct gws_connect_four_result *result, struct gws_diagnostic *where);

/* Checks every value, the move and the counts against a serial minimax that was written apart, on a board of
 * characters. Errors: GWS_WRONG_RESULT, where->message says what differs first; GWS_INVALID (options that
 * gws_connect_four() does not take). where may be NULL. About 0.3 us a position, on the calling thread. */
gws_status gws_connect_four_check(const struct gws_connect_four_options *options,
                                  const struct gws_connect_four_result *result, struct gws_diagnostic *where);

#endif
