/* SPDX-License-Identifier: MIT */
/* Bouncing producer-consumer on a device: parameters (task_state.data), words of a task, and sums (bpc.cl). */
#ifndef GWS_KERNELS_BPC_WORDS_H
#define GWS_KERNELS_BPC_WORDS_H

#define BPC_CONSUMERS 0u
#define BPC_DEPTH 1u
#define BPC_TICKS 2u /* the time of a consumer in units of clock_ns(), 64 bits */
#define BPC_FIRST 4u /* the number of the device's first worker among the workers of all sides */
#define BPC_PARAMETERS 5u

/* A task is a producer or a consumer that has not run yet. TO_COME: generations after this producer. WORKER: the worker
 * that created the producer. */
#define BPC_KIND 0u
#define BPC_TO_COME 1u
#define BPC_WORKER 2u
#define BPC_LENGTH 3u
#define BPC_CONSUMER 0u
#define BPC_PRODUCER 1u

#define BPC_PRODUCED 0u /* producers with a parent */
#define BPC_CONSUMED 1u
#define BPC_BOUNCES 2u

#endif
