/* SPDX-License-Identifier: MIT */
/* A position as the columns that were played, one character each. */
#include "connect_four_board.h"

static bool is_over(const struct gws__board *board)
{
    return gws__board_has_four(board->all ^ board->next);
}

static gws_status wrong(struct gws_where *where, uint64_t at, const char *what)
{
    return gws_where_set(where, GWS_SYNTAX, NULL, 0, at + 1, "%s", what);
}

static gws_status read_move(struct gws__board *board, const char *moves, uint64_t at, struct gws_where *where)
{
    if (moves[at] < '1' || moves[at] > '0' + GWS_CONNECT_FOUR_COLUMNS)
        return wrong(where, at, "a move is a column, 1 to 7");
    uint32_t column = (uint32_t)(moves[at] - '1');
    if (is_over(board)) return wrong(where, at, "the game is over before this move: four in a row");
    if (!gws__board_has_room(board, column)) return wrong(where, at, "the column is full before this move");
    gws__board_drop(board, column);
    return GWS_OK;
}

gws_status gws__board_read(const char *moves, struct gws__board *board, struct gws_where *where)
{
    struct gws__board made = {0, 0};
    uint64_t at = 0;
    for (; moves && moves[at]; at++) {
        gws_status status = read_move(&made, moves, at, where);
        if (status != GWS_OK) return status;
    }
    if (is_over(&made)) return gws_where_set(where, GWS_INVALID, NULL, 0, at, "the game is over: four in a row");
    if (!gws__board_open(&made))
        return gws_where_set(where, GWS_INVALID, NULL, 0, at, "the game is over: the board is full");
    *board = made;
    return GWS_OK;
}
