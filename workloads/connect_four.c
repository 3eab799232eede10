/* SPDX-License-Identifier: MIT */
/* Four-in-a-row: minimax in which every position is a task (Cederman and Tsigas, GPU Computing Gems Jade, section
 * 35.4.1). A task holds its parent and the moves taken, from which its position is made anew. A position with
 * successors opens a node that holds its level, its parent, the best value so far and how many successors have not
 * answered; the last answer closes the node and is passed on to its parent. So no task waits for another. */
#include "connect_four.h"

#include "../lib/tasks.h"
#include "connect_four_nodes.h"
#include "load.h"

enum { level_bits = 5, move_bits = 3, most_batch = 256, default_batch = 8 };

/* moves: how many were taken in the lowest 5 bits, above them 3 bits for each, the first lowest. */
struct position {
    struct gws__node *parent; /* NULL: a first move */
    uint64_t moves;
};

struct search {
    struct gws__board board; /* before the first move */
    uint32_t ahead;
    struct gws__nodes nodes;
    struct gws__load_tally *tally; /* makers: positions with successors; workers: without */
    int32_t value[GWS_CONNECT_FOUR_COLUMNS];
    _Atomic bool failed; /* memory is short: nothing more is opened. relaxed: who sees it late does some work more. */
};

static uint64_t level_of(uint64_t moves)
{
    return moves & ((1U << level_bits) - 1);
}

static uint64_t with_move(uint64_t moves, uint32_t column)
{
    return (moves + 1) | (uint64_t)column << (level_bits + move_bits * level_of(moves));
}

static uint32_t first_column(uint64_t moves)
{
    return moves >> level_bits & ((1U << move_bits) - 1);
}

static struct gws__board board_after(const struct search *search, uint64_t moves)
{
    struct gws__board board = search->board;
    uint64_t left = moves >> level_bits;
    for (uint64_t i = level_of(moves); i > 0; i--, left >>= move_bits)
        gws__board_drop(&board, left & ((1U << move_bits) - 1));
    return board;
}

/* Of a position without successors that nobody has won. Who moves next after an even number of moves is who moved
 * first. */
static int32_t judge(const struct gws__board *board, uint64_t level)
{
    int32_t next = gws__board_rows(board->next), last = gws__board_rows(board->all ^ board->next);
    return level % 2 == 0 ? next - last : last - next;
}

static int32_t better(uint64_t level, int32_t a, int32_t b)
{
    bool highest = level % 2 == 0;
    return (a > b) == highest ? a : b;
}

static uint64_t answers_of(int32_t best, uint32_t missing)
{
    return (uint64_t)(uint32_t)best << 32 | missing;
}

/* Gives the node a successor's value. True if it was the last one: *value is then the node's own. */
static bool tell(struct gws__node *node, int32_t *value)
{
    uint64_t before = atomic_load_explicit(&node->answers, memory_order_relaxed), after;
    int32_t best;
    do {
        best = better(node->as.level, (int32_t)(before >> 32), *value);
        after = answers_of(best, (uint32_t)before - 1);
        /* acquire and release: with this operation on the same node by those who answer before and after. */
    } while (!atomic_compare_exchange_weak_explicit(&node->answers, &before, after, memory_order_acq_rel,
                                                    memory_order_relaxed));
    if ((uint32_t)after != 0) return false;
    *value = best;
    return true;
}

/* The value of a position that took these moves: passed up as far as it is the last that was missing. */
static void answer(struct search *search, uint32_t worker, struct gws__node *parent, uint64_t moves, int32_t value)
{
    while (parent) {
        if (!tell(parent, &value)) return;
        struct gws__node *closed = parent;
        parent = closed->parent;
        gws__nodes_give(&search->nodes, worker, closed);
    }
    search->value[first_column(moves)] = value;
}

static void open_node(struct search *search, struct gws_task_worker *self, uint32_t worker,
                      const struct position *position, const struct gws__board *board)
{
    struct gws__node *node = gws__nodes_take(&search->nodes, worker);
    if (!node) {
        atomic_store_explicit(&search->failed, true, memory_order_relaxed);
        return;
    }
    uint64_t level = level_of(position->moves);
    int32_t worst = level % 2 == 0 ? -GWS_CONNECT_FOUR_WON : GWS_CONNECT_FOUR_WON;
    uint64_t answers = answers_of(worst, (uint32_t)__builtin_popcountll(gws__board_open(board)));
    node->parent = position->parent;
    node->as.level = level;
    /* relaxed: whoever runs a successor sees the node, since spawning and taking a task orders what was written. */
    atomic_store_explicit(&node->answers, answers, memory_order_relaxed);
    for (uint32_t column = 0; column < GWS_CONNECT_FOUR_COLUMNS; column++) {
        if (!gws__board_has_room(board, column)) continue;
        struct position *next = gws_spawn_reserve(self);
        *next = (struct position){node, with_move(position->moves, column)};
        gws_spawn_commit(self);
    }
}

static void run_position(struct search *search, struct gws_task_worker *self, uint32_t worker,
                         const struct position *position)
{
    struct gws__board board = board_after(search, position->moves);
    uint64_t level = level_of(position->moves);
    bool won = gws__board_has_four(board.all ^ board.next);
    if (!won && level < search->ahead && gws__board_open(&board)) {
        search->tally[worker].makers++;
        open_node(search, self, worker, position, &board);
        return;
    }
    search->tally[worker].workers++;
    int32_t value = level % 2 == 0 ? -GWS_CONNECT_FOUR_WON : GWS_CONNECT_FOUR_WON;
    answer(search, worker, position->parent, position->moves, won ? value : judge(&board, level));
}

static void run_positions(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count)
{
    struct search *search = context;
    const struct position *position = task;
    if (atomic_load_explicit(&search->failed, memory_order_relaxed)) return;
    for (uint32_t i = 0; i < count; i++) run_position(search, self, worker, &position[i]);
}

static gws_status run(struct gws_runtime *runtime, struct search *search, uint32_t batch)
{
    struct position root[GWS_CONNECT_FOUR_COLUMNS];
    struct gws_tasks tasks = {.bytes = sizeof *root, .root = root, .run = run_positions, .context = search};
    tasks.batch = batch ? batch : default_batch;
    for (uint32_t column = 0; column < GWS_CONNECT_FOUR_COLUMNS; column++)
        if (gws__board_has_room(&search->board, column))
            root[tasks.roots++] = (struct position){.moves = with_move(0, column)};
    gws_status status = gws_tasks_run(runtime, &tasks);
    return status == GWS_OK && atomic_load(&search->failed) ? GWS_NO_MEMORY : status;
}

static void report(const struct search *search, struct gws_connect_four_result *result)
{
    struct gws__load_tally sum = gws__load_sum(search->nodes.runtime, search->tally);
    struct gws_connect_four_result made = {.nodes = sum.makers + sum.workers, .leaves = sum.workers};
    for (uint32_t column = 0; column < GWS_CONNECT_FOUR_COLUMNS; column++) {
        made.legal[column] = gws__board_has_room(&search->board, column);
        if (!made.legal[column]) continue;
        made.value[column] = search->value[column];
        if (!made.move || made.value[column] > made.value[made.move - 1]) made.move = column + 1;
    }
    made.open_nodes = search->nodes.blocks * gws__node_bunch;
    made.node_bytes = search->nodes.blocks * sizeof(struct gws__node_block);
    *result = made;
}

static gws_status check(const struct gws_connect_four_options *options, struct gws_diagnostic *where)
{
    if (options->ahead < 1 || options->ahead > GWS_CONNECT_FOUR_MOST_AHEAD)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "moves ahead: 1 to %d", GWS_CONNECT_FOUR_MOST_AHEAD);
    if (options->batch > most_batch)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "positions at once: at most %d", most_batch);
    return GWS_OK;
}

gws_status gws_connect_four(struct gws_runtime *runtime, const struct gws_connect_four_options *options,
                            struct gws_connect_four_result *result, struct gws_diagnostic *where)
{
    struct search search = {.ahead = options->ahead};
    gws_status status = check(options, where);
    if (status == GWS_OK) status = gws__board_read(options->moves, &search.board, where);
    if (status != GWS_OK) return status;
    status = gws__nodes_make(runtime, &search.nodes);
    if (status != GWS_OK) return status;
    search.tally = gws__load_tallies(runtime);
    status = search.tally ? run(runtime, &search, options->batch) : GWS_NO_MEMORY;
    if (status == GWS_OK) report(&search, result);
    gws__load_release(runtime, search.tally);
    gws__nodes_clear(&search.nodes);
    return status;
}
