/* SPDX-License-Identifier: MIT */
/* Queues of level tasks that CPU workers and work-groups share (Abdelmageed's thesis, chapter 3). This header compiles
 * the device's kernel sources kernels/queue/queue_*.cl and acquire.cl for CPU workers, with a different prefix for each
 * queue. Include kernels/portability/host.h before this header. If GWS_SEQ_CST is defined before that, all atomics are
 * sequentially consistent. GWS__QUEUES initialises a table with the rows static, cursor, chunked and abp. A row has
 * four functions: fill, given, left and take. left() returns whether the owner could still get a task. */
#include "../../kernels/queue/queue_words.h"

#define GWS__JOIN(a, b) a##_##b
#define GWS__NAMED(kind, name) GWS__JOIN(kind, name)
#define queue_fill GWS__NAMED(QUEUE_KIND, queue_fill)
#define queue_pop GWS__NAMED(QUEUE_KIND, queue_pop)
#define queue_steal GWS__NAMED(QUEUE_KIND, queue_steal)
#define queue_holds GWS__NAMED(QUEUE_KIND, queue_holds)
#define steal_from GWS__NAMED(QUEUE_KIND, steal_from)
#define acquire_range GWS__NAMED(QUEUE_KIND, acquire_range)

/* clang-format off */
#define QUEUE_KIND static
#include "../../kernels/queue/queue_static.cl"
#include "../../kernels/queue/acquire.cl"
#undef QUEUE_KIND
#define QUEUE_KIND cursor
#include "../../kernels/queue/queue_cursor.cl"
#include "../../kernels/queue/acquire.cl"
#undef QUEUE_KIND
#define QUEUE_KIND chunked
#include "../../kernels/queue/queue_chunked.cl"
#include "../../kernels/queue/acquire.cl"
#undef QUEUE_KIND
#define QUEUE_KIND abp
#include "../../kernels/queue/queue_abp.cl"
#include "../../kernels/queue/acquire.cl"
#undef QUEUE_KIND
/* clang-format on */

static u64 part_given(atom64 *queue, u32 part)
{
    return queue_assigned(queue + part * QUEUE_STRIDE);
}

/* Returns whether a part has chunks left. Part 0 may be the common part, from which workers take one chunk after the
 * other. */
static bool static_left(atom64 *queue, u32 part)
{
    const atom64 *q = queue + part * QUEUE_STRIDE;
    u64 next = atom_load(&q[QUEUE_ENDS], order_relaxed) * atom_load(&q[QUEUE_CHUNK], order_relaxed);
    return atom_load(&q[QUEUE_BEGIN], order_relaxed) + next < atom_load(&q[QUEUE_END], order_relaxed);
}

static bool cursor_left(atom64 *queue, u32 part)
{
    (void)part;
    return static_left(queue, 0);
}

#define GWS__QUEUES                                                                                                    \
    {static_queue_fill, part_given, static_left, static_acquire_range},                                                \
        {cursor_queue_fill, part_given, cursor_left, cursor_acquire_range},                                            \
        {chunked_queue_fill, part_given, chunked_queue_holds, chunked_acquire_range},                                  \
    {                                                                                                                  \
        abp_queue_fill, part_given, abp_queue_holds, abp_acquire_range                                                 \
    }
