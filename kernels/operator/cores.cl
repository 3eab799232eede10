/* SPDX-License-Identifier: MIT */
/* Coreness by peeling (Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", 2017). data[0] is the
 * number of neighbours left, and at the end the coreness. Bucket k has the vertices with k neighbours left. A round
 * removes them and lowers the numbers of their neighbours. A neighbour whose number falls to k follows in the next
 * round. The number of a removed vertex stays at k, which is the threshold - 1. Loops and parallel arcs do not count.
 * word[0]: 1 if the graph has none of them. word[3]: 1, the width of a bucket. The graph is undirected. A vertex that is
 * found in its own bucket follows without a round, if a warp finds few (engine/push.cl). */
#define OPERATOR_REENTERS 1
#define OPERATOR_WEIGHTED 0
#define OPERATOR_PULL OPERATOR_PULL_NONE
#define OPERATOR_BUCKETS 1
#define OPERATOR_ONCE 1

typedef u32 op_word;

/* Returns false for a loop, and for each parallel arc but the first. */
device_inline bool counts_arc(const op_engine *s, u32 from, u32 to, u64 arc)
{
    if (s->word[0]) return true;
    return to != from && (arc == s->offset[from] || s->target[arc - 1] != to);
}

device_inline bool op_first(const op_engine *s, u32 vertex)
{
    u64 begin = s->offset[vertex], end = s->offset[(u64)vertex + 1];
    u32 neighbours = s->word[0] ? (u32)(end - begin) : 0;
    for (u64 arc = begin; arc < end && !s->word[0]; arc++)
        neighbours += counts_arc(s, vertex, s->target[arc], arc) ? 1 : 0;
    s->data[0][vertex] = neighbours;
    return neighbours > 0;
}

/* Returns `to` if the arc lowers a number. A stale number is too high and only costs an atomic operation that changes
 * nothing. In small frontiers such an operation costs less than a load before it. */
device_inline op_word op_peek(const op_engine *s, u32 from, u32 to, u64 arc)
{
    if (to == NONE || !counts_arc(s, from, to, arc)) return NONE;
    return s->own_rounds > 0 || word_stale(&s->data[0][to]) >= s->threshold ? to : NONE;
}

/* The item that lowers a number from the threshold to k removes the vertex. If another item has removed the vertex in
 * the meantime, this item restores the number. A removed vertex has as many such visitors as neighbours left, so the
 * number does not fall below 0. */
device_inline op_word op_claim(const op_engine *s, u32 from, u32 to, op_word peeked)
{
    (void)from;
    if (peeked == NONE) return NONE;
    u32 before = word_add(&s->data[0][to], 0xffffffffu);
    if (before < s->threshold) (void)word_add(&s->data[0][to], 1u);
    return before == s->threshold ? to : NONE;
}

device_inline bool op_commit(const op_engine *s, u32 from, u32 to, op_word claimed)
{
    (void)s;
    (void)from;
    (void)to;
    return claimed != NONE;
}

/* A claimed vertex is in the bucket that is being removed. */
device_inline u32 op_found_priority(const op_engine *s, u32 to, op_word claimed)
{
    (void)s;
    (void)to;
    (void)claimed;
    return 0;
}

device_inline u32 op_priority(const op_engine *s, u32 vertex)
{
    return word_fresh(&s->data[0][vertex]);
}

device_inline bool op_counts(const op_engine *s, u32 vertex)
{
    return op_priority(s, vertex) > 0;
}
