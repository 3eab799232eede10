/* SPDX-License-Identifier: MIT */
/* Collective operations of ranks that all run on one host, in memory that they share: a small operation costs each rank
 * one store, and a look at each other rank's flag.
 *
 * Every rank has an area for the operations with even numbers, and one for those with odd numbers. It writes what the
 * others need into the area, then the operation's number into its flag, waits for the others' flags, and reads their
 * areas. A rank that begins operation n + 2 has seen all flags at n + 1. So all ranks have ended operation n, and
 * nobody reads the area that it writes. What does not fit the areas takes several operations in a row. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../link.h"
#include "state.h"

enum {
    area_bytes = 1 << 19,
    line_words = 8,    /* of 64 bits in a cache line */
    spins = 4000,      /* looks at a flag, before a rank yields its CPU */
    spins_shared = 64, /* the same if the host has fewer CPUs than ranks */
    yields = 64,       /* before a rank sleeps, if the host has fewer CPUs than ranks */
    sleep_ns = 50000
};

struct item_place {
    uint64_t items, offset; /* in the area's data */
};

struct area {
    uint64_t value[2 * line_words]; /* sums or maxima */
    uint64_t left;                  /* items that the rank sends in later operations of an exchange */
    uint64_t unused[line_words - 1];
    char data[area_bytes];
};

_Static_assert(GWS_EXCHANGE_SUMS <= 2 * line_words, "the sums of an exchange fit an area");

struct host_memory {
    _Atomic(uint64_t) flag; /* the number of the rank's last operation */
    uint64_t unused[line_words - 1];
    struct area area[2];
    struct item_place place[]; /* 2 * ranks */
};

struct host {
    void *shared;
    uint64_t **base; /* of each rank: its board */
    uint64_t number; /* of the current operation */
    uint32_t spins;
};

static struct host_memory *memory_at(const struct mpi *mpi, int rank)
{
    return (struct host_memory *)mpi->host->base[rank];
}

static struct area *area_of(const struct mpi *mpi, int rank)
{
    return &memory_at(mpi, rank)->area[mpi->host->number % 2];
}

static struct item_place *place_of(const struct mpi *mpi, int from, int to)
{
    return &memory_at(mpi, from)->place[mpi->host->number % 2 * (uint64_t)mpi->ranks + (uint64_t)to];
}

/* ---- opening ---- */

/* Returns whether all ranks run on this host. */
static bool share_memory(struct mpi *mpi, struct host *host)
{
    const uint64_t bytes = sizeof(struct host_memory) + 2 * (uint64_t)mpi->ranks * sizeof(struct item_place);
    int here = 1, all;
    host->shared = gws__mpi_share(mpi, (bytes + 7) / 8, 0, host->base);
    for (int rank = 0; rank < mpi->ranks; rank++) here = here && host->base[rank];
    here = here && host->shared;
    MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_MIN, mpi->collectives);
    return all;
}

static uint32_t spins_of(const struct mpi *mpi)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) < mpi->ranks ? spins_shared : spins;
}

void gws__mpi_host_open(struct mpi *mpi)
{
    struct host *host = calloc(1, sizeof *host);
    uint64_t **base = calloc((size_t)mpi->ranks, sizeof *base);
    int have = host && base, all;
    MPI_Allreduce(&have, &all, 1, MPI_INT, MPI_MIN, mpi->collectives);
    if (all && host && base) {
        host->base = base;
        host->spins = spins_of(mpi);
        mpi->host = host;
        if (share_memory(mpi, host)) return;
        mpi->host = NULL;
        if (host->shared) gws__mpi_unshare(mpi, host->shared);
    }
    free(base);
    free(host);
}

void gws__mpi_host_close(struct mpi *mpi)
{
    struct host *host = mpi->host;
    if (!host) return;
    gws__mpi_unshare(mpi, host->shared);
    free(host->base);
    free(host);
    mpi->host = NULL;
}

/* ---- an operation ---- */

static bool is_used(const struct mpi *mpi)
{
    return mpi->host && mpi->uses_host;
}

static void begin(struct mpi *mpi)
{
    mpi->host->number++;
}

/* Publishes this rank's area. */
static void publish(struct mpi *mpi)
{
    /* release: pairs with the acquire of wait_for(). */
    atomic_store_explicit(&memory_at(mpi, mpi->rank)->flag, mpi->host->number, memory_order_release);
}

/* Waits for a rank's area. MPI may need calls for messages that are on their way to a rank that is late. */
static void wait_for(struct mpi *mpi, int rank)
{
    _Atomic(uint64_t) *flag = &memory_at(mpi, rank)->flag;
    const struct timespec nap = {.tv_nsec = sleep_ns};
    uint32_t looks = 0, yielded = 0;
    int found;
    /* acquire: pairs with the release of publish(). */
    while (atomic_load_explicit(flag, memory_order_acquire) < mpi->host->number) {
        if (++looks < mpi->host->spins) continue;
        if (mpi->host->spins != spins_shared || ++yielded < yields)
            (void)sched_yield();
        else
            (void)nanosleep(&nap, NULL);
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, mpi->messages, &found, MPI_STATUS_IGNORE);
        looks = 0;
    }
}

static void combine(struct mpi *mpi, uint64_t *value, uint32_t count, enum gws__transport_operation operation)
{
    memset(value, 0, count * sizeof *value);
    for (int rank = 0; rank < mpi->ranks; rank++) {
        const uint64_t *other = area_of(mpi, rank)->value;
        for (uint32_t i = 0; i < count; i++)
            if (operation == GWS__TRANSPORT_SUM)
                value[i] += other[i];
            else if (other[i] > value[i])
                value[i] = other[i];
    }
}

bool gws__mpi_host_reduce(struct mpi *mpi, uint64_t *value, uint32_t count, enum gws__transport_operation operation)
{
    if (!is_used(mpi) || count > 2 * line_words) return false;
    begin(mpi);
    if (count > 0) memcpy(area_of(mpi, mpi->rank)->value, value, count * sizeof *value);
    publish(mpi);
    for (int rank = 0; rank < mpi->ranks; rank++) wait_for(mpi, rank);
    combine(mpi, value, count, operation);
    return true;
}

static uint64_t words_left(uint64_t words, uint64_t done, uint64_t max)
{
    const uint64_t left = done < words ? words - done : 0;
    return left < max ? left : max;
}

bool gws__mpi_host_allgather(struct mpi *mpi, uint64_t *all, const uint64_t *words)
{
    const uint64_t at_once = area_bytes / sizeof *all; /* words of a rank in one operation */
    uint64_t max = 0;
    for (int rank = 0; rank < mpi->ranks; rank++) max = words[rank] > max ? words[rank] : max;
    if (!is_used(mpi)) return false;
    for (uint64_t done = 0; done < max; done += at_once) {
        begin(mpi);
        uint64_t *at = all;
        for (int rank = 0; rank < mpi->rank; rank++) at += words[rank];
        memcpy(area_of(mpi, mpi->rank)->data, at + done, words_left(words[mpi->rank], done, at_once) * sizeof *all);
        publish(mpi);
        at = all;
        for (int rank = 0; rank < mpi->ranks; at += words[rank++]) {
            wait_for(mpi, rank);
            if (rank == mpi->rank) continue;
            memcpy(at + done, area_of(mpi, rank)->data, words_left(words[rank], done, at_once) * sizeof *all);
        }
    }
    return true;
}

/* ---- exchanges ---- */

/* The next items that this rank sends: first to the rank behind it, so that all ranks receive as much in an operation.
 */
struct sending {
    const char *at;
    int to;        /* their rank */
    uint64_t done; /* items for it that were sent */
    uint64_t left; /* items for all ranks that were not sent */
};

static struct sending begin_sending(const struct mpi *mpi, const struct gws_exchange *exchange)
{
    struct sending sending = {.at = exchange->from, .to = (mpi->rank + 1) % mpi->ranks};
    for (int rank = 0; rank < mpi->ranks; rank++) {
        if (rank != mpi->rank) sending.left += exchange->items[rank];
        if (rank < sending.to && exchange->items[rank] > 0 && !exchange->to_all)
            sending.at += exchange->items[rank] * exchange->item_bytes;
    }
    return sending;
}

/* Copies items into the area, as many as fit. */
static void fill_area(struct mpi *mpi, const struct gws_exchange *exchange, struct sending *sending)
{
    struct area *own = area_of(mpi, mpi->rank);
    uint64_t used = 0;
    for (int rank = 0; rank < mpi->ranks; rank++) *place_of(mpi, mpi->rank, rank) = (struct item_place){0, 0};
    while (sending->to != mpi->rank) {
        const uint64_t left = exchange->items[sending->to] - sending->done,
                       space = (area_bytes - used) / exchange->item_bytes, items = left < space ? left : space,
                       bytes = items * exchange->item_bytes;
        *place_of(mpi, mpi->rank, sending->to) = (struct item_place){items, used};
        if (items > 0) {
            memcpy(own->data + used, sending->at, bytes);
            sending->at += bytes;
        }
        used += (bytes + 7) / 8 * 8; /* area_bytes is a multiple of 8 */
        sending->left -= items;
        sending->done += items;
        if (items < left) break;
        sending->done = 0;
        sending->to = (sending->to + 1) % mpi->ranks;
        if (sending->to == 0 || exchange->to_all) sending->at = exchange->from;
    }
    own->left = sending->left;
}

static void receive(struct mpi *mpi, const struct gws_exchange *exchange, int rank, uint64_t max)
{
    const struct item_place *place = place_of(mpi, rank, mpi->rank);
    const char *data = area_of(mpi, rank)->data + place->offset;
    for (uint64_t left = place->items, items; left > 0; left -= items, data += items * exchange->item_bytes) {
        items = left < max ? left : max;
        exchange->receive(exchange->context, (uint32_t)rank, data, items);
    }
}

bool gws__mpi_host_exchange(struct mpi *mpi, const struct gws_exchange *exchange, uint64_t max)
{
    struct sending sending = begin_sending(mpi, exchange);
    uint32_t sums = exchange->sums;
    uint64_t left;
    if (!is_used(mpi)) return false;
    do {
        begin(mpi);
        fill_area(mpi, exchange, &sending);
        if (sums > 0) memcpy(area_of(mpi, mpi->rank)->value, exchange->sum, sums * sizeof *exchange->sum);
        publish(mpi);
        left = 0;
        for (int rank = 0; rank < mpi->ranks; rank++) {
            wait_for(mpi, rank);
            left += area_of(mpi, rank)->left;
        }
        if (sums > 0) combine(mpi, exchange->sum, sums, GWS__TRANSPORT_SUM);
        sums = 0;
        for (int rank = 0; rank < mpi->ranks; rank++) receive(mpi, exchange, rank, max);
    } while (left > 0);
    return true;
}
