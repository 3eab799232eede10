/* SPDX-License-Identifier: MIT */
/* CPU workers on deques shared with the device. octree_tasks_{abp,chunked}.c include this file, each after the kernel
 * source of one kind of deque. CPU workers run the device's kernel source, as groups of one item, so both sides agree
 * on the layout of a task and on memory orders. GWS_WORKER: the exported function. */
#include "octree_tasks.h"

static _Thread_local struct gws__shared_deques *gws_host_deques;
#define tasks_are_lost() gws__shared_deques_stalled(gws_host_deques)
#define MAX_FAILED_POLLS 256u

#include "../../../kernels/hetero/trace_words.h"

#include "../../../kernels/hetero/trace.cl"
#include "../../../kernels/octree/rank.cl"

#include "../../../kernels/octree/octree_words.cl"

#include "../../../kernels/octree/octree_tasks.cl"

#include "../../../kernels/octree/octree.cl"
#include "../../../kernels/octree/octree_steal.cl"

void GWS_WORKER(struct gws__octree_tasks *tasks, struct gws__shared_deques *deques, uint32_t self)
{
    void *const *array = tasks->host;
    const struct gws__octree_params *params = &tasks->params;
    const struct octree t = {.key = array[gws__octree_key],
                             .other_key = array[gws__octree_other_key],
                             .number = array[gws__octree_number],
                             .other_number = array[gws__octree_other_number],
                             .out = array[gws__octree_out],
                             .entry = array[gws__octree_entry],
                             .done = array[gws__octree_done],
                             .inner = array[gws__octree_inner],
                             .control = array[gws__octree_control],
                             .pool = {array[gws__octree_deques], params->queue_capacity, params->chunk},
                             .stats = array[gws__octree_counts],
                             .words = *params};
    OCTREE_GROUP_STATE(group);
    gws_host_deques = deques;
    gws_host_group = self;
    gws_host_groups = tasks->groups;
    work(t, self, gws__octree_tasks_workers(tasks), MAX_FAILED_POLLS, group);
}
