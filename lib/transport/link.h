/* SPDX-License-Identifier: MIT */
/* One-sided access among ranks. Every rank opens a window of as many 64-bit words. A rank reads and writes the words of
 * any window, its own included, without the help of their owner. All accesses to one window go through one link,
 * because atomics of different links need not be atomic to each other.
 *
 * Orders: a rank that sees a value of swap() or add() through load(), swap() or add() also sees what the writer had put
 * and flushed before. get() and put() move words that no other rank accesses at the same time.
 *
 * There is no compare-and-swap: in Open MPI 4 it may end the process. A lock is a word and swap(). */
#ifndef GWS_TRANSPORT_LINK_H
#define GWS_TRANSPORT_LINK_H

#include <stdint.h>

struct gws__link {
    const char *name;
    /* Returns when the words have arrived. Each is read atomically, but not all at once. */
    void (*load)(void *window, uint32_t rank, uint64_t word, uint32_t count, uint64_t *to);
    /* Both end with flush(): the words have arrived then, and `from` stays unchanged until then. */
    void (*get)(void *window, uint32_t rank, uint64_t word, uint64_t count, uint64_t *to);
    void (*put)(void *window, uint32_t rank, uint64_t word, uint64_t count, const uint64_t *from);
    void (*flush)(void *window, uint32_t rank);
    /* Atomic; each returns the old value. */
    uint64_t (*swap)(void *window, uint32_t rank, uint64_t word, uint64_t value);
    uint64_t (*add)(void *window, uint32_t rank, uint64_t word, uint64_t value);
};

/* Words in the memory that ranks of one host share, with the atomics of C11. The window is an array: entry r has the
 * address of rank r's words in this process. */
extern const struct gws__link gws__link_shared;

#endif
