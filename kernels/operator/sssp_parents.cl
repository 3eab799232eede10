/* SPDX-License-Identifier: MIT */
/* The tree of shortest paths from word[0]. sssp.cl has computed the distances in data[0]. data[1] is the parent (NONE:
 * none). The first arc that explains a vertex's distance claims the vertex in data[2]. An arc between equal distances
 * may claim only if its source is already claimed. Thus the parents have no cycle. If the arc comes too early, it marks
 * its source as waiting. A waiting vertex runs again once it is claimed. A vertex that is not reached because its
 * distance exceeds the type has the parent SSSP_TOO_FAR. */
#define OPERATOR_REENTERS 1
#define OPERATOR_WEIGHTED 1
#define OPERATOR_PULL OPERATOR_PULL_NONE
#define OPERATOR_BUCKETS 0
#define OPERATOR_ONCE 0

#define SSSP_TOO_FAR (NONE - 1u)

/* Bits of data[2]. */
#define SSSP_CLAIMED 1u
#define SSSP_WAITS 2u

typedef u32 op_word;

#ifndef SSSP_PARTED
#define sssp_owns(s, vertex) true
#define sssp_sends(s, parent, to) false
#endif

device_inline sssp_distance sssp_at(const op_engine *s, u32 vertex)
{
    return ((global_mem const sssp_distance *)s->data[0])[vertex];
}

device_inline bool op_first(const op_engine *s, u32 vertex)
{
    bool is_source = vertex == s->word[0];
#ifdef SSSP_PARTED
    if (!sssp_owns(s, vertex)) ((global_mem sssp_distance *)s->data[0])[vertex] = sssp_at_owner(s, vertex);
#endif
    s->data[1][vertex] = is_source ? vertex : NONE;
    s->data[2][vertex] = is_source ? SSSP_CLAIMED : 0;
    return sssp_owns(s, vertex) && sssp_at(s, vertex) != SSSP_UNREACHED;
}

/* Marks the vertex as waiting unless it is claimed. If it is claimed after the mark, op_commit() sees the mark, because
 * both are bits of one word. */
device_inline bool sssp_is_claimed(const op_engine *s, u32 vertex)
{
    if (word_fresh(&s->data[2][vertex]) & SSSP_CLAIMED) return true;
    return word_or(&s->data[2][vertex], SSSP_WAITS) & SSSP_CLAIMED;
}

/* Returns the parent that the arc offers, SSSP_TOO_FAR, or NONE. */
device_inline op_word op_peek(const op_engine *s, u32 from, u32 to, u64 arc)
{
    if (to == NONE) return NONE;
    sssp_distance source_distance = sssp_at(s, from), distance = sssp_add(source_distance, s->weight[arc]);
    if (distance == SSSP_UNREACHED) return sssp_at(s, to) == SSSP_UNREACHED ? SSSP_TOO_FAR : NONE;
    if (distance != sssp_at(s, to) || word_stale(&s->data[2][to]) & SSSP_CLAIMED) return NONE;
    return distance != source_distance || sssp_is_claimed(s, from) ? from : NONE;
}

device_inline op_word op_claim(const op_engine *s, u32 from, u32 to, op_word parent)
{
    (void)from;
    if (parent == NONE || parent == SSSP_TOO_FAR) return parent;
    return word_or(&s->data[2][to], SSSP_CLAIMED) & SSSP_CLAIMED ? NONE : parent;
}

device_inline bool op_commit(const op_engine *s, u32 from, u32 to, op_word parent)
{
    (void)from;
    if (sssp_sends(s, parent, to) || parent == NONE) return false;
    word_store(&s->data[1][to], parent);
    return parent != SSSP_TOO_FAR && word_fresh(&s->data[2][to]) & SSSP_WAITS;
}

device_inline bool op_counts(const op_engine *s, u32 vertex)
{
    return word_fresh(&s->data[1][vertex]) == SSSP_TOO_FAR;
}

#ifdef SSSP_PARTED
device_inline op_word op_received(const op_engine *s, u32 sender, u32 from, u32 to)
{
    (void)s;
    (void)sender;
    (void)to;
    return from;
}
#endif
