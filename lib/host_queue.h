/* SPDX-License-Identifier: MIT */
/* Host queues: queues of tasks from the host to persistent kernels (Chen, Villa, Krishnamoorthy, Gao, "Dynamic load
 * balancing on single- and multi-GPU systems", IPDPS 2010, sections 4.1 to 4.4).
 *
 * A persistent kernel takes tasks from its host queue by host_queue_take() (kernels/hetero/host_queue.cl), while the
 * host enqueues batches. A task is a word of 64 bits, whose meaning the caller defines, such as the number of a block
 * of atoms. Each enqueued task goes to one group, exactly once. The tasks leave in the order in which they were
 * enqueued. The task GWS_HOST_QUEUE_HALT tells one group to end, so the host enqueues as many of them as the kernel has
 * groups.
 *
 * Several devices have a queue each, and the host gives a task to the queue that has space first
 * (gws_host_queue_serve()).
 *
 * The slots lie in memory that host and device share. A device that shares no memory with the host has no host queue.
 */
#ifndef GWS_HOST_QUEUE_H
#define GWS_HOST_QUEUE_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GWS_HOST_QUEUE_HALT (~UINT64_C(0))

/* Writes the parts of the complete OpenCL program for a kernel that takes tasks by host_queue_take() to
 * part[GWS_HOST_QUEUE_PARTS], and returns their number, for gws_device_source.part and .parts. source must remain valid
 * as long as the parts are in use. For CUDA, nvcc compiles kernels/hetero/own_queue.cu of the installed kernels to an
 * image (docs/extending.md). */
enum { GWS_HOST_QUEUE_PARTS = 4 };
GWS_API uint32_t gws_host_queue_source(const char *source, const char **part);

struct gws_host_queue;

/* Makes a queue whose slots hold `capacity` tasks (at least 1). The device's memory holds as many again. runtime and
 * device must outlive the queue. One thread at a time uses a queue. Errors: GWS_INVALID (a capacity of 0, or over
 * 2^31), GWS_UNSUPPORTED (the device shares no memory with the host), GWS_NO_MEMORY, GWS_TOO_LARGE, GWS_DEVICE. */
GWS_API gws_status gws_host_queue_open(struct gws_runtime *runtime, struct gws_device *device, uint64_t capacity,
                                       struct gws_host_queue **queue, struct gws_diagnostic *where);

/* Frees the queue. No kernel may use it. NULL is allowed. */
GWS_API void gws_host_queue_close(struct gws_host_queue *queue);

/* Sets the kernel's three arguments for a queue: `words`, `state` and, as 64 bits, `capacity`. They stay valid as long
 * as the queue. */
enum { GWS_HOST_QUEUE_ARGUMENTS = 3 };
GWS_API void gws_host_queue_arguments(const struct gws_host_queue *queue,
                                      struct gws_device_argument argument[GWS_HOST_QUEUE_ARGUMENTS]);

/* Empties the queue before a launch. No kernel may use it. A kernel that has taken all tasks needs no reset. Errors:
 * GWS_DEVICE, GWS_NO_MEMORY. */
GWS_API gws_status gws_host_queue_reset(struct gws_host_queue *queue, struct gws_diagnostic *where);

/* Enqueues as many of the tasks as there is space for, with one store that publishes all of them. Returns their number.
 * Never waits. Cost: some ns a task. */
GWS_API uint64_t gws_host_queue_enqueue(struct gws_host_queue *queue, const uint64_t *task, uint64_t count);

/* Returns the number of tasks for which there is space now. */
GWS_API uint64_t gws_host_queue_space(const struct gws_host_queue *queue);

/* Makes every later host_queue_take() return HOST_QUEUE_HALT, also those that wait. Tasks in the queue may be lost. */
GWS_API void gws_host_queue_stop(struct gws_host_queue *queue);

/* Writes up to `max` further tasks for queue number `queue` to task[] and returns their number. 0: there are none, and
 * the queue gets no more. The last tasks are those that end the groups. */
typedef uint64_t gws_host_queue_next(void *context, uint32_t queue, uint64_t *task, uint64_t max);

/* Fills the queues of kernels that the caller has launched on the default streams of the queues' devices, until they
 * have ended. A queue gets new tasks when half of its slots are free, so next() balances the work between devices: the
 * faster one asks more often. A kernel may end early. Its queue then gets no more tasks and needs a reset. The calling
 * thread sleeps while all queues are full. cancellable: a cancelled call stops the queues, so some tasks do not run;
 * false: the call continues to the last task, and the caller polls for cancellation before or after it. Errors, after
 * which all queues are stopped and all kernels have ended or their devices are lost: GWS_CANCELLED, GWS_DEVICE (a
 * kernel failed, or took no task within the device's limit). GWS_BUSY: see lib/runtime.h. */
GWS_API gws_status gws_host_queue_serve(struct gws_host_queue *const *queue, uint32_t queues, gws_host_queue_next *next,
                                        void *context, bool cancellable, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
