/* SPDX-License-Identifier: MIT */
/* What both operators of breadth-first search do alike (bfs.cl, bfs_parted.cl). data[0] is the depth, and data[1] is the
 * parent. Both are NONE for an unreached vertex. An item claims a vertex by its bit in visited. A stale word of visited
 * costs one more atomic operation. */
#define OPERATOR_REENTERS 0
#define OPERATOR_WEIGHTED 0
#define OPERATOR_PULL OPERATOR_PULL_FIRST

typedef u32 op_word;

device_inline op_word op_peek(const op_engine *s, u32 from, u32 to, u64 arc)
{
    (void)from;
    (void)arc;
    return to == NONE ? NONE : word_stale(&s->visited[to / 32]);
}

device_inline op_word op_claim(const op_engine *s, u32 from, u32 to, op_word word)
{
    u32 bit = 1u << to % 32, before = NONE;
    (void)from;
    if (!(word & bit)) before = word_or(&s->visited[to / 32], bit);
    return before;
}

device_inline bool op_wants(const op_engine *s, u32 to)
{
    return !(s->visited[to / 32] >> to % 32 & 1);
}

device_inline void op_unreached(const op_engine *s, u32 vertex)
{
    s->data[0][vertex] = NONE;
    s->data[1][vertex] = NONE;
}
