/* SPDX-License-Identifier: MIT */
/* The chunks of an input among ranks. Each rank reads consecutive ranges of a file, with as many threads as it has.
 * Rank 0 reads a stream, which may have to be inflated, and sends its chunks: in each step a block of block_chunks
 * chunks to every other rank, which read one block while rank 0 reads the next. */
#include <string.h>

#include "ranks.h"

/* ---- a file ---- */

static uint64_t first_of(uint64_t ranges, uint64_t rank, uint64_t ranks)
{
    const uint64_t rest = ranges % ranks;
    return ranges / ranks * rank + (rank < rest ? rank : rest);
}

/* The range that the head ends in belongs to rank 0. */
static gws_status run_part(struct gws__input *input, gws__chunk_body *body, void *context, uint64_t *failed)
{
    const uint64_t rank = gws_transport_rank(input->ranks->transport),
                   ranks = gws_transport_ranks(input->ranks->transport);
    const uint64_t begin = input->range - (input->chunk.text != NULL), left = gws__input_ranges(input) - begin;
    if (rank > 0) {
        if (input->chunk.text) gws__input_release(input, &input->chunk);
        input->range = begin + first_of(left, rank, ranks);
    }
    return gws__chunks_run_to(input, begin + first_of(left, rank + 1, ranks), body, context, failed);
}

/* ---- a stream ---- */

enum { block_chunks = 4 };

/* What is sent before each chunk. */
struct chunk_head {
    uint64_t index, lines, bytes;
};

enum { head_words = sizeof(struct chunk_head) / sizeof(uint64_t) };

struct chunk_words {
    uint64_t *word;
    uint64_t count, capacity;
};

/* Chunks on their way: on rank 0 those for all ranks, on other ranks those for this rank. */
struct stream_run {
    struct gws__input *input;
    gws__chunk_body *body;
    void *context;
    struct chunk_words words;
    uint64_t *items; /* words for each rank */
    bool over;       /* rank 0: the input has ended */
    gws_status status;
    uint64_t failed; /* the chunk that status belongs to */
};

static void record(struct stream_run *run, gws_status status, uint64_t index)
{
    if (status == GWS_OK || run->status != GWS_OK) return;
    run->status = status;
    run->failed = index;
}

static bool reserve(struct stream_run *run, uint64_t words)
{
    struct chunk_words *have = &run->words;
    const uint64_t need = have->count + words;
    return need <= have->capacity ||
           gws__resize(run->input->runtime, &have->word, have->count, &have->capacity, 2 * need, sizeof *have->word);
}

static uint64_t words_of(uint64_t bytes)
{
    return head_words + (bytes + gws__chunk_padding + 7) / 8;
}

/* Appends the lines that the head has left of a chunk. */
static gws_status append(struct stream_run *run, const struct gws__chunk *chunk)
{
    const struct chunk_head head = {chunk->index, chunk->lines + gws__count_lines(chunk->text, chunk->at),
                                    (uint64_t)(chunk->end - chunk->at)};
    const uint64_t words = words_of(head.bytes);
    if (head.bytes == 0) return GWS_OK;
    if (!reserve(run, words)) return GWS_NO_MEMORY;
    uint64_t *to = run->words.word + run->words.count;
    memset(to, 0, head_words * sizeof *to);
    memcpy(to, &head, sizeof head);
    memset(to + words - gws__chunk_padding / 8 - 1, 0, gws__chunk_padding + 8);
    memcpy(to + head_words, chunk->at, head.bytes);
    run->words.count += words;
    return GWS_OK;
}

/* Reads the next block of each other rank. */
static void fetch(struct stream_run *run)
{
    const uint32_t ranks = gws_transport_ranks(run->input->ranks->transport);
    struct gws__read_ranks *saved = run->input->ranks;
    run->input->ranks = NULL;
    for (uint32_t r = 0; r < ranks; r++) {
        const uint64_t before = run->words.count;
        for (int i = 0; r > 0 && i < block_chunks && !run->over; i++) {
            struct gws__chunk chunk = {0};
            gws_status status = gws__input_next(run->input, &chunk);
            if (status == GWS_OK && chunk.text) status = append(run, &chunk);
            run->over = status != GWS_OK || !chunk.text;
            record(run, status, run->input->chunks);
            gws__input_release(run->input, &chunk);
        }
        run->items[r] = run->words.count - before;
    }
    run->input->ranks = saved;
}

static void take(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct stream_run *run = context;
    (void)rank;
    if (!reserve(run, items)) record(run, GWS_NO_MEMORY, 0);
    if (run->status != GWS_OK) return;
    memcpy(run->words.word + run->words.count, data, items * sizeof *run->words.word);
    run->words.count += items;
}

/* A chunk that has arrived, with the worker's message about it. */
struct arrived {
    const struct stream_run *run;
    struct gws__chunk chunk;
    struct gws__input view;
    struct gws_diagnostic where;
    gws_status status;
};

static void read_chunks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct arrived *arrived = context;
    for (uint64_t i = begin; i < end; i++)
        arrived[i].status = arrived[i].run->body(arrived[i].run->context, worker, &arrived[i].chunk);
}

/* Reads the chunks that have arrived. */
static void read_block(struct stream_run *run)
{
    struct arrived arrived[block_chunks];
    uint64_t count = 0;
    for (uint64_t at = 0; at < run->words.count && count < block_chunks; count++) {
        struct arrived *next = &arrived[count];
        struct chunk_head head;
        memcpy(&head, run->words.word + at, sizeof head);
        const char *text = (const char *)(run->words.word + at + head_words);
        *next = (struct arrived){.run = run, .view = *run->input};
        next->view.ranks = NULL;
        next->view.where = &next->where;
        next->chunk = (struct gws__chunk){.input = &next->view,
                                          .text = text,
                                          .at = text,
                                          .end = text + head.bytes,
                                          .index = head.index,
                                          .lines = head.lines};
        at += words_of(head.bytes);
    }
    gws_status status = gws_parallel_try_for(run->input->runtime, count, 1, read_chunks, arrived);
    for (uint64_t i = 0; i < count; i++) {
        if (arrived[i].status == GWS_OK || run->status != GWS_OK) continue;
        record(run, arrived[i].status, arrived[i].chunk.index);
        if (run->input->where) *run->input->where = arrived[i].where;
    }
    record(run, status, 0); /* cancelled */
}

/* Moves blocks until the input ends or a rank has failed. */
static void run_steps(struct stream_run *run)
{
    struct gws_transport *transport = run->input->ranks->transport;
    const bool first = gws__read_ranks_first(run->input->ranks);
    for (uint64_t state[2] = {1, 0}; state[0] > 0 && state[1] == 0;) {
        run->words.count = 0;
        if (first) fetch(run);
        state[0] = first && !run->over;
        state[1] = run->status != GWS_OK;
        const struct gws_exchange exchange = {.from = run->words.word,
                                              .items = run->items,
                                              .item_bytes = sizeof *run->words.word,
                                              .receive = take,
                                              .context = run,
                                              .sum = state,
                                              .sums = 2};
        gws_transport_exchange(transport, &exchange);
        if (!first && run->status == GWS_OK) read_block(run);
    }
}

static gws_status run_stream(struct gws__input *input, gws__chunk_body *body, void *context, uint64_t *failed)
{
    struct gws__read_ranks *ranks = input->ranks;
    const uint32_t count = gws_transport_ranks(ranks->transport);
    struct stream_run run = {.input = input, .body = body, .context = context};
    run.items = gws_allocate(input->runtime, count, sizeof *run.items);
    gws_status status = gws__read_ranks_agree(ranks, run.items ? GWS_OK : GWS_NO_MEMORY);
    if (run.items) memset(run.items, 0, count * sizeof *run.items);
    if (!gws__read_ranks_first(ranks)) {
        if (input->chunk.text) gws__input_release(input, &input->chunk);
        input->offset = 0;
    }
    if (status == GWS_OK && run.items) {
        run_steps(&run);
        gws_transport_sum(ranks->transport, &input->offset, 1);
        status = run.status;
    }
    *failed = run.failed;
    gws_release(input->runtime, run.items, count, sizeof *run.items);
    gws_release(input->runtime, run.words.word, run.words.capacity, sizeof *run.words.word);
    return status;
}

/* ---- both ---- */

gws_status gws__read_ranks_chunks(struct gws__input *input, gws__chunk_body *body, void *context)
{
    struct gws__read_ranks *ranks = input->ranks;
    uint64_t failed = 0;
    if (gws_transport_ranks(ranks->transport) == 1) {
        input->ranks = NULL;
        gws_status alone = gws__chunks_run(input, body, context);
        input->ranks = ranks;
        return alone;
    }
    gws_status status = gws__read_ranks_agree(ranks, GWS_OK);
    if (status != GWS_OK) return status;
    status = input->file ? run_part(input, body, context, &failed) : run_stream(input, body, context, &failed);
    if (ranks->failed) return status;
    const uint64_t own = status == GWS_OK ? 0 : UINT64_MAX - failed;
    uint64_t earliest = own;
    gws_transport_max(ranks->transport, &earliest, 1);
    return gws__read_ranks_agree(ranks, own == earliest ? status : GWS_OK);
}
