/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* syscall */
#include "parking.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- one thread ---- */

void gws__parker_init(struct gws__parker *parker)
{
    atomic_init(&parker->sleeping, 0);
    pthread_mutex_init(&parker->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&parker->woken, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void gws__parker_destroy(struct gws__parker *parker)
{
    pthread_cond_destroy(&parker->woken);
    pthread_mutex_destroy(&parker->lock);
}

static struct timespec after(uint32_t ms)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += (long)ms * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

void gws__parker_park(struct gws__parker *parker, _Atomic uint32_t *word, uint32_t value, uint32_t limit_ms)
{
    struct timespec until = limit_ms ? after(limit_ms) : (struct timespec){0};
    int over = 0;
    pthread_mutex_lock(&parker->lock);
    atomic_store_explicit(&parker->sleeping, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); /* FENCE A, pairs with FENCE B in gws__parker_unpark()'s callers */
    while (!over && atomic_load_explicit(word, memory_order_relaxed) == value)
        over = limit_ms ? pthread_cond_timedwait(&parker->woken, &parker->lock, &until)
                        : pthread_cond_wait(&parker->woken, &parker->lock);
    atomic_store_explicit(&parker->sleeping, 0, memory_order_relaxed);
    pthread_mutex_unlock(&parker->lock);
}

/* Wakes the thread. The caller has executed FENCE B. While this thread holds the lock, the sleeper is either before its
 * test or asleep. */
void gws__parker_unpark(struct gws__parker *parker)
{
    if (!atomic_load_explicit(&parker->sleeping, memory_order_relaxed)) return;
    pthread_mutex_lock(&parker->lock);
    pthread_cond_signal(&parker->woken);
    pthread_mutex_unlock(&parker->lock);
}

/* ---- idle workers ---- */

void gws__idle_set_init(struct gws__idle_set *set, struct gws__parking_slot *slot, uint32_t workers, uint32_t cpus)
{
    set->slot = slot;
    set->workers = workers;
    set->surplus = workers > cpus ? workers - cpus : 0;
    set->fenced_by_sleeper = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    atomic_init(&set->idle, 0);
    for (uint32_t w = 0; w < workers; w++) {
        atomic_init(&slot[w].parked, 0);
        gws__parker_init(&slot[w].parker);
    }
}

void gws__idle_set_destroy(struct gws__idle_set *set)
{
    for (uint32_t w = 0; w < set->workers; w++) gws__parker_destroy(&set->slot[w].parker);
}

/* Removes a worker from the idle count. Returns true only in the thread that removed the worker. */
static bool take_off(struct gws__idle_set *set, uint32_t worker)
{
    if (atomic_exchange_explicit(&set->slot[worker].parked, 0, memory_order_relaxed) == 0) return false;
    atomic_fetch_sub_explicit(&set->idle, 1, memory_order_relaxed);
    return true;
}

void gws__idle_set_park(struct gws__idle_set *set, uint32_t worker, bool (*awaited)(void *context, uint32_t worker),
                        void *context, uint32_t limit_ms)
{
    struct gws__parking_slot *slot = &set->slot[worker];
    atomic_fetch_add_explicit(&set->idle, 1, memory_order_relaxed);
    atomic_store_explicit(&slot->parked, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); /* FENCE A, pairs with FENCE B in gws__idle_set_notify() and _unpark() */
    if (set->fenced_by_sleeper)                /* membarrier() cannot fail once the process is registered */
        (void)syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    if (awaited(context, worker)) {
        take_off(set, worker);
        return;
    }
    gws__parker_park(&slot->parker, &slot->parked, 1, limit_ms);
    if (limit_ms) take_off(set, worker); /* after a timeout, no thread has removed the worker */
}

/* The caller has executed FENCE B. */
static bool unpark(struct gws__idle_set *set, uint32_t worker)
{
    if (atomic_load_explicit(&set->slot[worker].parked, memory_order_relaxed) == 0 || !take_off(set, worker))
        return false;
    atomic_thread_fence(memory_order_seq_cst); /* FENCE B of the parker, between parked and sleeping */
    gws__parker_unpark(&set->slot[worker].parker);
    return true;
}

void gws__idle_set_unpark(struct gws__idle_set *set, uint32_t worker)
{
    atomic_thread_fence(memory_order_seq_cst); /* FENCE B, pairs with FENCE A in gws__idle_set_park() */
    (void)unpark(set, worker);
}

void gws__idle_set_unpark_all(struct gws__idle_set *set)
{
    for (uint32_t w = 0; w < set->workers; w++) gws__idle_set_unpark(set, w);
}

void gws__idle_set_unpark_one(struct gws__idle_set *set, uint32_t worker)
{
    for (uint32_t i = 1; i < set->workers; i++)
        if (unpark(set, (worker + i) % set->workers)) return;
}
