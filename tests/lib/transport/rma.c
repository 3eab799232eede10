/* SPDX-License-Identifier: MIT */
/* One-sided access with delays, for ranks that are threads of one process. Between any two steps another rank may do
 * much. A put takes effect word by word, some time before flush() returns, and puts overtake each other. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/random.h"
#include "../../../lib/transport/link.h"
#include "threads.h"

enum { max_puts = 16 };

struct put {
    uint32_t rank;
    uint64_t word, count;
    const uint64_t *from;
};

struct rma {
    pthread_mutex_t lock; /* of all words */
    uint64_t *memory, words;
    uint32_t ranks, late;
};

/* The puts of a rank, which is a thread, that have not taken effect. */
static _Thread_local struct put pending[max_puts];
static _Thread_local uint32_t puts;
static _Thread_local uint64_t random_state;

void *open_rma_threads(uint64_t words, uint32_t ranks, uint32_t late)
{
    struct rma *rma = calloc(1, sizeof *rma);
    if (!rma) abort();
    *rma = (struct rma){.words = words, .ranks = ranks, .late = late, .memory = calloc(words * ranks, 8)};
    if (!rma->memory || pthread_mutex_init(&rma->lock, NULL) != 0) abort();
    return rma;
}

void close_rma_threads(void *windows)
{
    struct rma *rma = windows;
    (void)pthread_mutex_destroy(&rma->lock);
    free(rma->memory);
    free(rma);
}

static void delay(const struct rma *rma)
{
    while (gws_random_next(&random_state) % 16 < rma->late) (void)sched_yield();
}

static uint64_t *at(const struct rma *rma, uint32_t rank, uint64_t word, uint64_t count)
{
    if (rank >= rma->ranks || word + count > rma->words) abort();
    return rma->memory + rank * rma->words + word;
}

static void flush(void *window, uint32_t rank)
{
    struct rma *rma = window;
    while (puts > 0) {
        uint32_t i = (uint32_t)(gws_random_next(&random_state) % puts);
        const struct put put = pending[i];
        pending[i] = pending[--puts];
        for (uint64_t w = 0; w < put.count; w++) {
            if (w % 64 == 0) delay(rma);
            pthread_mutex_lock(&rma->lock);
            *at(rma, put.rank, put.word + w, 1) = put.from[w];
            pthread_mutex_unlock(&rma->lock);
        }
    }
    (void)rank;
}

static void put(void *window, uint32_t rank, uint64_t word, uint64_t count, const uint64_t *from)
{
    if (puts == max_puts) flush(window, rank);
    pending[puts++] = (struct put){rank, word, count, from};
}

static void get(void *window, uint32_t rank, uint64_t word, uint64_t count, uint64_t *to)
{
    struct rma *rma = window;
    delay(rma);
    pthread_mutex_lock(&rma->lock);
    memcpy(to, at(rma, rank, word, count), count * sizeof *to);
    pthread_mutex_unlock(&rma->lock);
    delay(rma);
}

static void load(void *window, uint32_t rank, uint64_t word, uint32_t count, uint64_t *to)
{
    for (uint32_t i = count; i-- > 0;) get(window, rank, word + i, 1, &to[i]); /* in any order */
}

static uint64_t swap(void *window, uint32_t rank, uint64_t word, uint64_t value)
{
    struct rma *rma = window;
    delay(rma);
    pthread_mutex_lock(&rma->lock);
    uint64_t *place = at(rma, rank, word, 1), old = *place;
    *place = value;
    pthread_mutex_unlock(&rma->lock);
    delay(rma);
    return old;
}

static uint64_t add(void *window, uint32_t rank, uint64_t word, uint64_t value)
{
    struct rma *rma = window;
    delay(rma);
    pthread_mutex_lock(&rma->lock);
    uint64_t *place = at(rma, rank, word, 1), old = *place;
    *place += value;
    pthread_mutex_unlock(&rma->lock);
    delay(rma);
    return old;
}

const struct gws__link link_of_threads = {"rma", load, get, put, flush, swap, add};
