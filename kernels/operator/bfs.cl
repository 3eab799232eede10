/* SPDX-License-Identifier: MIT */
/* Breadth-first search from word[0]. data[0] is the depth, and data[1] is the parent. Both are NONE for an unreached
 * vertex. An item claims a vertex by its bit in visited. A stale word of visited costs one more atomic operation. */
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

device_inline bool op_commit(const op_engine *s, u32 from, u32 to, op_word before)
{
    if (before >> to % 32 & 1) return false;
    s->data[0][to] = s->level + 1;
    s->data[1][to] = from;
    return true;
}

device_inline bool op_wants(const op_engine *s, u32 to)
{
    return !(s->visited[to / 32] >> to % 32 & 1);
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

device_inline void op_unreached(const op_engine *s, u32 vertex)
{
    s->data[0][vertex] = NONE;
    s->data[1][vertex] = NONE;
}
