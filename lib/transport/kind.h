/* SPDX-License-Identifier: MIT */
/* The interface between a transport and the library that moves its data: a table of functions. libgraphws-mpi exports
 * one, gws__transport_mpi; the tests have another that runs the ranks as threads. `state` is the connection. */
#ifndef GWS_TRANSPORT_KIND_H
#define GWS_TRANSPORT_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../transport.h"
#include "link.h"

enum {
    gws__transport_message = 1 << 15, /* maximum bytes of a message */
    gws__transport_name = 64
};

enum gws__transport_operation { GWS__TRANSPORT_SUM, GWS__TRANSPORT_MAX };

struct gws__transport_info {
    uint32_t rank, ranks;
    uint32_t here, rank_here; /* ranks of this host, this one too; its number among them */
    char name[gws__transport_name];
};

struct gws__transport_kind {
    const char *version; /* GWS_VERSION of the library's build */

    /* Collective. Returns NULL if memory is short. */
    void *(*open)(struct gws__transport_info *info);
    void (*close)(void *state); /* collective */

    /* Sends a copy of 1 .. gws__transport_message bytes to another rank, without waiting. Messages between two ranks
     * arrive in their order. Like MPI's own errors, a lack of memory for the copy ends the job. */
    void (*send)(void *state, uint32_t to, const void *message, size_t bytes);
    /* Returns the next message that has arrived, or NULL. The message is valid until the next call with this state.
     * A message arrives only while its receiver calls receive() or quiesce(). */
    const void *(*receive)(void *state, uint32_t *from, size_t *bytes);
    /* Collective. Returns when every message that any rank sent has been received; drops those that arrive
     * meanwhile. */
    void (*quiesce)(void *state);

    /* Collective; see lib/transport.h. */
    void (*reduce)(void *state, uint64_t *value, uint32_t count, enum gws__transport_operation operation);
    void (*gather)(void *state, const void *from, size_t bytes, void *to);
    void (*exchange)(void *state, const struct gws_exchange *exchange);
    void (*allgather)(void *state, uint64_t *all, const uint64_t *words);

    /* Not collective; see lib/transport.h. Not called while collective operations use shared memory. */
    void (*exchange_part)(void *state, const struct gws_exchange *exchange);
    void (*exchange_drain)(void *state, const struct gws_exchange *exchange);

    /* Whether collective operations may use memory that all ranks share, which is so at first. Not collective, but
     * all ranks make the same call. */
    void (*use_shared)(void *state, bool yes);
    /* Whether they do, for all but gather(). The same on all ranks. */
    bool (*uses_shared)(const void *state);

    /* Windows of zeros (link.h). Collective. NULL on all ranks if some rank has no memory. share(): the ranks of a host
     * map each other's words; sets base[r] to the words of rank r, and leaves other hosts' entries. per_host > 0: as if
     * a host had at most so many ranks, for tests. expose(): for the link `rma`. */
    void *(*share)(void *state, uint64_t words, uint32_t per_host, uint64_t **base);
    void (*unshare)(void *state, void *shared);
    void *(*expose)(void *state, uint64_t words);
    void (*conceal)(void *state, void *exposed);
    const struct gws__link *rma;
};

#endif
