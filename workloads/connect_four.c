/* SPDX-License-Identifier: MIT */
/* Four-in-a-row: minimax with a task for each position (Cederman and Tsigas, GPU Computing Gems Jade, section 35.4.1).
 * A task holds its parent node and its moves, and rebuilds its position from the moves. A position with successors
 * opens a node. The node holds its level, its parent, the best value so far, and the number of successors without an
 * answer. The last answer closes the node and goes to its parent. So no task waits for another. */
#include "connect_four.h"

#include "../lib/tasks.h"
#include "connect_four_nodes.h"
#include "load.h"

enum { level_bits = 5, move_bits = 3, max_batch = 256, default_batch = 8 };

/* A task. moves: the number of moves in the lowest 5 bits, and above them 3 bits per move, the first move lowest. */
struct position {
    struct gws__node *parent; /* NULL: a first move */
    uint64_t moves;
};

struct minimax {
    struct gws__board board; /* before the first move */
    uint32_t ahead;
    struct gws__nodes nodes;
    struct gws__load_tally *tally; /* counts, in which makers are positions with successors, and workers are leaves */
    int32_t value[GWS_CONNECT_FOUR_COLUMNS];
    _Atomic bool failed; /* memory is short, so workers open no more nodes. relaxed: a worker that sees the flag late
                            does some extra work. */
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

static struct gws__board board_after(const struct minimax *search, uint64_t moves)
{
    struct gws__board board = search->board;
    uint64_t left = moves >> level_bits;
    for (uint64_t i = level_of(moves); i > 0; i--, left >>= move_bits)
        gws__board_drop(&board, left & ((1U << move_bits) - 1));
    return board;
}

/* Returns the value of a leaf without a winner. After an even number of moves, the first player moves next. */
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

/* Adds a successor's value to a node. Returns true if that was the last successor, and sets *value to the value of the
 * node. */
static bool add_answer(struct gws__node *node, int32_t *value)
{
    uint64_t before = atomic_load_explicit(&node->answers, memory_order_relaxed), after;
    int32_t best;
    do {
        best = better(node->as.level, (int32_t)(before >> 32), *value);
        after = answers_of(best, (uint32_t)before - 1);
        /* acq_rel: pairs with the same operation of earlier and later answers to the node. */
    } while (!atomic_compare_exchange_weak_explicit(&node->answers, &before, after, memory_order_acq_rel,
                                                    memory_order_relaxed));
    if ((uint32_t)after != 0) return false;
    *value = best;
    return true;
}

/* Reports the value of the position with these moves. If the answer was the last one that a node missed, the function
 * continues with the node's parent. */
static void answer(struct minimax *search, uint32_t worker, struct gws__node *parent, uint64_t moves, int32_t value)
{
    while (parent) {
        if (!add_answer(parent, &value)) return;
        struct gws__node *closed = parent;
        parent = closed->parent;
        gws__nodes_release(&search->nodes, worker, closed);
    }
    search->value[first_column(moves)] = value;
}

static void open_node(struct minimax *search, struct gws_task_worker *self, uint32_t worker,
                      const struct position *position, const struct gws__board *board)
{
    struct gws__node *node = gws__nodes_acquire(&search->nodes, worker);
    if (!node) {
        atomic_store_explicit(&search->failed, true, memory_order_relaxed);
        return;
    }
    uint64_t level = level_of(position->moves);
    int32_t worst = level % 2 == 0 ? -GWS_CONNECT_FOUR_WON : GWS_CONNECT_FOUR_WON;
    uint64_t answers = answers_of(worst, (uint32_t)__builtin_popcountll(gws__board_open(board)));
    node->parent = position->parent;
    node->as.level = level;
    /* relaxed: spawning orders these writes before the successors run. */
    atomic_store_explicit(&node->answers, answers, memory_order_relaxed);
    for (uint32_t column = 0; column < GWS_CONNECT_FOUR_COLUMNS; column++) {
        if (!gws__board_has_space(board, column)) continue;
        struct position *next = gws_spawn_reserve(self);
        *next = (struct position){node, with_move(position->moves, column)};
        gws_spawn_commit(self);
    }
}

static void run_position(struct minimax *search, struct gws_task_worker *self, uint32_t worker,
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
    struct minimax *search = context;
    const struct position *position = task;
    if (atomic_load_explicit(&search->failed, memory_order_relaxed)) return;
    for (uint32_t i = 0; i < count; i++) run_position(search, self, worker, &position[i]);
}

static gws_status run(struct gws_runtime *runtime, struct minimax *search, uint32_t batch)
{
    struct position root[GWS_CONNECT_FOUR_COLUMNS];
    struct gws_tasks tasks = {.bytes = sizeof *root, .root = root, .run = run_positions, .context = search};
    tasks.batch = batch ? batch : default_batch;
    for (uint32_t column = 0; column < GWS_CONNECT_FOUR_COLUMNS; column++)
        if (gws__board_has_space(&search->board, column))
            root[tasks.roots++] = (struct position){.moves = with_move(0, column)};
    gws_status status = gws_tasks_run(runtime, &tasks);
    return status == GWS_OK && atomic_load(&search->failed) ? GWS_NO_MEMORY : status;
}

static void report(const struct minimax *search, struct gws_connect_four_result *result)
{
    struct gws__load_tally sum = gws__load_sum(search->nodes.runtime, search->tally);
    struct gws_connect_four_result made = {.nodes = sum.makers + sum.workers, .leaves = sum.workers};
    for (uint32_t column = 0; column < GWS_CONNECT_FOUR_COLUMNS; column++) {
        made.legal[column] = gws__board_has_space(&search->board, column);
        if (!made.legal[column]) continue;
        made.value[column] = search->value[column];
        if (!made.move || made.value[column] > made.value[made.move - 1]) made.move = column + 1;
    }
    made.open_nodes = search->nodes.magazines * gws__magazine_nodes;
    made.node_bytes = search->nodes.magazines * sizeof(struct gws__node_magazine);
    *result = made;
}

static gws_status check(const struct gws_connect_four_options *options, struct gws_diagnostic *where)
{
    if (options->ahead < 1 || options->ahead > GWS_CONNECT_FOUR_MAX_AHEAD)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "invalid search depth: 1 to %d moves",
                                  GWS_CONNECT_FOUR_MAX_AHEAD);
    if (options->batch > max_batch)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "invalid batch size: at most %d", max_batch);
    return GWS_OK;
}

static gws_status connect_four(struct gws_runtime *runtime, const struct gws_connect_four_options *options,
                               struct gws_connect_four_result *result, struct gws_diagnostic *where)
{
    struct minimax search = {.ahead = options->ahead};
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

gws_status gws_connect_four(struct gws_runtime *runtime, const struct gws_connect_four_options *options,
                            struct gws_connect_four_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, connect_four(runtime, options, result, where));
}
