/* SPDX-License-Identifier: MIT */
/* Reports which ranks wait in which collective call, if one takes long (gws_transport_watch()). Each rank has a record
 * in memory that the ranks of its host share. It writes there the call that it waits in: a relaxed store before a call,
 * and one after it. A thread of each rank looks at its own record, and reads the others only to report.
 *
 * No wait without end. All ranks make the same calls in the same order: what decides on the next call is a sum, a
 * maximum or a status that all ranks have from an earlier one, and a rank that fails says so in gws_transport_agree()
 * before another one waits for it. Within a call nobody waits until others read. In shared memory a rank writes what it
 * gives before it waits, and uses an area again only when all have read it (mpi/host.c). A rank that waits in an
 * exchange by messages receives from each rank, and serves whatever ends first, so every block that is sent finds its
 * receiver (mpi/exchange.c). Runs of tasks: hetero/rank_vote.c. A rank that is stopped or hangs breaks these
 * assumptions. Then the line names it. */
#ifndef GWS_TRANSPORT_WATCH_H
#define GWS_TRANSPORT_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../status.h"

struct gws_transport;

enum gws__call {
    GWS__CALL_NONE,
    GWS__CALL_SUM,
    GWS__CALL_MAX,
    GWS__CALL_GATHER,
    GWS__CALL_EXCHANGE,
    GWS__CALL_ALLGATHER,
    GWS__CALL_WINDOWS, /* opens or closes memory that others reach */
    GWS__CALL_QUIESCE,
    gws__calls
};

/* Parts of an exchange belong to the call that ends it. Ranks make different numbers of them, so they are counted
 * apart: a rank that goes from one to the next does not wait. */
enum { GWS__CALL_PARTS = 48 };

/* Atomic accesses are relaxed: each word stands alone. */
struct gws__watch_record {
    _Atomic(uint64_t) call;     /* number of the last call * 256 + enum gws__call; highest bits: see GWS__CALL_PARTS */
    _Atomic(uint64_t) alive;    /* when the rank's thread looked, in ms; 0: it has none */
    _Atomic(uint64_t) reported; /* in the record of the host's first rank: when a rank reported, in ms */
};

struct gws__watch {
    struct gws__watch_record **record; /* by rank; NULL: on another host, or there is no memory */
    struct gws__watch_record *own;     /* NULL: nothing is watched */
    void *shared;                      /* what share() returned */
    uint64_t calls;                    /* number of this rank's last call */
    uint64_t parts;                    /* number of its calls for parts of exchanges */
    /* Of the thread. */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t stopped;
    bool runs, stop; /* stop: under the lock */
    uint64_t limit;  /* ms */
    uint64_t seen, since, looked;
    void (*log)(void *context, const char *line);
    void *context;
};

/* Makes the records, if there is memory. Collective. */
void gws__watch_open(struct gws_transport *transport);
void gws__watch_close(struct gws_transport *transport); /* collective */

/* Around each collective call of transport->kind. */
void gws__call_begin(struct gws_transport *transport, enum gws__call call);
void gws__call_begin_part(struct gws_transport *transport);
void gws__call_end(struct gws_transport *transport);

#endif
