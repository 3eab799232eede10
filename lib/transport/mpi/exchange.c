/* SPDX-License-Identifier: MIT */
/* Exchanges of items among all ranks. Ranks of one host exchange in shared memory (host.c). Otherwise items travel in
 * blocks, and a rank works on a block while others arrive. Parts of an exchange leave early, while the rank computes
 * what else it has to send. The last message to a rank has the sums and the items that are still left, if they are few:
 * so the many small levels of a search on a road map cost one message each way.
 *
 * Memory: a rank has a receipt of one block for each other rank, and up to 2 * `window` blocks on their way to it.
 * After each `window` blocks follows a mark, an empty synchronous message (MPI_Issend), which is complete only when its
 * receiver has it; no mark is sent before the last one is complete. So MPI need not hold more blocks than these. A
 * block is so small that Open MPI sends it over TCP at once, without the receiver's help (btl_tcp_eager_limit: 64 KiB),
 * and its sender need not wait while the receiver computes.
 *
 * No rank waits for ever: a rank that waits has a receipt posted for each rank whose last message it lacks, and serves
 * whatever ends first. So the blocks of a rank wait at most until their receiver has computed its next part or its last
 * one, and then calls a function of this file. */
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum {
    block_tag,
    mark_tag,
    last_tag,
    max_block = 60 << 10,
    max_last = 8 << 10,                                      /* bytes of items in a last message */
    sums_bytes = (1 + GWS_EXCHANGE_SUMS) * sizeof(uint64_t), /* their number, and they */
    window = 4
};

/* The requests of each other rank. */
enum { of_receipt, of_blocks, of_mark = of_blocks + 2 * window, of_last, requests };

/* What is on its way to a rank, and from it. */
struct peer {
    const char *next; /* the items that have not been sent */
    uint64_t left;    /* their number */
    uint32_t blocks;  /* sent since the last mark */
    bool ended;       /* its last message has been sent */
    uint64_t block[max_block / sizeof(uint64_t)];
    uint64_t last[(sums_bytes + max_last) / sizeof(uint64_t)];
};

struct exchange_memory {
    struct peer *peer;
    MPI_Request *request; /* `requests` for each rank */
    int *done;            /* as many, as the next */
    MPI_Status *status;
    bool open, ends; /* ends: the last items are known */
    int blocks;      /* on their way from this rank */
    int lasts;       /* last messages that this rank lacks, or that are on their way from it */
    uint64_t unsent; /* items */
    uint64_t sum[GWS_EXCHANGE_SUMS];
};

_Static_assert(sums_bytes + max_last <= max_block, "a receipt has space for a last message");

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
    const size_t ranks = (size_t)mpi->ranks, all = ranks * requests;
    if (mpi->exchange) return mpi->exchange;
    struct exchange_memory *made = mpi->exchange = allocate(1, sizeof *made);
    made->peer = allocate(ranks, sizeof *made->peer);
    made->request = allocate(all, sizeof *made->request);
    made->done = allocate(all, sizeof *made->done);
    made->status = allocate(all, sizeof *made->status);
    for (size_t i = 0; i < all; i++) made->request[i] = MPI_REQUEST_NULL;
    return made;
}

void gws__mpi_exchange_close(struct mpi *mpi)
{
    struct exchange_memory *memory = mpi->exchange;
    if (!memory) return;
    MPI_Waitall(mpi->ranks * requests, memory->request, memory->status); /* marks: their receivers had them */
    free(memory->peer);
    free((void *)memory->request);
    free(memory->done);
    free(memory->status);
    free(memory);
}

/* ---- messages ---- */

static uint64_t block_items(const struct gws_exchange *exchange, uint64_t left)
{
    const uint64_t max = max_block / exchange->item_bytes;
    return left < max ? left : max;
}

static void post_receipt(struct mpi *mpi, int rank)
{
    MPI_Irecv(mpi->exchange->peer[rank].block, max_block, MPI_BYTE, rank, MPI_ANY_TAG, mpi->exchanges,
              &mpi->exchange->request[rank * requests + of_receipt]);
}

static void send_block(struct mpi *mpi, const struct gws_exchange *exchange, int rank, MPI_Request *request)
{
    struct exchange_memory *memory = mpi->exchange;
    struct peer *peer = &memory->peer[rank];
    const uint64_t items = block_items(exchange, peer->left), bytes = items * exchange->item_bytes;
    MPI_Isend(peer->next, (int)bytes, MPI_BYTE, rank, block_tag, mpi->exchanges, request);
    peer->next += bytes;
    peer->left -= items;
    memory->unsent -= items;
    memory->blocks++;
    peer->blocks++;
}

/* Returns whether the rank may get a block, after a mark if one is due. */
static bool may_send(struct mpi *mpi, int rank)
{
    struct peer *peer = &mpi->exchange->peer[rank];
    MPI_Request *request = &mpi->exchange->request[rank * requests + of_mark];
    if (peer->blocks < window) return true;
    if (*request != MPI_REQUEST_NULL) return false;
    MPI_Issend(NULL, 0, MPI_BYTE, rank, mark_tag, mpi->exchanges, request);
    peer->blocks = 0;
    return true;
}

/* The library buffers so small a message, and the rank that gets it last of all needs no other one's help to end. */
static void send_last(struct mpi *mpi, const struct gws_exchange *exchange, int rank)
{
    struct exchange_memory *memory = mpi->exchange;
    struct peer *peer = &memory->peer[rank];
    uint64_t *at = peer->last;
    const size_t items = peer->left * exchange->item_bytes;
    *at++ = exchange->sums;
    for (uint32_t i = 0; i < exchange->sums; i++) *at++ = exchange->sum[i];
    if (items > 0) memcpy(at, peer->next, items);
    MPI_Isend(peer->last, (int)((size_t)((char *)at - (char *)peer->last) + items), MPI_BYTE, rank, last_tag,
              mpi->exchanges, &memory->request[rank * requests + of_last]);
    memory->unsent -= peer->left;
    peer->left = 0;
    peer->ended = true;
}

/* Sends what a rank has space for. */
static void send_more(struct mpi *mpi, const struct gws_exchange *exchange, int rank)
{
    struct exchange_memory *memory = mpi->exchange;
    struct peer *peer = &memory->peer[rank];
    MPI_Request *request = &memory->request[rank * requests];
    const uint64_t last = memory->ends ? max_last / exchange->item_bytes : 0; /* items of a last message */
    for (int i = of_blocks; i < of_mark && peer->left > last; i++)
        if (request[i] == MPI_REQUEST_NULL && may_send(mpi, rank)) send_block(mpi, exchange, rank, &request[i]);
    if (memory->ends && !peer->ended && peer->left <= last) send_last(mpi, exchange, rank);
}

static void take(struct mpi *mpi, const struct gws_exchange *exchange, int rank, const MPI_Status *status)
{
    struct exchange_memory *memory = mpi->exchange;
    const uint64_t *word = memory->peer[rank].block;
    int bytes = 0;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    const bool is_last = status->MPI_TAG == last_tag; /* a mark has no items */
    const uint64_t words = is_last ? 1 + *word : 0;
    for (uint64_t i = 1; i < words; i++) memory->sum[i - 1] += word[i];
    const uint64_t items = ((uint64_t)bytes - words * sizeof *word) / exchange->item_bytes;
    if (items > 0) exchange->receive(exchange->context, (uint32_t)rank, word + words, items);
    if (is_last)
        memory->lasts--;
    else
        post_receipt(mpi, rank);
}

/* Serves all requests that are complete. wait: at least one, if there are any. */
static void serve(struct mpi *mpi, const struct gws_exchange *exchange, bool wait)
{
    struct exchange_memory *memory = mpi->exchange;
    const int all = mpi->ranks * requests;
    int count = 0;
    if (wait)
        MPI_Waitsome(all, memory->request, &count, memory->done, memory->status);
    else
        MPI_Testsome(all, memory->request, &count, memory->done, memory->status);
    for (int i = 0; i < count; i++) { /* MPI_UNDEFINED is negative */
        const int rank = memory->done[i] / requests, which = memory->done[i] % requests;
        if (which == of_receipt) {
            take(mpi, exchange, rank, &memory->status[i]);
        } else if (which == of_last) {
            memory->lasts--;
        } else {
            memory->blocks -= which != of_mark;
            send_more(mpi, exchange, rank);
        }
    }
}

/* ---- exchanges ---- */

static void open_exchange(struct mpi *mpi)
{
    struct exchange_memory *memory = memory_of(mpi);
    if (memory->open) return;
    memory->open = true;
    memory->ends = false;
    memory->lasts = 2 * (mpi->ranks - 1);
    memset(memory->sum, 0, sizeof memory->sum);
    for (int rank = 0; rank < mpi->ranks; rank++) {
        memory->peer[rank].ended = false;
        if (rank != mpi->rank) post_receipt(mpi, rank);
    }
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

/* Begins to send the items, and takes this rank's own. */
static void begin_items(struct mpi *mpi, const struct gws_exchange *exchange)
{
    struct exchange_memory *memory = mpi->exchange;
    const char *data = exchange->from;
    for (int rank = 0; rank < mpi->ranks; rank++) {
        struct peer *peer = &memory->peer[rank];
        peer->next = data;
        peer->left = rank == mpi->rank ? 0 : exchange->items[rank];
        memory->unsent += peer->left;
        if (exchange->items[rank] > 0 && !exchange->to_all) data += exchange->items[rank] * exchange->item_bytes;
        if (rank != mpi->rank) send_more(mpi, exchange, rank);
    }
    take_own(mpi, exchange);
}

void gws__mpi_exchange_part(void *state, const struct gws_exchange *exchange)
{
    struct mpi *mpi = state;
    open_exchange(mpi);
    begin_items(mpi, exchange);
    serve(mpi, exchange, false);
}

void gws__mpi_exchange_drain(void *state, const struct gws_exchange *exchange)
{
    struct mpi *mpi = state;
    const struct exchange_memory *memory = mpi->exchange;
    while (memory && memory->open && (memory->unsent > 0 || memory->blocks > 0)) serve(mpi, exchange, true);
}

static void exchange_messages(struct mpi *mpi, const struct gws_exchange *exchange)
{
    open_exchange(mpi);
    struct exchange_memory *memory = mpi->exchange;
    gws__mpi_exchange_drain(mpi, exchange);
    memory->ends = true;
    begin_items(mpi, exchange);
    while (memory->lasts > 0 || memory->blocks > 0) serve(mpi, exchange, true);
    memory->open = false;
    for (uint32_t i = 0; i < exchange->sums; i++) exchange->sum[i] += memory->sum[i];
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
