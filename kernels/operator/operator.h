/* SPDX-License-Identifier: MIT */
/* An operator, kernels/operator/NAME.cl, is what a traversal does with an arc. The engines inline it: kernels/engine/
 * on devices, traversal/engine/ in the CPU's threads, both from the same text. It defines:
 *
 *     OPERATOR_REENTERS        1: a vertex may enter the frontier again
 *     OPERATOR_WEIGHTED        1: it reads s->weight
 *     OPERATOR_PULL            one of those below
 *     OPERATOR_BUCKETS         1, if it re-enters: frontiers come in buckets of op_priority(), word[3] each
 *     op_word                  a type
 *
 *     op_word op_peek(s, from, to, arc)        early loads; to may be NONE: none
 *     op_word op_claim(s, from, to, peeked)    the atomic
 *     bool op_commit(s, from, to, got)         what is written; true: to enters the next frontier
 *     bool op_wants(s, to)                     pull: whether to looks at its neighbours
 *     bool op_accepts(s, to, from, arc)           pull, first: whether the neighbour will do
 *
 * Several arcs are peeked, claimed and committed at once, each step for all of them. op_accepts() writes nothing: for
 * the first neighbour that will do, pull calls op_commit() with OPERATOR_WON.
 *
 * An operator reaches its arrays through fields that struct engine has in both engines: visited (a bitmap), level, data
 * (arrays of a word for each vertex), weight (a word for each arc), and word (scalars). A traversal whose vertices come
 * once starts at the vertex word[0]:
 *
 *     void op_start(s, vertex)                 writes the data of the first vertex
 *     void op_unreached(s, vertex)             writes the data of a vertex that is not reached
 *
 * One that re-enters starts with a look at all vertices:
 *
 *     bool op_first(s, vertex)                 writes a vertex's first data; true: it is in the first frontier
 *     bool op_counts(s, vertex)                whether the vertex is counted at the end
 *     u32 op_priority(s, vertex)               with buckets: of the lowest first; NONE: never */
#ifndef GWS_KERNELS_OPERATOR_H
#define GWS_KERNELS_OPERATOR_H

#define NONE 0xffffffffu /* no vertex */

#define OPERATOR_PULL_NONE 0  /* push only */
#define OPERATOR_PULL_FIRST 1 /* the first neighbour that will do ends the look */
#define OPERATOR_PULL_ALL 2   /* a row is read whole; its arcs are peeked, claimed and committed as in push */

#define NO_ARC (~(u64)0) /* an arc whose number pull does not know */
#define OPERATOR_WON 0u  /* what op_claim() returns for an arc that wins */

#endif
