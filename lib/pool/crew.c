/* SPDX-License-Identifier: MIT */
/* See crew.h. FENCE A and FENCE B are those of parking.h. */
#define _POSIX_C_SOURCE 200809L /* pthread_getcpuclockid */
#include "crew.h"

#include <time.h>
#include <unistd.h>

#include "../base/spin.h"

enum { IDLE, CALLED, JOINED, QUIT };

static const double patience_ms = 0.5; /* what lies between two shared levels of a search on a mesh */

/* Waits for a call; false if it is to quit. */
static bool mate_await(struct gws__mate *mate)
{
    struct gws__spin spin = {0};
    for (;;) {
        uint32_t call = atomic_load_explicit(&mate->call, memory_order_relaxed);
        if (call == QUIT) return false;
        /* acquire: pairs with the release of CALLED in gws__crew_call(), so the loop is there to be read. */
        if (call == CALLED && atomic_compare_exchange_strong_explicit(&mate->call, &call, JOINED, memory_order_acquire,
                                                                      memory_order_relaxed))
            return true;
        if (gws__spin_on(&spin, mate->crew->patience_ms)) continue;
        gws__parker_park(&mate->parker, &mate->call, IDLE);
        spin = (struct gws__spin){0};
    }
}

static void *mate_live(void *argument)
{
    struct gws__mate *mate = argument;
    struct gws__crew *crew = mate->crew;
    while (mate_await(mate)) {
        crew->work(crew->context, mate->worker);
        /* release: pairs with the acquire in mate_finished(), so the caller sees what this worker wrote. */
        atomic_store_explicit(&mate->call, IDLE, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst); /* FENCE B for the caller's parker */
        gws__parker_unpark(&crew->caller);
    }
    return NULL;
}

void gws__crew_call(struct gws__crew *crew, uint32_t workers)
{
    for (uint32_t w = 1; w < workers; w++) {
        crew->called[w]->worker = w;
        /* release: pairs with the acquire of JOINED in mate_await(). */
        atomic_store_explicit(&crew->called[w]->call, CALLED, memory_order_release);
    }
    atomic_thread_fence(memory_order_seq_cst); /* FENCE B for every mate's parker */
    for (uint32_t w = 1; w < workers; w++) gws__parker_unpark(&crew->called[w]->parker);
}

/* ---- the bench ---- */

static const double shortest_bench_ms = 20, longest_bench_ms = 320, check_ms = 1, memory_ms = 20, least_stall_ms = 2;
static const double costly = 0.25; /* of the time in loops */

/* A thread's time on a processor, 0 where the system cannot say. */
static double processor_ms(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6 : 0;
}

static double mate_processor_ms(const struct gws__mate *mate)
{
    clockid_t clock;
    return pthread_getcpuclockid(mate->thread, &clock) == 0 ? processor_ms(clock) : 0;
}

static void swap(struct gws__mate **a, struct gws__mate **b)
{
    struct gws__mate *mate = *a;
    *a = *b;
    *b = mate;
}

uint32_t gws__crew_present(struct gws__crew *crew, double now_ms)
{
    for (uint32_t i = crew->workers - crew->benched; crew->benched && i < crew->workers; i++) {
        if (now_ms < crew->called[i]->back_ms) continue;
        swap(&crew->called[i], &crew->called[crew->workers - crew->benched]);
        crew->benched--;
    }
    return crew->workers - crew->benched;
}

/* Longer each time, unless the last time is long ago. */
static void sit_down(struct gws__crew *crew, uint32_t w, double now_ms)
{
    struct gws__mate *mate = crew->called[w];
    bool again = mate->bench_ms > 0 && now_ms - mate->back_ms < mate->bench_ms;
    mate->bench_ms = again ? 2 * mate->bench_ms : shortest_bench_ms;
    if (mate->bench_ms > longest_bench_ms) mate->bench_ms = longest_bench_ms;
    mate->back_ms = now_ms + mate->bench_ms;
    crew->benched++;
    swap(&crew->called[w], &crew->called[crew->workers - crew->benched]);
}

/* Scales all accounts. */
static void fade(struct gws__crew *crew, double by)
{
    crew->loops_ms *= by;
    crew->stalled_ms *= by;
    for (uint32_t w = 1; w < crew->workers; w++) crew->mate[w].stalled_ms *= by;
}

/* Adds to the caller's account how long it was off its processor without sleeping, if it mostly was in loops. A pinned
 * caller stays where it is whoever sits down. */
static void check_caller(struct gws__crew *crew, double now_ms)
{
    double processor = processor_ms(CLOCK_THREAD_CPUTIME_ID), passed = now_ms - crew->checked_ms;
    double stalled = passed - (processor - crew->processor_ms) - crew->slept_ms;
    if (!crew->pinned && passed < 2 * crew->unchecked_ms && stalled > 0) crew->stalled_ms += stalled;
    crew->checked_ms = now_ms;
    crew->processor_ms = processor;
    crew->unchecked_ms = crew->slept_ms = 0;
}

static uint32_t costliest(const struct gws__crew *crew)
{
    uint32_t worst = 1;
    for (uint32_t w = 2; w < crew->workers - crew->benched; w++)
        if (crew->called[w]->stalled_ms >= crew->called[worst]->stalled_ms) worst = w;
    return worst;
}

void gws__crew_judge(struct gws__crew *crew, double now_ms, double loop_ms)
{
    crew->loops_ms += loop_ms;
    crew->unchecked_ms += loop_ms;
    if (crew->unchecked_ms < check_ms || crew->workers - crew->benched < 2) return;
    check_caller(crew, now_ms);
    uint32_t worst = costliest(crew);
    double stalled = crew->stalled_ms + crew->called[worst]->stalled_ms;
    if (stalled > least_stall_ms && stalled > costly * crew->loops_ms) {
        sit_down(crew, worst, now_ms);
        fade(crew, 0);
    } else if (crew->loops_ms > memory_ms) {
        fade(crew, 0.5);
    }
}

static bool mate_finished(struct gws__mate *mate, bool dismiss)
{
    /* acquire: pairs with the release of IDLE in mate_live(). */
    uint32_t call = atomic_load_explicit(&mate->call, memory_order_acquire);
    if (call == IDLE) return true;
    /* relaxed: one who never began has nothing to show. If this fails it has just joined. */
    return dismiss && call == CALLED &&
           atomic_compare_exchange_strong_explicit(&mate->call, &call, IDLE, memory_order_relaxed,
                                                   memory_order_relaxed);
}

/* Waits for one who takes long, and notes for how long it was not on a processor. */
static void wait_long(struct gws__crew *crew, struct gws__mate *mate, bool dismiss)
{
    double began = gws_clock_ms(), processor = mate_processor_ms(mate);
    while (!mate_finished(mate, dismiss)) {
        uint32_t call = atomic_load_explicit(&mate->call, memory_order_relaxed);
        if (call != IDLE) gws__parker_park(&crew->caller, &mate->call, call);
    }
    double passed = gws_clock_ms() - began, stalled = passed - (mate_processor_ms(mate) - processor);
    crew->slept_ms += passed;
    if (processor > 0 && stalled > 0) mate->stalled_ms += stalled;
}

void gws__crew_wait(struct gws__crew *crew, uint32_t workers, bool dismiss)
{
    for (uint32_t w = 1; w < workers; w++) {
        struct gws__mate *mate = crew->called[w];
        struct gws__spin spin = {0};
        bool finished;
        while (!(finished = mate_finished(mate, dismiss)) && gws__spin_on(&spin, crew->patience_ms)) continue;
        if (!finished) wait_long(crew, mate, dismiss);
    }
}

static void mates_end(struct gws__crew *crew, uint32_t started)
{
    for (uint32_t w = 1; w < started; w++) {
        struct gws__mate *mate = &crew->mate[w];
        atomic_store_explicit(&mate->call, QUIT, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst); /* FENCE B for the mate's parker */
        gws__parker_unpark(&mate->parker);
        pthread_join(mate->thread, NULL);
        gws__parker_destroy(&mate->parker);
    }
    gws__parker_destroy(&crew->caller);
}

gws_status gws__crew_start(struct gws__crew *crew, uint32_t workers, bool pin, struct gws__mate *mate,
                           struct gws__mate **called, void (*work)(void *context, uint32_t worker), void *context)
{
    *crew = (struct gws__crew){.workers = workers, .work = work, .context = context, .mate = mate, .called = called};
    crew->owner = getpid();
    called[0] = mate;
    crew->patience_ms = workers <= gws__topology_cpus() ? patience_ms : 0;
    crew->pinned = pin && gws__topology_save(&crew->caller_cpus);
    gws__parker_init(&crew->caller);
    for (uint32_t w = 1; w < workers; w++) {
        mate[w].crew = crew;
        called[w] = &mate[w];
        atomic_init(&mate[w].call, IDLE);
        gws__parker_init(&mate[w].parker);
        if (pthread_create(&mate[w].thread, NULL, mate_live, &mate[w]) != 0) {
            gws__parker_destroy(&mate[w].parker);
            mates_end(crew, w);
            return GWS_SYSTEM;
        }
        if (crew->pinned) gws__topology_pin(mate[w].thread, &crew->caller_cpus, w);
    }
    if (crew->pinned) gws__topology_pin(pthread_self(), &crew->caller_cpus, 0);
    return GWS_OK;
}

bool gws__crew_is_gone(const struct gws__crew *crew)
{
    return crew->owner != getpid();
}

void gws__crew_stop(struct gws__crew *crew)
{
    if (!gws__crew_is_gone(crew)) mates_end(crew, crew->workers);
    if (crew->pinned) gws__topology_restore(&crew->caller_cpus);
}
