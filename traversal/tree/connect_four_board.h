/* SPDX-License-Identifier: MIT */
/* A board of four-in-a-row in two words. A column has 7 bits, its lowest row first and the seventh always 0, so that a
 * row that is looked for by shifting cannot run from one column into the next. */
#ifndef GWS_TREE_CONNECT_FOUR_BOARD_H
#define GWS_TREE_CONNECT_FOUR_BOARD_H

#include "../connect_four.h"

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
gws_status gws__board_read(const char *moves, struct gws__board *board, struct gws_where *where);

#endif
