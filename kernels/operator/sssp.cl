/* SPDX-License-Identifier: MIT */
/* Shortest paths from word[0] over arcs of non-negative weights, by the near-far variant of delta-stepping (Davidson,
 * Baxter, Garland, Owens, IPDPS 2014; Meyer, Sanders, J. Algorithms 2003). data[0] is the distance; NONE: not reached,
 * or the distance exceeds a word. word[3] is delta; NONE: there is one bucket. */
#define OPERATOR_REENTERS 1
#define OPERATOR_WEIGHTED 1
#define OPERATOR_PULL OPERATOR_PULL_NONE
#define OPERATOR_BUCKETS 1

typedef u32 op_word;

device_inline bool op_first(const op_engine *s, u32 vertex)
{
    s->data[0][vertex] = vertex == s->word[0] ? 0 : NONE;
    return vertex == s->word[0];
}

/* The distance of `to` over the arc; NONE if it is not shorter. */
device_inline op_word op_peek(const op_engine *s, u32 from, u32 to, u64 arc)
{
    if (to == NONE) return NONE;
    u32 source_distance = word_fresh(&s->data[0][from]), distance = source_distance + s->weight[arc];
    return distance >= source_distance && distance < word_stale(&s->data[0][to]) ? distance : NONE;
}

device_inline op_word op_claim(const op_engine *s, u32 from, u32 to, op_word distance)
{
    (void)from;
    if (distance == NONE) return NONE;
    return word_min(&s->data[0][to], distance) > distance ? distance : NONE;
}

device_inline bool op_commit(const op_engine *s, u32 from, u32 to, op_word distance)
{
    (void)s;
    (void)from;
    (void)to;
    return distance != NONE;
}

device_inline u32 op_priority(const op_engine *s, u32 vertex)
{
    return word_fresh(&s->data[0][vertex]);
}

device_inline bool op_counts(const op_engine *s, u32 vertex)
{
    return op_priority(s, vertex) != NONE;
}
