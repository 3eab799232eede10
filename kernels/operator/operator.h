/* SPDX-License-Identifier: MIT */
/* An operator, kernels/operator/NAME.cl, is what a traversal does with an arc. The engines inline it: kernels/engine/
 * on devices, traversal/engine/ in the CPU's threads, both from the same text.
 *
 * It defines OPERATOR_REENTERS (1: a vertex may enter the frontier again), OPERATOR_WEIGHTED (1: it reads s->weight),
 * OPERATOR_PULL (below), the type op_word, and:
 *
 *     op_word op_peek(s, from, to, arc)        early loads; to may be NONE: none
 *     op_word op_claim(s, from, to, peeked)    the atomic
 *     bool op_commit(s, from, to, got)         what is written; true: to enters the next frontier
 *     bool op_wants(s, to)                     pull: whether to looks for a neighbour
 *     bool op_look(s, to, from, arc)           pull: whether the neighbour will do
 *
 * Push peeks, claims and commits several arcs at once, each step for all of them. Pull writes nothing in op_look() of
 * OPERATOR_PULL_FIRST: for the first neighbour that will do, it calls op_commit() with OPERATOR_WON.
 *
 * An operator reaches its arrays through fields that struct engine has in both engines: visited (a bitmap), level, data
 * (arrays of a word for each vertex), weight (a word for each arc), and word (scalars). A traversal that starts at one
 * vertex, which is word[0], defines:
 *
 *     void op_start(s, vertex)                 writes the data of the first vertex
 *     void op_unreached(s, vertex)             writes the data of a vertex that is not reached */
#ifndef GWS_KERNELS_OPERATOR_H
#define GWS_KERNELS_OPERATOR_H

#define NONE 0xffffffffu /* no vertex */

#define OPERATOR_PULL_NONE 0  /* push only */
#define OPERATOR_PULL_FIRST 1 /* the first neighbour that will do ends the look */

#define NO_ARC (~(u64)0) /* an arc whose number pull does not know */
#define OPERATOR_WON 0u  /* what op_claim() returns for an arc that wins */

#endif
