/* SPDX-License-Identifier: MIT */
/* Four-in-a-row: minimax of fixed depth (Cederman and Tsigas, GPU Computing Gems Jade, section 35.4.1; rules in
 * workloads/connect_four.h). A task is a position. A lane evaluates a position, and the successors of a position one
 * move above the search depth, too, so six of seven positions need no task.
 *
 * Values go to a table with an entry for each sequence of moves up to level TABLE. A position without tasks below writes
 * its value there, or improves the entry of its parent if the parent is on level TABLE. The host computes the values of
 * the levels above (workloads/connect_four_device.c). So no position waits for its successors. */
#define TASK_LENGTH CONNECT_LENGTH

/* A board as in workloads/connect_four_nodes.h: a column has 7 bits, the lowest row first, the highest bit always 0. */
struct four_board {
    u64 all, next; /* all tokens; tokens of the player to move */
};

#define BOARD_TOPS 0x810204081020u /* the highest row */

device_inline bool board_has_space(struct four_board b, u32 column)
{
    return (b.all >> (column * 7 + 5) & 1) == 0;
}

device_inline bool board_is_full(struct four_board b)
{
    return (~b.all & (u64)BOARD_TOPS) == 0;
}

device_inline struct four_board board_drop(struct four_board b, u32 column)
{
    b.next ^= b.all;
    b.all |= b.all + ((u64)1 << (column * 7));
    return b;
}

device_inline bool board_has_four(u64 tokens)
{
    u64 up = tokens & (tokens >> 1), right = tokens & (tokens >> 7);
    u64 rising = tokens & (tokens >> 8), falling = tokens & (tokens >> 6);
    return ((up & (up >> 2)) | (right & (right >> 14)) | (rising & (rising >> 16)) | (falling & (falling >> 12))) != 0;
}

device_inline u32 long_bit_count(u64 word)
{
    return bit_count((u32)word) + bit_count((u32)(word >> 32));
}

device_inline u32 rows_in_direction(u64 tokens, u32 step)
{
    return long_bit_count(tokens & (tokens >> step) & ~(tokens << step));
}

/* Returns the number of rows of two or three tokens, on a board without four in a row. */
device_inline u32 board_rows(u64 tokens)
{
    return rows_in_direction(tokens, 1) + rows_in_direction(tokens, 7) + rows_in_direction(tokens, 8) + rows_in_direction(tokens, 6);
}

/* Returns the value of a leaf. The first player moves next on even levels. */
device_inline u32 leaf_value(struct four_board b, u32 level, bool is_won)
{
    bool first = level % 2 == 0;
    if (is_won) return first ? CONNECT_LOST : CONNECT_WON;
    u32 next = board_rows(b.next), last = board_rows(b.all ^ b.next);
    return CONNECT_BIAS + (first ? next - last : last - next);
}

device_inline u32 better(u32 level, u32 a, u32 b)
{
    return (a > b) == (level % 2 == 0) ? a : b;
}

/* Returns the value of a position whose successors are leaves. */
device_inline u32 value_above_leaves(struct task_state *s, struct four_board b, u32 level)
{
    u32 best = level % 2 == 0 ? CONNECT_LOST : CONNECT_WON, leaves = 0;
    for (u32 column = 0; column < 7; column++) {
        if (!board_has_space(b, column)) continue;
        struct four_board after = board_drop(b, column);
        best = better(level, best, leaf_value(after, level + 1, board_has_four(after.all ^ after.next)));
        leaves++;
    }
    task_add(s, CONNECT_SERIAL, leaves);
    task_add(s, CONNECT_LEAVES, leaves);
    return best;
}

/* Returns the value of a position on level TABLE as an entry that only increases: on odd levels, where the lowest value
 * counts, the negative. No value becomes 0. */
device_inline u32 table_value(u32 table, u32 value)
{
    return table % 2 == 0 ? value : 0u - value;
}

/* Stores the value of a position without tasks below it. The entry of its parent may be in the tables of several sides
 * (workloads/connect_four_device.c). */
device_inline void report_value(struct task_state *s, u32 level, u32 path, u32 value)
{
    u32 table = s->more[CONNECT_TABLE];
    if (level < table)
        word_store(&s->data[s->more[CONNECT_OFFSET + level] + path], value);
    else
        (void)word_max(&s->data[s->more[CONNECT_OFFSET + table] + (level == table ? path : path / 7)],
                       table_value(table, value));
}

device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)
{
    struct four_board b = {(u64)parent[1] << 32 | parent[0], (u64)parent[3] << 32 | parent[2]};
    u32 column = 0, level = parent[CONNECT_LEVEL] + 1, ahead = s->more[CONNECT_AHEAD];
    for (u32 seen = 0; column < 6; column++) {
        if (!board_has_space(b, column)) continue;
        if (seen++ == i) break;
    }
    b = board_drop(b, column);
    child[0] = (u32)b.all;
    child[1] = (u32)(b.all >> 32);
    child[2] = (u32)b.next;
    child[3] = (u32)(b.next >> 32);
    child[CONNECT_LEVEL] = level;
    child[CONNECT_PATH] = parent[CONNECT_PATH] * 7 + column;
    bool is_won = board_has_four(b.all ^ b.next);
    if (is_won || level == ahead || board_is_full(b)) {
        task_add(s, CONNECT_LEAVES, 1);
        report_value(s, level, child[CONNECT_PATH], leaf_value(b, level, is_won));
        return 0;
    }
    if (level + 1 == ahead) {
        report_value(s, level, child[CONNECT_PATH], value_above_leaves(s, b, level));
        return 0;
    }
    return long_bit_count(~b.all & (u64)BOARD_TOPS);
}
