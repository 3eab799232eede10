/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "task_pool.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "../../kernels/task/task_words.h"

/* A waiting side sleeps this long before it asks a device, and between two looks. */
static const double wait_ms = 1, watch_ms = 5;

enum { first_capacity = 1024, no_side = UINT8_MAX /* the giver of a run's first tasks */ };

static uint64_t entry_bytes(const struct gws__task_pool *pool)
{
    return pool->entry * sizeof *pool->task;
}

/* ---- opening ---- */

gws_status gws__task_pool_open(struct gws__task_pool *pool, struct gws_runtime *runtime, uint32_t words)
{
    pthread_condattr_t monotonic;
    *pool = (struct gws__task_pool){.runtime = runtime, .entry = (words + 1) / 2 * 2};
    if (pthread_mutex_init(&pool->lock, NULL) != 0) return GWS_SYSTEM;
    bool made = pthread_condattr_init(&monotonic) == 0;
    made = made && pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0;
    made = made && pthread_cond_init(&pool->changed, &monotonic) == 0;
    if (!made) (void)pthread_mutex_destroy(&pool->lock);
    return made ? GWS_OK : GWS_SYSTEM;
}

void gws__task_pool_close(struct gws__task_pool *pool)
{
    (void)pthread_cond_destroy(&pool->changed);
    (void)pthread_mutex_destroy(&pool->lock);
    gws_release(pool->runtime, pool->task, pool->capacity, entry_bytes(pool) + 1);
}

void gws__task_pool_join(struct gws__task_pool *pool, struct gws__task_side *side)
{
    side->next = pool->side;
    side->backoff_ms = gws__task_pool_backoff_ms;
    pool->side = side;
    pool->sides++;
    gws__task_pool_follow(pool, side);
}

void gws__task_pool_follow(struct gws__task_pool *pool, struct gws__task_side *side)
{
    side->pool = pool;
    side->number = pool->numbers++;
}

/* Waits for a change. Returns false after ms milliseconds without one. */
static bool wait_for_change(struct gws__task_pool *pool, double ms)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(ms * 1e6);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(&pool->changed, &pool->lock, &until) != ETIMEDOUT;
}

/* ---- the end ---- */

/* Ends the run. A kernel that still runs has no tasks to lose unless the run failed. */
static void end(struct gws__task_pool *pool)
{
    atomic_store_explicit(&pool->over, true, memory_order_relaxed);
    atomic_store_explicit(&pool->hungry, false, memory_order_relaxed);
    for (struct gws__task_side *side = pool->side; side; side = side->next)
        if (side->running && side->stop) atomic_store_explicit(side->stop, TASK_STOP_NOW, memory_order_relaxed);
    (void)pthread_cond_broadcast(&pool->changed);
}

static void fail(struct gws__task_pool *pool, gws_status status, const struct gws_diagnostic *where)
{
    if (pool->status == GWS_OK && where) pool->where = *where;
    if (pool->status == GWS_OK) pool->status = status;
    end(pool);
}

void gws__task_pool_end(struct gws__task_pool *pool, gws_status status, const struct gws_diagnostic *where)
{
    gws__task_pool_lock(pool);
    fail(pool, status, where);
    gws__task_pool_unlock(pool);
}

gws_status gws__task_pool_status(struct gws__task_pool *pool)
{
    gws__task_pool_lock(pool);
    gws_status status = pool->status;
    gws__task_pool_unlock(pool);
    return status;
}

/* Asks the cancel hook, outside of the lock. */
static void poll_cancel(struct gws__task_pool *pool)
{
    gws__task_pool_unlock(pool);
    bool cancelled = gws_cancelled(pool->runtime);
    gws__task_pool_lock(pool);
    if (cancelled && !gws__task_pool_over(pool)) fail(pool, GWS_CANCELLED, NULL);
}

void gws__task_pool_watch(struct gws__task_pool *pool)
{
    gws__task_pool_lock(pool);
    while (!gws__task_pool_over(pool)) {
        (void)wait_for_change(pool, watch_ms);
        poll_cancel(pool);
    }
    gws__task_pool_unlock(pool);
}

/* ---- giving and taking ---- */

/* Ensures space for `more` further tasks behind the last one. */
static gws_status reserve(struct gws__task_pool *pool, uint64_t more)
{
    uint64_t need = pool->count + more, capacity = pool->capacity > 0 ? pool->capacity : first_capacity;
    const uint32_t *from = pool->task + pool->head * pool->entry;
    const uint8_t *giver = pool->giver + pool->head;
    if (pool->head + need <= pool->capacity) return GWS_OK;
    if (need <= pool->capacity / 2) {
        memmove(pool->task, from, pool->count * entry_bytes(pool));
        memmove(pool->giver, giver, pool->count);
        pool->head = 0;
        return GWS_OK;
    }
    while (capacity < need) capacity *= 2;
    uint32_t *grown = gws_allocate(pool->runtime, capacity, entry_bytes(pool) + 1);
    if (!grown) return GWS_NO_MEMORY;
    uint8_t *givers = (uint8_t *)(grown + capacity * pool->entry);
    if (pool->count > 0) memcpy(grown, from, pool->count * entry_bytes(pool));
    if (pool->count > 0) memcpy(givers, giver, pool->count);
    gws_release(pool->runtime, pool->task, pool->capacity, entry_bytes(pool) + 1);
    pool->task = grown;
    pool->giver = givers;
    pool->head = 0;
    pool->capacity = capacity;
    return GWS_OK;
}

gws_status gws__task_pool_give(struct gws__task_pool *pool, struct gws__task_side *side, const uint32_t *task,
                               uint64_t count)
{
    if (count == 0) return GWS_OK;
    gws__task_pool_lock(pool);
    gws_status status = reserve(pool, count);
    if (status == GWS_OK) {
        memcpy(pool->task + (pool->head + pool->count) * pool->entry, task, count * entry_bytes(pool));
        memset(pool->giver + pool->head + pool->count, side ? (int)side->number : no_side, count);
        pool->count += count;
        atomic_store_explicit(&pool->hungry, false, memory_order_relaxed);
        (void)pthread_cond_broadcast(&pool->changed);
    } else {
        fail(pool, status, NULL);
    }
    if (side) side->given += count;
    if (side) side->gives++;
    gws__task_pool_unlock(pool);
    return status;
}

/* Asks a running device to pause, unless another one is asked. */
static void ask(struct gws__task_pool *pool)
{
    double now = gws_clock_ms();
    for (struct gws__task_side *side = pool->side; side && !pool->requested; side = side->next) {
        if (!side->running || !side->stop || now < side->until_ms) continue;
        atomic_store_explicit(side->stop, TASK_STOP_PAUSE, memory_order_relaxed);
        side->requested = pool->requested = true;
        side->requests++;
    }
}

static void wait_for_tasks(struct gws__task_pool *pool, const struct gws__task_side *side)
{
    while (pool->count == 0 && !gws__task_pool_over(pool)) {
        if (pool->idle == pool->sides && !pool->remote) {
            end(pool);
            return;
        }
        atomic_store_explicit(&pool->hungry, true, memory_order_relaxed);
        if (!wait_for_change(pool, wait_ms) && pool->count == 0) ask(pool);
        if (side->polls && !gws__task_pool_over(pool)) poll_cancel(pool);
    }
}

/* Copies the side's share of the oldest tasks. */
static uint64_t take_share(struct gws__task_pool *pool, struct gws__task_side *side, uint32_t **task)
{
    uint64_t share = pool->count / pool->numbers, count = side->wants > share ? side->wants : share;
    if (count > pool->count) count = pool->count;
    uint32_t *taken = gws_allocate(pool->runtime, count, entry_bytes(pool));
    if (!taken) {
        fail(pool, GWS_NO_MEMORY, NULL);
        return 0;
    }
    memcpy(taken, pool->task + pool->head * pool->entry, count * entry_bytes(pool));
    for (uint64_t i = 0; i < count; i++)
        if (pool->giver[pool->head + i] != no_side) side->from[pool->giver[pool->head + i]]++;
    pool->head += count;
    pool->count -= count;
    if (pool->count == 0) pool->head = 0;
    side->taken += count;
    side->takes++;
    *task = taken;
    return count;
}

uint64_t gws__task_pool_take(struct gws__task_pool *pool, struct gws__task_side *side, uint32_t **task)
{
    uint64_t count = 0;
    double began = gws_clock_ms();
    gws__task_pool_lock(pool);
    pool->idle++;
    wait_for_tasks(pool, side);
    pool->idle--;
    if (!gws__task_pool_over(pool)) count = take_share(pool, side, task);
    if (pool->idle == 0) atomic_store_explicit(&pool->hungry, false, memory_order_relaxed);
    side->idle_ms += gws_clock_ms() - began;
    gws__task_pool_unlock(pool);
    return count;
}

/* ---- visitors ---- */

bool gws__task_pool_waits(struct gws__task_pool *pool)
{
    gws__task_pool_lock(pool);
    bool waits = pool->idle > 0;
    gws__task_pool_unlock(pool);
    return waits;
}

uint64_t gws__task_pool_visit(struct gws__task_pool *pool, struct gws__task_side *visitor, uint32_t **task, bool *quiet)
{
    const double now = gws_clock_ms();
    uint64_t count = 0;
    gws__task_pool_lock(pool);
    const bool over = gws__task_pool_over(pool);
    if (pool->count > 0 && !over && !(visitor->yields && pool->idle > 0)) {
        count = take_share(pool, visitor, task);
    } else if (pool->count == 0 && !over) {
        atomic_store_explicit(&pool->hungry, true, memory_order_relaxed);
        if (visitor->since_ms == 0) visitor->since_ms = now;
        if (now - visitor->since_ms > wait_ms) ask(pool);
    }
    *quiet = pool->count == 0 && pool->idle == pool->sides;
    gws__task_pool_unlock(pool);
    if (count > 0) gws__task_pool_rest(pool, visitor);
    return count;
}

void gws__task_pool_rest(struct gws__task_pool *pool, struct gws__task_side *visitor)
{
    if (visitor->since_ms == 0) return;
    gws__task_pool_lock(pool);
    visitor->idle_ms += gws_clock_ms() - visitor->since_ms;
    visitor->since_ms = 0;
    if (pool->idle == 0) atomic_store_explicit(&pool->hungry, false, memory_order_relaxed);
    gws__task_pool_unlock(pool);
}
