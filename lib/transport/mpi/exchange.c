/* SPDX-License-Identifier: MIT */
/* Exchanges of items among all ranks. Ranks of one host exchange in shared memory (host.c). Otherwise one MPI_Alltoall
 * carries the counts and the sums. Items move in messages of at most one block, of which each pair of ranks has one on
 * its way: so a rank needs one block of memory for each rank that sends to it, and works on a block while others
 * arrive. Ranks without items for each other send no message, which keeps the many small levels of a search on a road
 * map cheap. */
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { exchange_tag = 2, max_block = 1 << 18 };

struct exchange_memory {
    uint64_t *sent, *received; /* by rank: items, then the numbers to sum; of one size in one exchange */
    uint64_t *left;            /* items that are still to come, by rank; then those still to go */
    const char **next;         /* the next items for each rank */
    MPI_Request *request;      /* a receipt for each rank, then a sending */
    char **block;              /* by rank; NULL: nothing came from it yet */
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) { /* as MPI itself does (mpi.c) */
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        abort();
    }
    return memory;
}

static struct exchange_memory *memory_of(struct mpi *mpi)
{
    const size_t ranks = (size_t)mpi->ranks;
    if (mpi->exchange) return mpi->exchange;
    struct exchange_memory *made = mpi->exchange = allocate(1, sizeof *made);
    made->sent = allocate(ranks * (1 + GWS_EXCHANGE_SUMS), sizeof *made->sent);
    made->received = allocate(ranks * (1 + GWS_EXCHANGE_SUMS), sizeof *made->received);
    made->left = allocate(2 * ranks, sizeof *made->left);
    made->next = allocate(ranks, sizeof *made->next);
    made->request = allocate(2 * ranks, sizeof *made->request);
    made->block = allocate(ranks, sizeof *made->block);
    return made;
}

void gws__mpi_exchange_close(struct mpi *mpi)
{
    struct exchange_memory *memory = mpi->exchange;
    if (!memory) return;
    for (int rank = 0; rank < mpi->ranks; rank++) free(memory->block[rank]);
    free(memory->sent);
    free(memory->received);
    free(memory->left);
    free((void *)memory->next);
    free((void *)memory->request);
    free((void *)memory->block);
    free(memory);
}

static void exchange_counts(struct mpi *mpi, struct exchange_memory *memory, const struct gws_exchange *exchange)
{
    const uint32_t words = 1 + exchange->sums;
    for (int rank = 0; rank < mpi->ranks; rank++) {
        uint64_t *row = memory->sent + (size_t)rank * words;
        row[0] = exchange->items[rank];
        for (uint32_t i = 0; i < exchange->sums; i++) row[1 + i] = exchange->sum[i];
    }
    MPI_Alltoall(memory->sent, (int)words, MPI_UINT64_T, memory->received, (int)words, MPI_UINT64_T, mpi->collectives);
    for (uint32_t i = 0; i < exchange->sums; i++) exchange->sum[i] = 0;
    for (int rank = 0; rank < mpi->ranks; rank++) {
        const uint64_t *row = memory->received + (size_t)rank * words;
        memory->left[rank] = row[0];
        for (uint32_t i = 0; i < exchange->sums; i++) exchange->sum[i] += row[1 + i];
    }
}

static uint64_t block_items(const struct gws_exchange *exchange, uint64_t left)
{
    const uint64_t max = max_block / exchange->item_bytes;
    return left < max ? left : max;
}

/* Posts the receipt of the next block, or sends it, if there is one. */
static void post_receive(struct mpi *mpi, struct exchange_memory *memory, const struct gws_exchange *exchange, int rank)
{
    const int bytes = (int)(block_items(exchange, memory->left[rank]) * exchange->item_bytes);
    if (bytes == 0) return;
    if (!memory->block[rank]) memory->block[rank] = allocate(max_block, 1);
    MPI_Irecv(memory->block[rank], bytes, MPI_BYTE, rank, exchange_tag, mpi->messages, &memory->request[rank]);
}

static void post_send(struct mpi *mpi, struct exchange_memory *memory, const struct gws_exchange *exchange, int rank)
{
    uint64_t *left = &memory->left[mpi->ranks + rank];
    const uint64_t items = block_items(exchange, *left);
    if (items == 0) return;
    MPI_Isend(memory->next[rank], (int)(items * exchange->item_bytes), MPI_BYTE, rank, exchange_tag, mpi->messages,
              &memory->request[mpi->ranks + rank]);
    memory->next[rank] += items * exchange->item_bytes;
    *left -= items;
}

/* Gives this rank's own items to receive(), block by block. */
static void take_own(const struct mpi *mpi, const struct gws_exchange *exchange)
{
    const char *data = exchange->from;
    for (int rank = 0; rank < mpi->rank; rank++)
        if (exchange->items[rank] > 0) data += exchange->items[rank] * exchange->item_bytes;
    for (uint64_t left = exchange->items[mpi->rank], items; left > 0; left -= items) {
        items = block_items(exchange, left);
        exchange->receive(exchange->context, (uint32_t)mpi->rank, data, items);
        data += items * exchange->item_bytes;
    }
}

/* Starts all transfers. Returns false if there are none. */
static bool begin(struct mpi *mpi, struct exchange_memory *memory, const struct gws_exchange *exchange)
{
    const char *data = exchange->from;
    bool any = false;
    for (int rank = 0; rank < mpi->ranks; rank++) {
        memory->request[rank] = memory->request[mpi->ranks + rank] = MPI_REQUEST_NULL;
        memory->next[rank] = data;
        memory->left[mpi->ranks + rank] = rank == mpi->rank ? 0 : exchange->items[rank];
        if (rank == mpi->rank) memory->left[rank] = 0;
        if (exchange->items[rank] > 0) data += exchange->items[rank] * exchange->item_bytes;
        any = any || memory->left[rank] > 0 || memory->left[mpi->ranks + rank] > 0;
    }
    for (int rank = 0; any && rank < mpi->ranks; rank++) {
        post_receive(mpi, memory, exchange, rank);
        post_send(mpi, memory, exchange, rank);
    }
    return any;
}

static void exchange_messages(struct mpi *mpi, const struct gws_exchange *exchange)
{
    struct exchange_memory *memory = memory_of(mpi);
    exchange_counts(mpi, memory, exchange);
    const bool any = begin(mpi, memory, exchange);
    take_own(mpi, exchange);
    for (int done; any;) {
        MPI_Waitany(2 * mpi->ranks, memory->request, &done, MPI_STATUS_IGNORE);
        if (done == MPI_UNDEFINED) break;
        if (done >= mpi->ranks) {
            post_send(mpi, memory, exchange, done - mpi->ranks);
            continue;
        }
        const uint64_t items = block_items(exchange, memory->left[done]);
        memory->left[done] -= items;
        exchange->receive(exchange->context, (uint32_t)done, memory->block[done], items);
        post_receive(mpi, memory, exchange, done);
    }
}

void gws__mpi_exchange(void *state, const struct gws_exchange *exchange)
{
    struct mpi *mpi = state;
    if (gws__mpi_host_exchange(mpi, exchange, block_items(exchange, UINT64_MAX)))
        take_own(mpi, exchange);
    else
        exchange_messages(mpi, exchange);
}

void gws__mpi_allgather(void *state, uint64_t *all, const uint64_t *words)
{
    struct mpi *mpi = state;
    if (gws__mpi_host_allgather(mpi, all, words)) return;
    int *count = allocate(2 * (size_t)mpi->ranks, sizeof *count), *place = count + mpi->ranks;
    uint64_t sum = 0;
    for (int rank = 0; rank < mpi->ranks; rank++) {
        count[rank] = (int)words[rank];
        place[rank] = (int)sum;
        sum += words[rank];
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, place, MPI_UINT64_T, mpi->collectives);
    free(count);
}
