/* SPDX-License-Identifier: MIT */
/* Shortest paths from word[0] over arcs of non-negative weights, by the near-far variant of delta-stepping (Davidson,
 * Baxter, Garland, Owens, IPDPS 2014; Meyer, Sanders, J. Algorithms 2003). data[0] is the distance; NONE: not reached,
 * or farther than a word holds. word[3] is delta; NONE: there is one bucket. */
#define OPERATOR_REENTERS 1
#define OPERATOR_WEIGHTED 1
#define OPERATOR_PULL OPERATOR_PULL_NONE
#define OPERATOR_BUCKETS 1

typedef u32 op_word;

device_inline bool op_first(const struct engine *s, u32 vertex)
{
    s->data[0][vertex] = vertex == s->word[0] ? 0 : NONE;
    return vertex == s->word[0];
}

/* The distance of `to` over the arc; NONE: it is not shorter. */
device_inline op_word op_peek(const struct engine *s, u32 from, u32 to, u64 arc)
{
    if (to == NONE) return NONE;
    u32 near = word_fresh(&s->data[0][from]), far = near + s->weight[arc];
    return far >= near && far < word_stale(&s->data[0][to]) ? far : NONE;
}

device_inline op_word op_claim(const struct engine *s, u32 from, u32 to, op_word far)
{
    (void)from;
    if (far == NONE) return NONE;
    return word_min(&s->data[0][to], far) > far ? far : NONE;
}

device_inline bool op_commit(const struct engine *s, u32 from, u32 to, op_word far)
{
    (void)s;
    (void)from;
    (void)to;
    return far != NONE;
}

device_inline u32 op_priority(const struct engine *s, u32 vertex)
{
    return word_fresh(&s->data[0][vertex]);
}

device_inline bool op_counts(const struct engine *s, u32 vertex)
{
    return op_priority(s, vertex) != NONE;
}
