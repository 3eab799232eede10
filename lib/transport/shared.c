/* SPDX-License-Identifier: MIT */
/* The link of ranks that share memory: plain loads and stores, and the atomics of C11. */
#include <stdatomic.h>
#include <string.h>

#include "link.h"

static uint64_t *at(void *window, uint32_t rank, uint64_t word)
{
    return ((uint64_t **)window)[rank] + word;
}

static _Atomic(uint64_t) *atomic_at(void *window, uint32_t rank, uint64_t word)
{
    return (_Atomic(uint64_t) *)at(window, rank, word);
}

static void load(void *window, uint32_t rank, uint64_t word, uint32_t count, uint64_t *to)
{
    /* acquire: pairs with the release of swap() and add(). */
    for (uint32_t i = 0; i < count; i++)
        to[i] = atomic_load_explicit(atomic_at(window, rank, word + i), memory_order_acquire);
}

static void get(void *window, uint32_t rank, uint64_t word, uint64_t count, uint64_t *to)
{
    memcpy(to, at(window, rank, word), count * sizeof *to);
}

static void put(void *window, uint32_t rank, uint64_t word, uint64_t count, const uint64_t *from)
{
    memcpy(at(window, rank, word), from, count * sizeof *from);
}

static void flush(void *window, uint32_t rank)
{
    (void)window;
    (void)rank;
}

static uint64_t swap(void *window, uint32_t rank, uint64_t word, uint64_t value)
{
    /* acq_rel: pairs with itself, add() and load(). */
    return atomic_exchange_explicit(atomic_at(window, rank, word), value, memory_order_acq_rel);
}

static uint64_t add(void *window, uint32_t rank, uint64_t word, uint64_t value)
{
    return atomic_fetch_add_explicit(atomic_at(window, rank, word), value, memory_order_acq_rel); /* as swap() */
}

const struct gws__link gws__link_shared = {"shared", load, get, put, flush, swap, add};
