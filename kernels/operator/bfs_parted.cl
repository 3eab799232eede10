/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a parted graph (engine/parted.cl), like bfs.cl. A parent has its number in the whole graph.
 * In push all items of a warp call op_commit() together, which sends the vertices of other parts. */
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
    const struct parted *p = (const struct parted *)s;
    bool won = !(before >> to % 32 & 1), own = to - p->base < s->vertices;
    if (won && own) {
        s->data[0][to] = s->level + 1;
        s->data[1][to] = from;
    }
    if (p->sends) send_found(p, won && !own, from, to);
    return won && own;
}

device_inline bool op_wants(const op_engine *s, u32 to)
{
    return !(s->visited[to / 32] >> to % 32 & 1);
}

/* The vertex `from` may be in any part. */
device_inline bool op_accepts(const op_engine *s, u32 to, u32 from, u64 arc)
{
    const struct parted *p = (const struct parted *)s;
    (void)to;
    (void)arc;
    return p->bitmap[0][from / 32] >> from % 32 & 1;
}

device_inline void op_unreached(const op_engine *s, u32 vertex)
{
    s->data[0][vertex] = NONE;
    s->data[1][vertex] = NONE;
}
