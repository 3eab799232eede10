/* SPDX-License-Identifier: MIT */
/* An operator, kernels/operator/NAME.cl, defines how a traversal processes an arc. Both engines inline the same source:
 * kernels/engine/ on devices, traversal/engine/ in CPU threads. An operator defines:
 *
 *     OPERATOR_REENTERS        1: a vertex may enter the frontier again
 *     OPERATOR_WEIGHTED        1: the operator reads s->weight
 *     OPERATOR_PULL            one of the constants below
 *     OPERATOR_BUCKETS         1, if vertices re-enter: frontiers come in buckets of op_priority(), of width word[3]
 *     OPERATOR_ONCE            1, if vertices re-enter: each vertex enters a frontier at most once, in one bucket
 *     op_word                  a type
 *
 *     op_word op_peek(s, from, to, arc)        early loads; to is NONE if there is no arc, but
 *                                              without pull, from is a vertex and arc an arc even then
 *     op_word op_claim(s, from, to, peeked)    the atomic operation
 *     bool op_commit(s, from, to, claimed)     the writes; true: to enters the next frontier
 *     bool op_wants(s, to)                     pull: whether to reads its neighbours
 *     bool op_accepts(s, to, from, arc)           pull first: whether to accepts the neighbour
 *
 * An engine processes several arcs at once. It peeks at all of them, then claims all, then commits all. op_accepts()
 * writes nothing. Pull calls op_commit() with OPERATOR_WON for the first accepted neighbour.
 *
 * s is the engine, of type op_engine, a struct that each engine defines. Both structs have the fields that operators
 * use: visited (a bitmap), level, data (arrays of a word for each vertex), weight (a word for each arc), and word
 * (scalars). A traversal that visits each vertex once starts at the vertex word[0]:
 *
 *     void op_start(s, vertex)                 writes the data of the first vertex
 *     void op_unreached(s, vertex)             writes the data of an unreached vertex
 *
 * A traversal with re-entering vertices starts with a pass over all vertices:
 *
 *     bool op_first(s, vertex)                 writes a vertex's initial data; true: it is in the first frontier
 *     bool op_counts(s, vertex)                whether the vertex is counted at the end
 *     u32 op_priority(s, vertex)               with buckets: the lowest runs first; NONE: never
 *     u32 op_found_priority(s, to, claimed)    with buckets: the priority of the vertex of a committed arc, without
 *                                              a load */
#ifndef GWS_KERNELS_OPERATOR_H
#define GWS_KERNELS_OPERATOR_H

#define NONE 0xffffffffu /* no vertex */

#define OPERATOR_PULL_NONE 0  /* push only */
#define OPERATOR_PULL_FIRST 1 /* a vertex stops at the first accepted neighbour */
#define OPERATOR_PULL_ALL 2   /* pull reads complete rows and peeks, claims and commits their arcs as push does */

#define NO_ARC (~(u64)0) /* an arc whose number pull does not know */
#define OPERATOR_WON 0u  /* the result of op_claim() for an arc that wins */

#endif
