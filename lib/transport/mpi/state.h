/* SPDX-License-Identifier: MIT */
/* The state of libgraphws-mpi, which the files of this folder share. */
#ifndef GWS_TRANSPORT_MPI_STATE_H
#define GWS_TRANSPORT_MPI_STATE_H

#include <mpi.h>

#include "../kind.h"

struct sent;
struct exchange_memory;

struct mpi {
    MPI_Comm messages, collectives; /* two communicators: no message matches a collective operation */
    int rank, ranks;
    struct sent *sent;
    struct exchange_memory *exchange; /* NULL before the first exchange */
    char received[gws__transport_message];
};

/* exchange.c; see lib/transport.h. */
void gws__mpi_exchange(void *state, const struct gws_exchange *exchange);
void gws__mpi_allgather(void *state, uint64_t *all, const uint64_t *words);
void gws__mpi_exchange_close(struct mpi *mpi);

/* window.c; see kind.h. */
void *gws__mpi_share(void *state, uint64_t words, uint32_t per_host, uint64_t **base);
void gws__mpi_unshare(void *state, void *shared);
void *gws__mpi_expose(void *state, uint64_t words);
void gws__mpi_conceal(void *state, void *exposed);
extern const struct gws__link gws__mpi_rma;

#endif
