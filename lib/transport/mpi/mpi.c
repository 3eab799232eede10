/* SPDX-License-Identifier: MIT */
/* Ranks over MPI-3: the library libgraphws-mpi, which lib/transport/load.c loads. It uses nothing of libgraphws.
 *
 * A message is a synchronous send without waiting (MPI_Issend): it is complete only when its receiver has it. So a rank
 * knows that none of its messages is on its way, and quiesce() is the end of a sparse exchange (Hoefler, Siebert,
 * Lumsdaine: "Scalable Communication Protocols for Dynamic Sparse Data Exchange", PPoPP 2010): a rank enters a barrier
 * without waiting when its own sends are complete, and receives until all ranks have entered.
 *
 * Errors of MPI, and a lack of memory for a message, end the job (MPI_ERRORS_ARE_FATAL, the default), because MPI
 * promises nothing after an error. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../status.h"
#include "state.h"

enum { message_tag = 1 };

/* A message that may be on its way. */
struct sent {
    struct sent *next;
    MPI_Request request;
    char data[];
};

/* Writes "Open MPI v4.1.4" or "MPICH 4.0.2" from "Open MPI v4.1.4, package: ..." or "MPICH Version: 4.0.2 ...". */
static void describe(struct gws__transport_info *info)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    static const char middle[] = " Version:";
    char *found = strstr(text, middle);
    if (found) {
        char *number = found + strlen(middle);
        number += strspn(number, " \t");
        *found++ = ' ';
        memmove(found, number, strlen(number) + 1);
    }
    snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1, text);
}

static void count_here(struct gws__transport_info *info)
{
    MPI_Comm host;
    int here, rank;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &here);
    MPI_Comm_rank(host, &rank);
    MPI_Comm_free(&host);
    info->here = (uint32_t)here;
    info->rank_here = (uint32_t)rank;
}

static void *open_mpi(struct gws__transport_info *info)
{
    struct mpi *mpi = calloc(1, sizeof *mpi);
    int provided, rank, ranks;
    if (!mpi) return NULL;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->messages);
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->collectives);
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->exchanges);
    mpi->rank = rank;
    mpi->ranks = ranks;
    *info = (struct gws__transport_info){.rank = (uint32_t)rank, .ranks = (uint32_t)ranks};
    count_here(info);
    describe(info);
    gws__mpi_host_open(mpi);
    mpi->uses_host = true;
    return mpi;
}

/* In MPI_Finalize(), MPICH before 4.2 over UCX closes its connections, each when the other end has answered, and then
 * waits for all ranks without answering any more (its pull request 6596). A rank answers in every call of MPI. So one
 * that is still in the last call lets another rank go ahead, whose answer it then lacks, and the job hangs. Here all
 * ranks leave MPI for a moment before they close. */
static void pause_before_end(void)
{
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION < 40200000
    const struct timespec moment = {.tv_nsec = 50000000};
    (void)nanosleep(&moment, NULL);
#endif
}

static void close_mpi(void *state)
{
    struct mpi *mpi = state;
    gws__mpi_exchange_close(mpi);
    gws__mpi_host_close(mpi);
    MPI_Comm_free(&mpi->messages);
    MPI_Comm_free(&mpi->collectives);
    MPI_Comm_free(&mpi->exchanges);
    pause_before_end();
    MPI_Finalize();
    free(mpi);
}

/* ---- messages ---- */

/* Frees the messages that have been received. */
static void release_sent(struct mpi *mpi)
{
    for (struct sent **at = &mpi->sent; *at;) {
        struct sent *one = *at;
        int done = 0;
        MPI_Test(&one->request, &done, MPI_STATUS_IGNORE);
        if (done) {
            *at = one->next;
            free(one);
        } else {
            at = &one->next;
        }
    }
}

static void send_message(void *state, uint32_t to, const void *message, size_t bytes)
{
    struct mpi *mpi = state;
    struct sent *one = malloc(sizeof *one + bytes);
    if (!one) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return;
    }
    memcpy(one->data, message, bytes);
    one->next = mpi->sent;
    mpi->sent = one;
    MPI_Issend(one->data, (int)bytes, MPI_BYTE, (int)to, message_tag, mpi->messages, &one->request);
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): release_sent() tests the request */
}

static const void *receive_message(void *state, uint32_t *from, size_t *bytes)
{
    struct mpi *mpi = state;
    int found = 0, count = 0;
    MPI_Message message;
    MPI_Status status;
    if (mpi->sent) release_sent(mpi);
    MPI_Improbe(MPI_ANY_SOURCE, message_tag, mpi->messages, &found, &message, &status);
    if (!found) return NULL;
    MPI_Get_count(&status, MPI_BYTE, &count);
    MPI_Mrecv(mpi->received, gws__transport_message, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    *from = (uint32_t)status.MPI_SOURCE;
    *bytes = (size_t)count;
    return mpi->received;
}

static void quiesce(void *state)
{
    struct mpi *mpi = state;
    MPI_Request barrier;
    int all = 0;
    uint32_t from;
    size_t bytes;
    for (bool entered = false; !all;) {
        (void)receive_message(mpi, &from, &bytes);
        if (!entered && !mpi->sent) MPI_Ibarrier(mpi->messages, &barrier);
        entered = entered || !mpi->sent;
        if (entered) MPI_Test(&barrier, &all, MPI_STATUS_IGNORE);
    }
}

/* ---- collective operations ---- */

static void use_shared(void *state, bool yes)
{
    ((struct mpi *)state)->uses_host = yes;
}

static bool uses_shared(const void *state)
{
    const struct mpi *mpi = state;
    return mpi->host && mpi->uses_host;
}

static void reduce(void *state, uint64_t *value, uint32_t count, enum gws__transport_operation operation)
{
    struct mpi *mpi = state;
    if (gws__mpi_host_reduce(mpi, value, count, operation)) return;
    if (operation == GWS__TRANSPORT_SUM) {
        MPI_Allreduce(MPI_IN_PLACE, value, (int)count, MPI_UINT64_T, MPI_SUM, mpi->collectives);
        return;
    }
    /* MPICH 4.0 compares unsigned numbers as signed ones. With the highest bit inverted, signed order is right. */
    for (uint32_t i = 0; i < count; i++) value[i] ^= UINT64_C(1) << 63;
    MPI_Allreduce(MPI_IN_PLACE, value, (int)count, MPI_INT64_T, MPI_MAX, mpi->collectives);
    for (uint32_t i = 0; i < count; i++) value[i] ^= UINT64_C(1) << 63;
}

static void gather(void *state, const void *from, size_t bytes, void *to)
{
    struct mpi *mpi = state;
    MPI_Gather(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE, 0, mpi->collectives);
}

GWS_API extern const struct gws__transport_kind gws__transport_mpi;
const struct gws__transport_kind gws__transport_mpi = {
    .version = GWS_VERSION,
    .open = open_mpi,
    .close = close_mpi,
    .send = send_message,
    .receive = receive_message,
    .quiesce = quiesce,
    .use_shared = use_shared,
    .uses_shared = uses_shared,
    .reduce = reduce,
    .gather = gather,
    .share = gws__mpi_share,
    .unshare = gws__mpi_unshare,
    .expose = gws__mpi_expose,
    .conceal = gws__mpi_conceal,
    .rma = &gws__mpi_rma,
    .exchange_part = gws__mpi_exchange_part,
    .exchange_drain = gws__mpi_exchange_drain,
    .exchange = gws__mpi_exchange,
    .allgather = gws__mpi_allgather,
};
