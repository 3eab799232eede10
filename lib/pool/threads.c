/* SPDX-License-Identifier: MIT */
/* The threads of a runtime (threads.h). parking.h defines FENCE A and FENCE B. */
#define _POSIX_C_SOURCE 200809L /* pthread_getcpuclockid */
#include "threads.h"

#include <time.h>
#include <unistd.h>

#include "../base/spin.h"

enum { IDLE, CALLED, JOINED, QUIT };

static const double patience_ms = 0.5; /* about the time between two shared levels of a search on a mesh */

/* Waits for a call. Returns false if the thread must quit. */
static bool thread_await(struct gws__thread *thread)
{
    struct gws__spin spin = {0};
    for (;;) {
        uint32_t call = atomic_load_explicit(&thread->call, memory_order_relaxed);
        if (call == QUIT) return false;
        /* acquire: pairs with the release of CALLED in gws__threads_call(). The loop is thus visible. */
        if (call == CALLED && atomic_compare_exchange_strong_explicit(&thread->call, &call, JOINED,
                                                                      memory_order_acquire, memory_order_relaxed))
            return true;
        if (gws__spin_on(&spin, thread->threads->patience_ms)) continue;
        gws__parker_park(&thread->parker, &thread->call, IDLE, 0);
        spin = (struct gws__spin){0};
    }
}

static void *thread_live(void *argument)
{
    struct gws__thread *thread = argument;
    struct gws__threads *threads = thread->threads;
    while (thread_await(thread)) {
        threads->work(threads->context, thread->worker);
        /* release: pairs with the acquire in thread_finished(). The caller thus sees this worker's writes. */
        atomic_store_explicit(&thread->call, IDLE, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst); /* FENCE B for the caller's parker */
        gws__parker_unpark(&threads->caller);
    }
    return NULL;
}

void gws__threads_call(struct gws__threads *threads, uint32_t workers)
{
    for (uint32_t w = 1; w < workers; w++) {
        threads->active[w]->worker = w;
        /* release: pairs with the acquire of JOINED in thread_await(). */
        atomic_store_explicit(&threads->active[w]->call, CALLED, memory_order_release);
    }
    atomic_thread_fence(memory_order_seq_cst); /* FENCE B for every thread's parker */
    for (uint32_t w = 1; w < workers; w++) gws__parker_unpark(&threads->active[w]->parker);
}

/* ---- suspending ---- */

static const double min_suspended_ms = 20, max_suspended_ms = 320, check_ms = 1, memory_ms = 20, min_stall_ms = 2;
static const double costly = 0.25; /* as a share of the time in loops */

/* Returns a thread's processor time, or 0 if the system does not report it. */
static double processor_ms(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6 : 0;
}

static double thread_processor_ms(const struct gws__thread *thread)
{
    clockid_t clock;
    return pthread_getcpuclockid(thread->handle, &clock) == 0 ? processor_ms(clock) : 0;
}

static void swap(struct gws__thread **a, struct gws__thread **b)
{
    struct gws__thread *thread = *a;
    *a = *b;
    *b = thread;
}

uint32_t gws__threads_active(struct gws__threads *threads, double now_ms)
{
    for (uint32_t i = threads->workers - threads->suspended; threads->suspended && i < threads->workers; i++) {
        if (now_ms < threads->active[i]->resume_ms) continue;
        swap(&threads->active[i], &threads->active[threads->workers - threads->suspended]);
        threads->suspended--;
    }
    return threads->workers - threads->suspended;
}

/* Suspends worker w. Each suspension of a thread is longer than its last one, unless the last one was long ago. */
static void suspend(struct gws__threads *threads, uint32_t w, double now_ms)
{
    struct gws__thread *thread = threads->active[w];
    bool again = thread->suspended_ms > 0 && now_ms - thread->resume_ms < thread->suspended_ms;
    thread->suspended_ms = again ? 2 * thread->suspended_ms : min_suspended_ms;
    if (thread->suspended_ms > max_suspended_ms) thread->suspended_ms = max_suspended_ms;
    thread->resume_ms = now_ms + thread->suspended_ms;
    threads->suspended++;
    swap(&threads->active[w], &threads->active[threads->workers - threads->suspended]);
}

/* Scales all sums of stalls. */
static void fade(struct gws__threads *threads, double by)
{
    threads->loops_ms *= by;
    threads->stalled_ms *= by;
    for (uint32_t w = 1; w < threads->workers; w++) threads->thread[w].stalled_ms *= by;
}

/* Adds the caller's own stalls, if most of the time was in loops. They are the time off its processor without sleeping.
 * The function adds nothing for a pinned caller, which stays on its CPU whichever thread is suspended. */
static void check_caller(struct gws__threads *threads, double now_ms)
{
    double processor = processor_ms(CLOCK_THREAD_CPUTIME_ID), passed = now_ms - threads->checked_ms;
    double stalled = passed - (processor - threads->processor_ms) - threads->slept_ms;
    if (!threads->pinned && passed < 2 * threads->unchecked_ms && stalled > 0) threads->stalled_ms += stalled;
    threads->checked_ms = now_ms;
    threads->processor_ms = processor;
    threads->unchecked_ms = threads->slept_ms = 0;
}

static uint32_t costliest(const struct gws__threads *threads)
{
    uint32_t worst = 1;
    for (uint32_t w = 2; w < threads->workers - threads->suspended; w++)
        if (threads->active[w]->stalled_ms >= threads->active[worst]->stalled_ms) worst = w;
    return worst;
}

void gws__threads_check_stalls(struct gws__threads *threads, double now_ms, double loop_ms)
{
    threads->loops_ms += loop_ms;
    threads->unchecked_ms += loop_ms;
    if (threads->unchecked_ms < check_ms || threads->workers - threads->suspended < 2) return;
    check_caller(threads, now_ms);
    uint32_t worst = costliest(threads);
    double stalled = threads->stalled_ms + threads->active[worst]->stalled_ms;
    if (stalled > min_stall_ms && stalled > costly * threads->loops_ms) {
        suspend(threads, worst, now_ms);
        fade(threads, 0);
    } else if (threads->loops_ms > memory_ms) {
        fade(threads, 0.5);
    }
}

static bool thread_finished(struct gws__thread *thread, bool dismiss)
{
    /* acquire: pairs with the release of IDLE in thread_live(). */
    uint32_t call = atomic_load_explicit(&thread->call, memory_order_acquire);
    if (call == IDLE) return true;
    /* relaxed: a thread that has not joined has written nothing. If the compare-and-swap fails, the thread has just
     * joined. */
    return dismiss && call == CALLED &&
           atomic_compare_exchange_strong_explicit(&thread->call, &call, IDLE, memory_order_relaxed,
                                                   memory_order_relaxed);
}

/* Waits for a slow thread, and adds its time off the processor to its stalls. */
static void wait_long(struct gws__threads *threads, struct gws__thread *thread, bool dismiss)
{
    double began = gws_clock_ms(), processor = thread_processor_ms(thread);
    while (!thread_finished(thread, dismiss)) {
        uint32_t call = atomic_load_explicit(&thread->call, memory_order_relaxed);
        if (call != IDLE)
            gws__parker_park(&threads->caller, &thread->call, call, threads->while_waiting ? gws__ask_ms : 0);
        if (threads->while_waiting) threads->while_waiting(threads->context);
    }
    double passed = gws_clock_ms() - began, stalled = passed - (thread_processor_ms(thread) - processor);
    threads->slept_ms += passed;
    if (processor > 0 && stalled > 0) thread->stalled_ms += stalled;
}

void gws__threads_wait(struct gws__threads *threads, uint32_t workers, bool dismiss)
{
    for (uint32_t w = 1; w < workers; w++) {
        struct gws__thread *thread = threads->active[w];
        struct gws__spin spin = {0};
        bool finished;
        while (!(finished = thread_finished(thread, dismiss)) && gws__spin_on(&spin, threads->patience_ms)) continue;
        if (!finished) wait_long(threads, thread, dismiss);
    }
}

static void end_threads(struct gws__threads *threads, uint32_t started)
{
    for (uint32_t w = 1; w < started; w++) {
        struct gws__thread *thread = &threads->thread[w];
        atomic_store_explicit(&thread->call, QUIT, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst); /* FENCE B for the thread's parker */
        gws__parker_unpark(&thread->parker);
        pthread_join(thread->handle, NULL);
        gws__parker_destroy(&thread->parker);
    }
    gws__parker_destroy(&threads->caller);
}

gws_status gws__threads_start(struct gws__threads *threads, uint32_t workers, bool pin, struct gws__thread *thread,
                              struct gws__thread **active, void (*work)(void *context, uint32_t worker), void *context)
{
    *threads =
        (struct gws__threads){.workers = workers, .work = work, .context = context, .thread = thread, .active = active};
    threads->owner = getpid();
    active[0] = thread;
    threads->patience_ms = workers <= gws__topology_cpus() ? patience_ms : 0;
    threads->pinned = pin && gws__topology_save(&threads->caller_cpus);
    gws__parker_init(&threads->caller);
    for (uint32_t w = 1; w < workers; w++) {
        thread[w].threads = threads;
        active[w] = &thread[w];
        atomic_init(&thread[w].call, IDLE);
        gws__parker_init(&thread[w].parker);
        if (pthread_create(&thread[w].handle, NULL, thread_live, &thread[w]) != 0) {
            gws__parker_destroy(&thread[w].parker);
            end_threads(threads, w);
            return GWS_SYSTEM;
        }
        if (threads->pinned) gws__topology_pin(thread[w].handle, &threads->caller_cpus, w);
    }
    if (threads->pinned) gws__topology_pin(pthread_self(), &threads->caller_cpus, 0);
    return GWS_OK;
}

bool gws__threads_are_gone(const struct gws__threads *threads)
{
    return threads->owner != getpid();
}

void gws__threads_stop(struct gws__threads *threads)
{
    if (!gws__threads_are_gone(threads)) end_threads(threads, threads->workers);
    if (threads->pinned) gws__topology_restore(&threads->caller_cpus);
}
