/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* syscall */
#include "rest.h"

#include <unistd.h>

#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/syscall.h>

static bool barrier_register(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static void barrier_run(void)
{
    (void)syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); /* cannot fail once registered */
}
#else
static bool barrier_register(void)
{
    return false;
}

static void barrier_run(void)
{
}
#endif

void gws__rest_make(struct gws__rest *rest, struct gws__cot *cot, uint32_t workers, uint32_t cpus)
{
    rest->cot = cot;
    rest->workers = workers;
    rest->surplus = workers > cpus ? workers - cpus : 0;
    rest->fenced_by_sleeper = barrier_register();
    atomic_init(&rest->resting, 0);
    for (uint32_t w = 0; w < workers; w++) {
        atomic_init(&cot[w].parked, 0);
        gws__bed_make(&cot[w].bed);
    }
}

void gws__rest_strip(struct gws__rest *rest)
{
    for (uint32_t w = 0; w < rest->workers; w++) gws__bed_strip(&rest->cot[w].bed);
}

/* Takes worker off resting; true for the one who did. */
static bool rouse(struct gws__rest *rest, uint32_t worker)
{
    if (atomic_exchange_explicit(&rest->cot[worker].parked, 0, memory_order_relaxed) == 0) return false;
    atomic_fetch_sub_explicit(&rest->resting, 1, memory_order_relaxed);
    return true;
}

void gws__rest_park(struct gws__rest *rest, uint32_t worker, bool (*awaited)(void *context, uint32_t worker),
                    void *context)
{
    struct gws__cot *cot = &rest->cot[worker];
    atomic_fetch_add_explicit(&rest->resting, 1, memory_order_relaxed);
    atomic_store_explicit(&cot->parked, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); /* FENCE A, pairs with FENCE B in gws__rest_offer() and _wake() */
    if (rest->fenced_by_sleeper) barrier_run();
    if (awaited(context, worker)) {
        rouse(rest, worker);
        return;
    }
    gws__bed_sleep(&cot->bed, &cot->parked, 1);
}

/* After FENCE B. */
static bool wake(struct gws__rest *rest, uint32_t worker)
{
    if (atomic_load_explicit(&rest->cot[worker].parked, memory_order_relaxed) == 0 || !rouse(rest, worker))
        return false;
    atomic_thread_fence(memory_order_seq_cst); /* FENCE B of the bed, between parked and sleeping */
    gws__bed_wake(&rest->cot[worker].bed);
    return true;
}

void gws__rest_wake(struct gws__rest *rest, uint32_t worker)
{
    atomic_thread_fence(memory_order_seq_cst); /* FENCE B, pairs with FENCE A in gws__rest_park() */
    (void)wake(rest, worker);
}

void gws__rest_wake_all(struct gws__rest *rest)
{
    for (uint32_t w = 0; w < rest->workers; w++) gws__rest_wake(rest, w);
}

void gws__rest_wake_one(struct gws__rest *rest, uint32_t worker)
{
    for (uint32_t i = 1; i < rest->workers; i++)
        if (wake(rest, (worker + i) % rest->workers)) return;
}
