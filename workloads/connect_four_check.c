/* SPDX-License-Identifier: MIT */
/* A serial minimax for four-in-a-row, the oracle of the parallel search. The search recurses over a board of
 * characters, adds and removes tokens, and finds rows by walking over squares. */
#include <string.h>

#include "connect_four.h"

enum { columns = GWS_CONNECT_FOUR_COLUMNS, rows = GWS_CONNECT_FOUR_ROWS };

/* The board. A frame of empty squares around it stops every walk. */
struct check_board {
    char square[columns + 2][rows + 2]; /* 0, or the player: 1 or 2 */
    int height[columns + 1];            /* columns count from 1 */
    int tokens;
    char first; /* the player whose best move the search looks for */
    uint64_t nodes, leaves;
};

static const struct {
    int x, y;
} direction[4] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

static char other(char player)
{
    return player == 1 ? 2 : 1;
}

/* Returns the number of squares with the player of (x, y) that follow (x, y) in a direction without a gap. */
static int walk(const struct check_board *grid, int x, int y, int dx, int dy)
{
    char player = grid->square[x][y];
    int length = 0;
    while (grid->square[x + dx][y + dy] == player) {
        x += dx;
        y += dy;
        length++;
    }
    return length;
}

static bool wins(const struct check_board *grid, int x, int y)
{
    for (int d = 0; d < 4; d++) {
        int dx = direction[d].x, dy = direction[d].y;
        if (walk(grid, x, y, dx, dy) + walk(grid, x, y, -dx, -dy) + 1 >= 4) return true;
    }
    return false;
}

/* Returns the number of rows of two or three that start at a square, positive for the first player and negative for
 * the other player. */
static int rows_from(const struct check_board *grid, int x, int y)
{
    int found = 0;
    if (!grid->square[x][y]) return 0;
    for (int d = 0; d < 4; d++) {
        int dx = direction[d].x, dy = direction[d].y;
        if (walk(grid, x, y, -dx, -dy) > 0) continue;
        int length = walk(grid, x, y, dx, dy) + 1;
        found += length == 2 || length == 3;
    }
    return grid->square[x][y] == grid->first ? found : -found;
}

static int32_t judge(const struct check_board *grid)
{
    int sum = 0;
    for (int x = 1; x <= columns; x++)
        for (int y = 1; y <= rows; y++) sum += rows_from(grid, x, y);
    return sum;
}

static int32_t try_move(struct check_board *grid, int x, char player, uint32_t ahead);

/* Returns the value of a position in which player is to move. */
static int32_t best_of(struct check_board *grid, char player, uint32_t ahead)
{
    bool found = false;
    int32_t best = 0;
    for (int x = 1; x <= columns; x++) {
        if (grid->height[x] == rows) continue;
        int32_t value = try_move(grid, x, player, ahead);
        bool takes = !found || (player == grid->first ? value > best : value < best);
        if (takes) best = value;
        found = true;
    }
    return best;
}

/* NOLINTNEXTLINE(misc-no-recursion): the search depth bounds the recursion */
static int32_t try_move(struct check_board *grid, int x, char player, uint32_t ahead)
{
    int y = ++grid->height[x];
    grid->square[x][y] = player;
    grid->tokens++;
    grid->nodes++;
    int32_t value;
    bool won = wins(grid, x, y), is_leaf = won || ahead == 1 || grid->tokens == columns * rows;
    grid->leaves += is_leaf;
    if (won)
        value = player == grid->first ? GWS_CONNECT_FOUR_WON : -GWS_CONNECT_FOUR_WON;
    else
        value = is_leaf ? judge(grid) : best_of(grid, other(player), ahead - 1);
    grid->square[x][y] = 0;
    grid->height[x]--;
    grid->tokens--;
    return value;
}

/* Sets up the position. Returns false if it is invalid, or if the game is over. */
static bool set_up(struct check_board *grid, const char *moves)
{
    bool over = false;
    for (uint64_t i = 0; moves && moves[i]; i++) {
        int x = moves[i] - '0';
        if (x < 1 || x > columns || over || grid->height[x] == rows) return false;
        int y = ++grid->height[x];
        grid->square[x][y] = grid->tokens++ % 2 == 0 ? 1 : 2;
        over = wins(grid, x, y);
    }
    grid->first = grid->tokens % 2 == 0 ? 1 : 2;
    return !over && grid->tokens < columns * rows;
}

#define WRONG(...) gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, __VA_ARGS__)

gws_status gws_connect_four_check(const struct gws_connect_four_options *options,
                                  const struct gws_connect_four_result *result, struct gws_diagnostic *where)
{
    struct check_board grid;
    memset(&grid, 0, sizeof grid);
    if (options->ahead < 1 || options->ahead > GWS_CONNECT_FOUR_MAX_AHEAD || !set_up(&grid, options->moves))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "invalid position or search depth");
    uint32_t move = 0;
    int32_t best = 0;
    for (uint32_t x = 1; x <= columns; x++) {
        bool legal = grid.height[x] < rows;
        if (result->legal[x - 1] != legal) return WRONG("column %u is %s", x, legal ? "legal" : "full");
        int32_t value = legal ? try_move(&grid, (int)x, grid.first, options->ahead) : 0;
        if (result->value[x - 1] != value)
            return WRONG("the value of column %u is %d, a serial search found %d", x, (int)result->value[x - 1],
                         (int)value);
        bool takes = legal && (move == 0 || value > best);
        if (takes) best = value;
        if (takes) move = x;
    }
    if (result->move != move) return WRONG("the move is %u, the best by its values is %u", result->move, move);
    if (result->nodes == grid.nodes && result->leaves == grid.leaves) return GWS_OK;
    return WRONG("%llu positions, %llu of them leaves; a serial search found %llu and %llu",
                 (unsigned long long)result->nodes, (unsigned long long)result->leaves, (unsigned long long)grid.nodes,
                 (unsigned long long)grid.leaves);
}
