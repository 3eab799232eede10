/* SPDX-License-Identifier: MIT */
/* Workers share one lock around the input and a short queue of pieces. Any of them may be the one that takes the next
 * piece from the input (`taking`), so it does not matter which of them run at all: one alone does everything. Taking a
 * piece from a stream inflates it, which is the longest work, so it comes first until
 * the others have enough to do. Pieces of a file depend on nothing but their number, so there a worker takes the next
 * number and reads the piece itself. */
#include "buffer.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

struct run {
    struct gws__input *input;
    struct gws__input view; /* as it was; each worker has a copy with a where of its own */
    gws__piece_body *body;
    void *context;
    pthread_mutex_t lock;   /* around all below, and around the input while nobody is taking */
    pthread_cond_t changed; /* a piece was queued, or taking ended */
    struct gws__piece *queue;
    uint32_t room, first, queued;   /* queue is a ring of room pieces */
    struct gws__buffer *given_back; /* for the next one who takes */
    bool taking, over;
    gws_status status;
    uint64_t failed; /* the piece that status is about */
    struct gws_where where;
};

/* Keeps the fault of the first piece. Called under the lock. */
static void note(struct run *run, uint64_t index, gws_status status, const struct gws_where *where)
{
    if (status == GWS_OK) return;
    run->over = true;
    if (run->status != GWS_OK && run->failed <= index) return;
    run->status = status;
    run->failed = index;
    run->where = *where;
}

static void reuse_buffers(struct run *run)
{
    while (run->given_back) {
        struct gws__piece piece = {.buffer = run->given_back};
        run->given_back = piece.buffer->next;
        gws__input_done(run->input, &piece);
    }
}

/* The place of the i-th piece of the queue, i below room. */
static uint32_t place(const struct run *run, uint32_t i)
{
    return i < run->room - run->first ? run->first + i : i - (run->room - run->first);
}

static void take(struct run *run)
{
    struct gws__piece piece = {0};
    struct gws_where where = {0}, *kept = run->input->where;
    run->input->where = &where;
    run->taking = true;
    reuse_buffers(run);
    pthread_mutex_unlock(&run->lock);
    gws_status status = gws__input_next(run->input, &piece);
    pthread_mutex_lock(&run->lock);
    run->taking = false;
    run->input->where = kept;
    if (status != GWS_OK)
        note(run, run->input->pieces, status, &where);
    else if (!piece.text)
        run->over = true;
    else
        run->queue[place(run, run->queued++)] = piece;
    pthread_cond_broadcast(&run->changed);
}

static void read_one(struct run *run, uint32_t worker, const struct gws__input *view)
{
    struct gws__piece piece = run->queue[run->first];
    run->first = place(run, 1);
    run->queued--;
    if (run->status == GWS_OK || piece.index < run->failed) {
        pthread_mutex_unlock(&run->lock);
        *view->where = (struct gws_where){0};
        piece.input = view;
        gws_status status = run->body(run->context, worker, &piece);
        pthread_mutex_lock(&run->lock);
        note(run, piece.index, status, view->where);
    }
    piece.buffer->next = run->given_back;
    run->given_back = piece.buffer;
}

/* ---- files ---- */

/* The piece that the header was read from, or the number of the next one to cut. */
static bool next_chunk(struct run *run, struct gws__piece *piece, struct gws__buffer **buffer, uint64_t *chunk)
{
    struct gws__input *input = run->input;
    if (input->piece.text) return gws__input_next(input, piece) == GWS_OK;
    if (input->chunk == gws__input_chunks(input)) return false;
    *chunk = input->chunk++;
    *buffer = run->given_back;
    if (*buffer) run->given_back = (*buffer)->next;
    return true;
}

/* Takes a chunk, reads it and its piece; called and left under the lock. False when there is none. */
static bool read_chunk(struct run *run, uint32_t worker, const struct gws__input *view)
{
    struct gws__piece piece = {0};
    struct gws__buffer *buffer = NULL;
    uint64_t chunk = 0;
    gws_status status = GWS_OK;
    if (run->over || !next_chunk(run, &piece, &buffer, &chunk)) return false;
    const bool header = piece.text != NULL;
    *view->where = (struct gws_where){0};
    if (header) {
        buffer = piece.buffer;
        chunk = piece.index;
    }
    pthread_mutex_unlock(&run->lock);
    if (!header) status = gws__input_cut(view, chunk, &buffer, &piece);
    piece.input = view;
    if (status == GWS_OK && piece.text) status = run->body(run->context, worker, &piece);
    pthread_mutex_lock(&run->lock);
    note(run, chunk, status, view->where);
    if (piece.text) gws__input_progress(run->input, &piece);
    if (!buffer) return true;
    buffer->next = run->given_back;
    run->given_back = buffer;
    return true;
}

static void work(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct run *run = context;
    struct gws_where where;
    struct gws__input view = run->view;
    view.where = &where;
    (void)begin, (void)end;
    pthread_mutex_lock(&run->lock);
    while (run->input->file && read_chunk(run, worker, &view)) continue;
    while (!run->input->file) {
        bool may_take = !run->taking && !run->over && run->queued < run->room;
        if (may_take && (run->queued == 0 || run->room > 1))
            take(run);
        else if (run->queued > 0)
            read_one(run, worker, &view);
        else if (run->taking)
            pthread_cond_wait(&run->changed, &run->lock);
        else
            break;
    }
    pthread_mutex_unlock(&run->lock);
}

/* How many workers the input is worth. */
static uint32_t workers_for(const struct gws__input *input)
{
    uint32_t workers = gws_runtime_workers(input->runtime);
    uint64_t pieces = input->total / (input->inflater ? input->piece_size / 8 : input->piece_size) + 1;
    return input->total > 0 && pieces < workers ? (uint32_t)pieces : workers;
}

gws_status gws__pieces_run(struct gws__input *input, gws__piece_body *body, void *context)
{
    uint32_t workers = workers_for(input);
    struct run run = {.input = input, .view = *input, .body = body, .context = context};
    run.room = !input->file && workers > 1 ? 2 * workers : 1;
    run.queue = gws_allocate(input->runtime, run.room, sizeof *run.queue);
    if (!run.queue) return GWS_NO_MEMORY;
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.changed, NULL);
    struct gws_loop loop = {.count = workers, .chunk = 1, .grain = 1, .body = work, .context = &run};
    gws_parallel_run(input->runtime, &loop);
    reuse_buffers(&run);
    if (input->file) input->offset = input->total;
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    gws_release(input->runtime, run.queue, run.room, sizeof *run.queue);
    if (run.status != GWS_OK && input->where) *input->where = run.where;
    return run.status;
}

gws_status gws__piece_fail(const struct gws__piece *piece, const char *at, gws_status status, const char *format, ...)
{
    char message[sizeof piece->input->where->message];
    const char *start = at;
    va_list rest;
    va_start(rest, format);
    vsnprintf(message, sizeof message, format, rest);
    va_end(rest);
    while (start > piece->text && start[-1] != '\n') start--;
    const struct gws__input *input = piece->input;
    uint64_t before = input->file ? gws__file_lines(input, piece->offset) : piece->lines;
    uint64_t line = before + gws__count_lines(piece->text, at) + 1, column = (uint64_t)(at - start) + 1;
    return gws__input_fail(input, status, line, column, "%s", message);
}
