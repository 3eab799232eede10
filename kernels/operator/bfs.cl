/* SPDX-License-Identifier: MIT */
/* Breadth-first search from word[0], after bfs_claim.cl. */

device_inline bool op_commit(const op_engine *s, u32 from, u32 to, op_word before)
{
    if (before >> to % 32 & 1) return false;
    s->data[0][to] = s->level + 1;
    s->data[1][to] = from;
    return true;
}

/* The bitmap visited does not change during a level, so it serves as the frontier. */
device_inline bool op_accepts(const op_engine *s, u32 to, u32 from, u64 arc)
{
    (void)to;
    (void)arc;
    return s->visited[from / 32] >> from % 32 & 1;
}

device_inline void op_start(const op_engine *s, u32 vertex)
{
    s->data[0][vertex] = 0;
    s->data[1][vertex] = vertex;
}
