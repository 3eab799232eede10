/* SPDX-License-Identifier: MIT */
/* Queens on a device. A task is a board whose first rows are filled: the occupied columns, and the columns that
 * diagonals attack in the next row, one bit each. Child i has a queen in the i-th safe column of the next row. data[0]
 * has a bit for each column. Sum 0 counts the full boards. */
#define TASK_LENGTH 3u

device_inline u32 safe_columns(u32 all, const u32 *board)
{
    return all & ~(board[0] | board[1] | board[2]);
}

device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)
{
    u32 all = s->data[0], safe = safe_columns(all, parent);
    for (; i > 0; i--) safe &= safe - 1; /* drops the first column */
    u32 queen = safe & (0u - safe);
    child[0] = parent[0] | queen;
    child[1] = (parent[1] | queen) << 1;
    child[2] = (parent[2] | queen) >> 1;
    if (child[0] == all) task_add(s, 0, 1);
    return bit_count(safe_columns(all, child));
}
