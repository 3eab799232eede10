/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "watch.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "../base/memory.h"
#include "../parallel.h"
#include "transport.h"

enum { looks = 8, line_bytes = 480 }; /* looks: of the thread within the limit */

static const char *const call_name[gws__calls] = {
    [GWS__CALL_SUM] = "sum",
    [GWS__CALL_MAX] = "max",
    [GWS__CALL_GATHER] = "gather",
    [GWS__CALL_EXCHANGE] = "exchange",
    [GWS__CALL_ALLGATHER] = "allgather",
    [GWS__CALL_WINDOWS] = "windows",
    [GWS__CALL_QUIESCE] = "quiesce",
};

static uint64_t load(_Atomic(uint64_t) *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static void store(_Atomic(uint64_t) *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_relaxed);
}

/* ---- the rank ---- */

void gws__watch_open(struct gws_transport *transport)
{
    struct gws__watch *watch = &transport->watch;
    const uint32_t ranks = transport->info.ranks;
    watch->record = gws__memory_zero(&gws__memory_default, ranks, sizeof *watch->record);
    if (gws_transport_agree(transport, watch->record ? GWS_OK : GWS_NO_MEMORY) != GWS_OK || !watch->record) return;
    watch->shared = transport->kind->share(transport->state, sizeof **watch->record / sizeof(uint64_t), 0,
                                           (uint64_t **)watch->record);
    if (watch->shared) watch->own = watch->record[transport->info.rank];
}

void gws__call_begin(struct gws_transport *transport, enum gws__call call)
{
    struct gws__watch *watch = &transport->watch;
    if (watch->own) store(&watch->own->call, ++watch->calls * 256 + call);
}

void gws__call_begin_part(struct gws_transport *transport)
{
    struct gws__watch *watch = &transport->watch;
    const uint64_t part = ++watch->parts << GWS__CALL_PARTS;
    if (watch->own) store(&watch->own->call, part | ((watch->calls + 1) * 256 + GWS__CALL_EXCHANGE));
}

void gws__call_end(struct gws_transport *transport)
{
    struct gws__watch *watch = &transport->watch;
    if (watch->own) store(&watch->own->call, watch->calls * 256 + GWS__CALL_NONE);
}

/* ---- the line ---- */

/* What one rank does. */
struct state {
    bool known, runs; /* runs: its thread has looked lately */
    uint64_t call;
};

static struct state state_of(const struct gws__watch *watch, uint32_t rank)
{
    struct gws__watch_record *record = watch->record[rank];
    if (!record) return (struct state){0};
    const uint64_t alive = load(&record->alive);
    const uint64_t call = load(&record->call) & ((UINT64_C(1) << GWS__CALL_PARTS) - 1);
    return (struct state){true, alive == 0 || alive + watch->limit / 2 > watch->looked, call};
}

static bool is_same(struct state a, struct state b)
{
    return a.known == b.known && a.runs == b.runs && a.call == b.call;
}

struct line {
    char text[line_bytes];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int added = vsnprintf(line->text + line->length, sizeof line->text - line->length, format, arguments);
    va_end(arguments);
    if (added > 0) line->length += (size_t)added;
    if (line->length >= sizeof line->text) line->length = sizeof line->text - 1; /* the rest of the ranks is left out */
}

/* Adds ranks first .. last, which do the same. */
static void add_ranks(struct line *line, uint32_t first, uint32_t last, struct state state)
{
    const uint64_t number = state.call / 256, call = state.call % 256;
    add(line, first == 0 ? " " : ", ");
    if (first == last)
        add(line, "rank %" PRIu32, first);
    else
        add(line, "ranks %" PRIu32 "-%" PRIu32, first, last);
    if (!state.known)
        add(line, " on another host");
    else if (call == GWS__CALL_NONE)
        add(line, " elsewhere after call %" PRIu64, number);
    else
        add(line, " in %s, call %" PRIu64, call_name[call], number);
    if (state.known && !state.runs) add(line, " (does not run)");
}

static void report(struct gws_transport *transport)
{
    const struct gws__watch *watch = &transport->watch;
    const uint32_t ranks = transport->info.ranks;
    struct line line = {.length = 0};
    add(&line, "rank %" PRIu32 " has waited for %.1f s:", transport->info.rank,
        (double)(watch->looked - watch->since) / 1000);
    struct state state = state_of(watch, 0), next = {0};
    for (uint32_t first = 0, rank = 1; rank <= ranks; rank++) {
        if (rank < ranks && is_same(state, next = state_of(watch, rank))) continue;
        add_ranks(&line, first, rank - 1, state);
        first = rank;
        state = next;
    }
    watch->log(watch->context, line.text);
}

/* ---- the thread ---- */

/* Returns whether this rank is the first of its host to report within the limit. */
static bool claim(const struct gws_transport *transport)
{
    const struct gws__watch *watch = &transport->watch;
    uint32_t first = 0;
    while (!watch->record[first]) first++;
    _Atomic(uint64_t) *at = &watch->record[first]->reported;
    uint64_t reported = load(at);
    return watch->looked - reported >= watch->limit &&
           atomic_compare_exchange_strong_explicit(at, &reported, watch->looked, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static void look(struct gws_transport *transport)
{
    struct gws__watch *watch = &transport->watch;
    const uint64_t now = (uint64_t)gws_clock_ms(), call = load(&watch->own->call);
    /* A thread that looks late has perhaps been stopped together with the whole job. */
    if (call != watch->seen || call % 256 == GWS__CALL_NONE || now - watch->looked > watch->limit / 2) {
        watch->seen = call;
        watch->since = now;
    }
    watch->looked = now;
    store(&watch->own->alive, now);
    if (now - watch->since >= watch->limit && claim(transport)) report(transport);
}

static void *live(void *context)
{
    struct gws_transport *transport = context;
    struct gws__watch *watch = &transport->watch;
    const uint64_t pause_ns = watch->limit * 1000000 / looks;
    pthread_mutex_lock(&watch->lock);
    while (!watch->stop) {
        struct timespec until;
        pthread_mutex_unlock(&watch->lock);
        look(transport);
        pthread_mutex_lock(&watch->lock);
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        const uint64_t ns = (uint64_t)until.tv_nsec + pause_ns;
        until.tv_sec += (time_t)(ns / 1000000000);
        until.tv_nsec = (long)(ns % 1000000000);
        if (!watch->stop) (void)pthread_cond_timedwait(&watch->stopped, &watch->lock, &until);
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

/* Starts the thread without signals, which are for the caller's threads. */
static bool start(struct gws_transport *transport)
{
    sigset_t all, before;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool started = pthread_create(&transport->watch.thread, NULL, live, transport) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static bool make_lock(struct gws__watch *watch)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0) return false;
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    const bool made = pthread_cond_init(&watch->stopped, &monotonic) == 0;
    (void)pthread_condattr_destroy(&monotonic);
    if (made && pthread_mutex_init(&watch->lock, NULL) == 0) return true;
    if (made) (void)pthread_cond_destroy(&watch->stopped);
    return false;
}

static void free_lock(struct gws__watch *watch)
{
    (void)pthread_mutex_destroy(&watch->lock);
    (void)pthread_cond_destroy(&watch->stopped);
}

gws_status gws_transport_watch(struct gws_transport *transport, uint32_t ms,
                               void (*log)(void *context, const char *line), void *context)
{
    if (!transport || !transport->watch.own || transport->watch.runs) return GWS_OK;
    struct gws__watch *watch = &transport->watch;
    watch->limit = ms;
    watch->log = log;
    watch->context = context;
    if (!make_lock(watch)) return GWS_NO_MEMORY;
    watch->runs = start(transport);
    if (watch->runs) return GWS_OK;
    free_lock(watch);
    return GWS_NO_MEMORY;
}

void gws__watch_close(struct gws_transport *transport)
{
    struct gws__watch *watch = &transport->watch;
    if (watch->runs) {
        pthread_mutex_lock(&watch->lock);
        watch->stop = true;
        (void)pthread_cond_signal(&watch->stopped);
        pthread_mutex_unlock(&watch->lock);
        (void)pthread_join(watch->thread, NULL);
        free_lock(watch);
    }
    if (watch->shared) transport->kind->unshare(transport->state, watch->shared);
    gws__memory_free(&gws__memory_default, watch->record, transport->info.ranks, sizeof *watch->record);
    *watch = (struct gws__watch){0};
}
