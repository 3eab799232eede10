/* SPDX-License-Identifier: MIT */
/* A recording: a file with a line of `line_bytes` bytes for each task, in the order in which the tasks were spawned. So
 * the line of a parent comes before those of its children, and the place of a line follows from its number.
 *
 * A segment has the tasks of consecutive lines. The worker that ends the last one of them writes and frees the segment.
 * So the memory is that of the segments with a task that has not ended. A worker writes the entry of a task before it
 * commits the task, and then the worker that runs the task writes it; the queue orders the two. */
#include "record.h"

#include <inttypes.h>
#include <stdio.h>

#include "../base/draft.h"
#include "../base/lock.h"
#include "../base/memory.h"
#include "../parallel.h"
#include "tasks.h"

enum { segment_lines = 128, line_bytes = 32 };

static const uint64_t max_number = UINT64_C(999999999999); /* twelve digits */

struct segment {
    struct segment *previous, *next; /* under the lock: the list of all segments */
    uint64_t first;                  /* number of the first line, from 1 on */
    _Atomic(uint32_t) left;          /* lines whose tasks have not ended, or are not spawned yet */
    struct {
        uint64_t parent, ns;
    } task[segment_lines];
};

struct gws__record {
    struct gws__draft draft;
    struct gws__lock lock;
    uint64_t lines;        /* under the lock, as all below */
    struct segment *first; /* the newest one has the last line, unless that line ended a segment */
    gws_status status;
    struct gws_diagnostic where;
};

/* ---- segments ---- */

static void remove_segment(struct gws__record *record, const struct gws_allocator *allocator, struct segment *segment)
{
    gws__lock_acquire(&record->lock);
    if (segment->previous)
        segment->previous->next = segment->next;
    else
        record->first = segment->next;
    if (segment->next) segment->next->previous = segment->previous;
    gws__lock_release(&record->lock);
    gws__memory_free(allocator, segment, 1, sizeof *segment);
}

/* Adds the segment of the line after record->lines, under the lock. Returns NULL if memory is short. */
static struct segment *add_segment(struct gws__record *record, const struct gws_allocator *allocator)
{
    struct segment *segment = gws__memory_new(allocator, 1, sizeof *segment);
    if (!segment) return NULL;
    segment->previous = NULL;
    segment->next = record->first;
    segment->first = record->lines + 1;
    atomic_init(&segment->left, segment_lines);
    if (segment->next) segment->next->previous = segment;
    record->first = segment;
    return segment;
}

/* Writes the first `lines` lines of a segment at their place. */
static void write_lines(struct gws__record *record, const struct segment *segment, uint32_t lines)
{
    char text[segment_lines * line_bytes + 1];
    struct gws_diagnostic where = {0};
    for (uint32_t i = 0; i < lines; i++) {
        const uint64_t ns = segment->task[i].ns < max_number ? segment->task[i].ns : max_number;
        (void)snprintf(text + (size_t)i * line_bytes, line_bytes + 1, "task %12" PRIu64 " %12" PRIu64 " \n",
                       segment->task[i].parent, ns);
    }
    const gws_status status = gws__draft_write_at(&record->draft, text, (uint64_t)lines * line_bytes,
                                                  (segment->first - 1) * line_bytes, &where);
    if (status == GWS_OK) return;
    gws__lock_acquire(&record->lock);
    if (record->status == GWS_OK) record->where = where;
    record->status = status;
    gws__lock_release(&record->lock);
}

/* Returns the segment of a new line, whose number it writes, or NULL if memory is short. */
static struct segment *add_line(struct gws__record *record, const struct gws_allocator *allocator, uint64_t *line)
{
    gws__lock_acquire(&record->lock);
    struct segment *segment = record->lines % segment_lines == 0 ? add_segment(record, allocator) : record->first;
    if (segment) *line = ++record->lines;
    gws__lock_release(&record->lock);
    return segment;
}

/* ---- tasks ---- */

void gws__record_spawn(struct gws_task_worker *self, uint64_t *slot)
{
    const uint64_t began = gws__pool_now(self->pool);
    uint64_t *word = slot + self->job->words - gws__record_words, line = 0;
    struct segment *segment = add_line(self->record, &self->pool->services.allocator, &line);
    word[0] = (uint64_t)(uintptr_t)segment;
    word[1] = line;
    if (segment)
        segment->task[line - segment->first].parent = self->line;
    else
        atomic_store_explicit(&self->job->failed, GWS_NO_MEMORY, memory_order_relaxed);
    self->apart_ns += gws__pool_now(self->pool) - began;
}

static void end_task(const struct gws_task_worker *self, const uint64_t *word, uint64_t ns)
{
    struct segment *segment = (struct segment *)(uintptr_t)word[0];
    if (!segment) return; /* memory was short */
    segment->task[word[1] - segment->first].ns = ns;
    /* acq_rel: pairs with the same operation of the workers that ended the other tasks. */
    if (atomic_fetch_sub_explicit(&segment->left, 1, memory_order_acq_rel) > 1) return;
    write_lines(self->record, segment, segment_lines);
    remove_segment(self->record, &self->pool->services.allocator, segment);
}

void gws__record_run(struct gws_task_worker *self, const uint64_t *task, uint32_t count)
{
    const struct gws_tasks *tasks = self->job->tasks;
    for (uint32_t i = 0; i < count; i++, task += self->job->words) {
        const uint64_t *word = task + self->job->words - gws__record_words, began = gws__pool_now(self->pool);
        self->line = word[1];
        self->apart_ns = 0;
        tasks->run(tasks->context, self, self->worker, task, 1);
        const uint64_t ns = gws__pool_now(self->pool) - began;
        end_task(self, word, ns > self->apart_ns ? ns - self->apart_ns : 0);
    }
}

/* ---- the file ---- */

static gws_status begin(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    if (pool->record) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "tasks are recorded already");
    struct gws__record *record = gws__memory_zero(&runtime->allocator, 1, sizeof *record);
    if (!record) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws__lock_init(&record->lock);
    const gws_status status = gws__draft_open(&record->draft, runtime, path, 0666, where);
    if (status == GWS_OK)
        pool->record = record;
    else
        gws__memory_free(&runtime->allocator, record, 1, sizeof *record);
    return status;
}

static void close_record(struct gws__pool *pool)
{
    const struct gws_allocator *allocator = &pool->services.allocator;
    while (pool->record->first) remove_segment(pool->record, allocator, pool->record->first);
    gws__memory_free(allocator, pool->record, 1, sizeof *pool->record);
    pool->record = NULL;
}

void gws__record_discard(struct gws__pool *pool)
{
    if (!pool->record) return;
    gws__draft_discard(&pool->record->draft);
    close_record(pool);
}

/* Writes the last lines, which did not fill a segment. */
static gws_status finish(struct gws__record *record, struct gws_diagnostic *where)
{
    struct segment *last = record->first;
    const uint32_t lines = (uint32_t)(record->lines % segment_lines);
    /* relaxed: no task runs. */
    const bool ended =
        lines == 0
            ? !last
            : last && !last->next && atomic_load_explicit(&last->left, memory_order_relaxed) == segment_lines - lines;
    if (!ended) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "not all recorded tasks have run");
    if (record->lines == 0) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "no task has run");
    if (record->lines > max_number) return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "too many tasks");
    if (last) write_lines(record, last, lines);
    if (record->status != GWS_OK && where) *where = record->where;
    return record->status;
}

static gws_status end(struct gws_runtime *runtime, uint64_t *tasks, struct gws_diagnostic *where)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    if (!pool->record) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "no tasks are recorded");
    const uint64_t lines = pool->record->lines;
    gws_status status = finish(pool->record, where);
    if (status != GWS_OK) {
        gws__record_discard(pool);
        return status;
    }
    status = gws__draft_commit(&pool->record->draft, where);
    close_record(pool);
    if (status == GWS_OK && tasks) *tasks = lines;
    return status;
}

gws_status gws_tasks_record(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, begin(runtime, path, where));
}

gws_status gws_tasks_record_end(struct gws_runtime *runtime, uint64_t *tasks, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, end(runtime, tasks, where));
}
