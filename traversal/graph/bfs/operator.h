/* SPDX-License-Identifier: MIT */
/* The operator of breadth-first search, and the additional functions that the engine on CPU threads needs
 * (traversal/engine/advance_body.h). */
#ifndef GWS_TRAVERSAL_BFS_OPERATOR_H
#define GWS_TRAVERSAL_BFS_OPERATOR_H

#define GWS_HOST_WORKER
#include "../../../kernels/portability/host.h"

#include "../../../kernels/operator/operator.h"
#include "../../engine/engine.h"

#include "../../../kernels/operator/bfs_claim.cl"

#include "../../../kernels/operator/bfs.cl"

#define OPERATOR_WRITES 2
#define OPERATOR_NOW 1 /* the data[] array that op_commit_now() writes */

static inline bool op_open(const struct engine *s, u32 to, op_word word)
{
    (void)s;
    return (word & 1u << to % 32) == 0;
}

static inline void op_commit_now(const struct engine *s, u32 from, u32 to)
{
    s->data[1][to] = from;
}

static inline void op_commit_late(const struct engine *s, u32 vertex)
{
    s->data[0][vertex] = s->level;
}

#endif
