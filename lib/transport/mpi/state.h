/* SPDX-License-Identifier: MIT */
/* The state of libgraphws-mpi, which the files of this folder share. */
#ifndef GWS_TRANSPORT_MPI_STATE_H
#define GWS_TRANSPORT_MPI_STATE_H

#include <mpi.h>
#include <stdbool.h>

#include "../kind.h"

struct sent;
struct exchange_memory;
struct host;

struct mpi {
    MPI_Comm messages, collectives, exchanges; /* so no message matches one of another kind */
    int rank, ranks;
    struct sent *sent;
    struct exchange_memory *exchange; /* NULL before the first exchange */
    struct host *host;                /* NULL: the ranks run on several hosts, or have no shared memory */
    bool uses_host;                   /* false: as if host were NULL */
    char received[gws__transport_message];
};

/* exchange.c; see lib/transport.h. */
void gws__mpi_exchange_part(void *state, const struct gws_exchange *exchange);
void gws__mpi_exchange_drain(void *state, const struct gws_exchange *exchange);
void gws__mpi_exchange(void *state, const struct gws_exchange *exchange);
void gws__mpi_allgather(void *state, uint64_t *all, const uint64_t *words);
void gws__mpi_exchange_close(struct mpi *mpi);

/* host.c: operations of ranks of one host. Collective. Each returns false, on all ranks alike, if MPI is to do it. */
void gws__mpi_host_open(struct mpi *mpi);
void gws__mpi_host_close(struct mpi *mpi);
bool gws__mpi_host_reduce(struct mpi *mpi, uint64_t *value, uint32_t count, enum gws__transport_operation operation);
bool gws__mpi_host_allgather(struct mpi *mpi, uint64_t *all, const uint64_t *words);
/* Exchanges all items but the rank's own; receives at most `max` at a time. */
bool gws__mpi_host_exchange(struct mpi *mpi, const struct gws_exchange *exchange, uint64_t max);

/* window.c; see kind.h. */
void *gws__mpi_share(void *state, uint64_t words, uint32_t per_host, uint64_t **base);
void gws__mpi_unshare(void *state, void *shared);
void *gws__mpi_expose(void *state, uint64_t words);
void gws__mpi_conceal(void *state, void *exposed);
extern const struct gws__link gws__mpi_rma;

#endif
