/* SPDX-License-Identifier: MIT */
/* The contract between a task and the loop that runs tasks on a device (task.cl).
 *
 * The source of a task defines
 *
 *     TASK_LENGTH   number of 32-bit words of a task, 1 to TASK_MAX_LENGTH
 *     device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)
 *
 * task_child() creates child number i of a task and runs the child: it writes the child's words and returns the number
 * of the child's own children. The loop calls task_child() exactly once for each child i = 0 .. n - 1 of each task with
 * n children, in any order and on any item. The child's words are read only if the result is not 0. Calls run
 * concurrently, also for children of one parent. Items of a warp may make different calls, so the function contains no
 * barrier and no warp function. It may read and write s->data by the functions of the portability header. It counts
 * with the macros below. */
#ifndef GWS_KERNELS_TASK_H
#define GWS_KERNELS_TASK_H

/* An item's state. */
struct task_state {
    global_mem u32 *data, *more; /* the caller's buffers */
    u64 sum[TASK_SUMS];
    u32 max[TASK_MAXES];
};

/* Adds to a sum, or raises a maximum, of the whole run. which: a constant below TASK_SUMS, or TASK_MAXES. */
#define task_add(s, which, value) ((void)((s)->sum[which] += (value)))
#define task_max(s, which, value) ((void)((s)->max[which] = (s)->max[which] > (value) ? (s)->max[which] : (value)))

#endif
