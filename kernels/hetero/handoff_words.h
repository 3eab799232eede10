/* SPDX-License-Identifier: MIT */
/* Handoff of whole levels: a run passes from the host to a device and back. Only one side continues the run at a time.
 * The device continues the run while the kernel runs. So every word has one writer at a time, and the start and the end
 * of a kernel order the writes. handoff_rule.h decides when a handoff is due. lib/hetero/handoff.h is the host's side.
 * engine/state.cl and cuda/handoff.cuh are the device's side. */
#ifndef GWS_KERNELS_HANDOFF_WORDS_H
#define GWS_KERNELS_HANDOFF_WORDS_H

#ifndef device_inline /* the host, without a portability header */
#include <stdbool.h>
#include <stdint.h>
#define device_inline static inline
#define local_mem
typedef uint32_t u32;
typedef uint64_t u64;
#endif

/* The position of a run before a level. A run whose vertices re-enter sets only level and size. */
struct gws__handoff_point {
    u32 level, size, reached, pulls; /* the frontier's depth and size, vertices reached, levels that pulled */
    u64 arcs, unseen;                /* arcs of the frontier's rows, and of rows that no level has expanded */
};

/* The result of a launch. The host clears the words before the launch. The device writes them before the kernel
 * ends. */
struct gws__handoff_state {
    struct gws__handoff_point at;
    u32 handed_off; /* 1: the run continues on the host; 0: it is finished */
    u32 entries;    /* entries in a search's list (below) */
    /* Timing, on devices with clocks: ticks at the kernel's begin, before the level, after the level, and at the
     * kernel's end; nanoseconds at the kernel's begin and end. */
    u64 ticks[4], ns[2];
};

/* A search's list of the frontier has two words per entry: a vertex (~0: none) and the parent of the vertex. The device
 * does not write the parents. GWS_HANDOFF_CAPACITY is the maximum number of arcs of a frontier handed off to the host,
 * and of vertices of a frontier handed off to the device. */
#define GWS_HANDOFF_CAPACITY 16384u

#endif
