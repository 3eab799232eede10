/* SPDX-License-Identifier: MIT */
/* Shortest paths from word[0] over arcs of non-negative weights, by the near-far variant of delta-stepping (Davidson,
 * Baxter, Garland, Owens, IPDPS 2014; Meyer, Sanders, J. Algorithms 2003). data[0] has the distances. Their type comes
 * from sssp_word.h, sssp_long.h or sssp_double.h. SSSP_UNREACHED: the vertex is not reached, or the type cannot hold
 * its distance. */
#define OPERATOR_REENTERS 1
#define OPERATOR_WEIGHTED 1
#define OPERATOR_PULL OPERATOR_PULL_NONE
#define OPERATOR_BUCKETS 1
#define OPERATOR_ONCE 0

typedef sssp_distance op_word;

#ifndef SSSP_PARTED
#define sssp_owns(s, vertex) true
#endif

device_inline global_mem sssp_distance *sssp_at(const op_engine *s, u32 vertex)
{
    return (global_mem sssp_distance *)s->data[0] + vertex;
}

device_inline bool op_first(const op_engine *s, u32 vertex)
{
    *sssp_at(s, vertex) = vertex == s->word[0] ? 0 : SSSP_UNREACHED;
    return vertex == s->word[0] && sssp_owns(s, vertex);
}

/* Returns the distance of `to` over the arc, or SSSP_UNREACHED if `to` has no longer distance. In small frontiers an
 * atomic operation costs less than a load before it. */
device_inline op_word op_peek(const op_engine *s, u32 from, u32 to, u64 arc)
{
    sssp_distance distance = sssp_add(sssp_fresh(sssp_at(s, from)), s->weight[arc]); /* loads before to is known */
    if (to == NONE) return SSSP_UNREACHED;
    return s->own_rounds > 0 || distance < word_stale(sssp_at(s, to)) ? distance : SSSP_UNREACHED;
}

device_inline op_word op_claim(const op_engine *s, u32 from, u32 to, op_word distance)
{
    (void)from;
    if (distance == SSSP_UNREACHED) return SSSP_UNREACHED;
    return sssp_min(sssp_at(s, to), distance) > distance ? distance : SSSP_UNREACHED;
}

device_inline bool op_commit(const op_engine *s, u32 from, u32 to, op_word distance)
{
    (void)s;
    (void)from;
    (void)to;
    return distance != SSSP_UNREACHED;
}

device_inline u32 op_found_priority(const op_engine *s, u32 to, op_word distance)
{
    (void)to;
    return sssp_bucket(s, distance);
}

device_inline u32 op_priority(const op_engine *s, u32 vertex)
{
    return sssp_bucket(s, sssp_fresh(sssp_at(s, vertex)));
}

device_inline bool op_counts(const op_engine *s, u32 vertex)
{
    return sssp_owns(s, vertex) && sssp_fresh(sssp_at(s, vertex)) != SSSP_UNREACHED;
}

#ifdef SSSP_PARTED
/* The sender's distance does not change while other devices receive. */
device_inline op_word op_received(const op_engine *s, u32 sender, u32 from, u32 to)
{
    (void)from;
    return to == NONE ? SSSP_UNREACHED : sssp_fresh(sssp_of(s, sender) + to);
}
#endif
