/* SPDX-License-Identifier: MIT */
/* See crew.h. FENCE A and FENCE B are those of bed.h. */
#include "crew.h"

#include "../base/spin.h"

enum { IDLE, CALLED, JOINED, QUIT };

static const double patience_ms = 0.05; /* a few times what waking a thread costs */

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
        gws__bed_sleep(&mate->bed, &mate->call, IDLE);
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
        atomic_thread_fence(memory_order_seq_cst); /* FENCE B for the caller's bed */
        gws__bed_wake(&crew->caller);
    }
    return NULL;
}

void gws__crew_call(struct gws__crew *crew, uint32_t workers)
{
    for (uint32_t w = 1; w < workers; w++) {
        /* release: pairs with the acquire of JOINED in mate_await(). */
        atomic_store_explicit(&crew->mate[w].call, CALLED, memory_order_release);
    }
    atomic_thread_fence(memory_order_seq_cst); /* FENCE B for every mate's bed */
    for (uint32_t w = 1; w < workers; w++) gws__bed_wake(&crew->mate[w].bed);
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

void gws__crew_wait(struct gws__crew *crew, uint32_t workers, bool dismiss)
{
    for (uint32_t w = 1; w < workers; w++) {
        struct gws__mate *mate = &crew->mate[w];
        struct gws__spin spin = {0};
        while (!mate_finished(mate, dismiss)) {
            if (gws__spin_on(&spin, crew->patience_ms)) continue;
            uint32_t call = atomic_load_explicit(&mate->call, memory_order_relaxed);
            if (call != IDLE) gws__bed_sleep(&crew->caller, &mate->call, call);
        }
    }
}

static void mates_end(struct gws__crew *crew, uint32_t started)
{
    for (uint32_t w = 1; w < started; w++) {
        struct gws__mate *mate = &crew->mate[w];
        atomic_store_explicit(&mate->call, QUIT, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst); /* FENCE B for the mate's bed */
        gws__bed_wake(&mate->bed);
        pthread_join(mate->thread, NULL);
        gws__bed_strip(&mate->bed);
    }
    gws__bed_strip(&crew->caller);
}

gws_status gws__crew_start(struct gws__crew *crew, uint32_t workers, bool pin, struct gws__mate *mate,
                           void (*work)(void *context, uint32_t worker), void *context)
{
    *crew = (struct gws__crew){.workers = workers, .work = work, .context = context, .mate = mate};
    crew->patience_ms = workers <= gws__affinity_cpus() ? patience_ms : 0;
    crew->pinned = pin && gws__affinity_save(&crew->caller_cpus);
    gws__bed_make(&crew->caller);
    for (uint32_t w = 1; w < workers; w++) {
        mate[w].crew = crew;
        mate[w].worker = w;
        atomic_init(&mate[w].call, IDLE);
        gws__bed_make(&mate[w].bed);
        if (pthread_create(&mate[w].thread, NULL, mate_live, &mate[w]) != 0) {
            gws__bed_strip(&mate[w].bed);
            mates_end(crew, w);
            return GWS_SYSTEM;
        }
        if (crew->pinned) gws__affinity_pin(mate[w].thread, &crew->caller_cpus, w);
    }
    if (crew->pinned) gws__affinity_pin(pthread_self(), &crew->caller_cpus, 0);
    return GWS_OK;
}

void gws__crew_stop(struct gws__crew *crew)
{
    mates_end(crew, crew->workers);
    if (crew->pinned) gws__affinity_restore(&crew->caller_cpus);
}
