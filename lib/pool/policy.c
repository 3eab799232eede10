/* SPDX-License-Identifier: MIT */
/* The queues of threads behind the policies of lib/policy/table.c. */
#include "pool.h"

const struct gws_work_queue *gws__work_queue_of(enum gws__queue queue)
{
    static const struct gws_work_queue *const of[GWS__QUEUES] = {
        [GWS__QUEUE_CHUNKED] = &gws__work_queue_chunked,
        [GWS__QUEUE_CURSOR] = &gws__work_queue_cursor,
        [GWS__QUEUE_STATIC] = &gws__work_queue_static,
        [GWS__QUEUE_CENTRAL] = &gws__work_queue_central,
    };
    return of[queue];
}

const struct gws_task_queue *gws__task_queue_of(enum gws__queue queue)
{
    static const struct gws_task_queue *const of[GWS__QUEUES] = {
        [GWS__QUEUE_ABP] = &gws__task_queue_abp,       [GWS__QUEUE_CHASELEV] = &gws__task_queue_chaselev,
        [GWS__QUEUE_SPLIT] = &gws__task_queue_split,   [GWS__QUEUE_WORKPILE] = &gws__task_queue_workpile,
        [GWS__QUEUE_GLOBAL] = &gws__task_queue_global,
    };
    return of[queue];
}
