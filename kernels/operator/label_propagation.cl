/* SPDX-License-Identifier: MIT */
/* Label propagation: data[0] is a label, initially the vertex's own number. Every vertex adopts the minimum label of
 * the vertices with an arc towards it, until nothing changes. On an undirected graph all vertices of a component end
 * with its minimum number. */
#define OPERATOR_REENTERS 1
#define OPERATOR_WEIGHTED 0
#define OPERATOR_PULL OPERATOR_PULL_ALL
#define OPERATOR_BUCKETS 0
#define OPERATOR_ONCE 0

typedef u32 op_word;

device_inline bool op_first(const op_engine *s, u32 vertex)
{
    s->data[0][vertex] = vertex;
    return true;
}

/* Returns the label that `to` may adopt, or NONE if `to` has a lower one. A stale label only costs one more atomic
 * operation. */
device_inline op_word op_peek(const op_engine *s, u32 from, u32 to, u64 arc)
{
    (void)arc;
    if (to == NONE) return NONE;
    u32 label = word_fresh(&s->data[0][from]);
    return label < word_stale(&s->data[0][to]) ? label : NONE;
}

device_inline op_word op_claim(const op_engine *s, u32 from, u32 to, op_word label)
{
    (void)from;
    if (label == NONE) return NONE;
    return word_min(&s->data[0][to], label) > label ? label : NONE;
}

device_inline bool op_commit(const op_engine *s, u32 from, u32 to, op_word label)
{
    (void)s;
    (void)from;
    (void)to;
    return label != NONE;
}

/* No label is lower than 0. */
device_inline bool op_wants(const op_engine *s, u32 to)
{
    return word_fresh(&s->data[0][to]) > 0;
}

/* One vertex of each component keeps its own number. */
device_inline bool op_counts(const op_engine *s, u32 vertex)
{
    return word_fresh(&s->data[0][vertex]) == vertex;
}
