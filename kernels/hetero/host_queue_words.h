/* SPDX-License-Identifier: MIT */
/* The layout of a host queue, a queue of tasks from the host to a persistent kernel (host_queue.cl). A task is a word
 * of 64 bits. Counts are totals since the last reset. */
#ifndef GWS_KERNELS_HOST_QUEUE_WORDS_H
#define GWS_KERNELS_HOST_QUEUE_WORDS_H

/* In memory that host and device share: words of 64 bits. */
#define HOST_QUEUE_WRITTEN 0u /* the host writes it: tasks that it has written, or HOST_QUEUE_STOPPED */
#define HOST_QUEUE_READ 16u   /* the device writes it: tasks that it has copied from the slots */
#define HOST_QUEUE_SLOTS 32u  /* `capacity` slots; the task with number n lies in slot n % capacity */

/* In memory of the device alone: words of 64 bits. */
#define HOST_QUEUE_TICKET 0u /* tickets that groups have drawn */
#define HOST_QUEUE_OPEN 16u  /* tasks that groups may take, or HOST_QUEUE_STOPPED */
#define HOST_QUEUE_TAKEN 32u /* tasks that groups have taken */
#define HOST_QUEUE_BATCH 48u /* the last batch, in `capacity` slots */

#define HOST_QUEUE_HALT 0xffffffffffffffff    /* not a task: the group ends */
#define HOST_QUEUE_STOPPED 0xfffffffffffffffe /* the host has stopped the queue */

#endif
