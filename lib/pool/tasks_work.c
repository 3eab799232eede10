/* SPDX-License-Identifier: MIT */
/* The work of a worker on immediate tasks. A worker runs the tasks of its own queue first, then steals tasks. If no
 * queue has tasks, it sleeps until tasks appear or all tasks have ended.
 *
 * A worker is busy (termination.h) while it runs tasks or accesses other queues. It is idle while it only reads their
 * lengths or sleeps. */
#include "../base/spin.h"
#include "../random.h"
#include "tasks.h"

enum seek {
    SEEK_FOUND,
    SEEK_OWN,
    SEEK_OVER
}; /* the worker has stolen a task; its own queue has a task after all; all tasks have ended */

static const double patience_ms = 0.1; /* spin time before an idle worker sleeps */

void gws__job_call(struct gws_task_worker *self, const uint64_t *task, uint32_t count)
{
    struct gws__job *job = self->job;
    /* relaxed: a worker that sees the failure late runs a few more tasks. */
    if (atomic_load_explicit(&job->failed, memory_order_relaxed) != GWS_OK) return;
    if (!job->ranges && gws__pool_cut(self->pool, self->worker)) {
        atomic_store_explicit(&job->failed, GWS_CANCELLED, memory_order_relaxed);
        return;
    }
    if (self->record)
        gws__record_run(self, task, count);
    else
        job->tasks->run(job->tasks->context, self, self->worker, task, count);
    self->ran += count;
    if (job->marks_every_run)
        gws__termination_mark_steal(&job->termination, self->worker, self->worker); /* before the next answer */
}

static uint64_t length_of(const struct gws_task_worker *self, uint32_t worker)
{
    return self->queue->length(self->state, worker);
}

/* ---- its own tasks ---- */

/* Samples the lengths of all queues, and adds their variance to the statistics. */
static void sample(struct gws_task_worker *self)
{
    double sum = 0, squares = 0, workers = self->job->workers;
    for (uint32_t w = 0; w < self->job->workers; w++) {
        double length = (double)length_of(self, w);
        sum += length;
        squares += length * length;
    }
    self->stats->samples++;
    self->stats->spread += squares / workers - sum / workers * (sum / workers);
    self->unsampled = 0;
}

/* Balances with a partner at random times. The lengths of queues thus even out before a worker is idle. */
static void balance(struct gws_task_worker *self, uint64_t length)
{
    struct gws__worker_state *state = &self->pool->worker[self->worker];
    if (!gws__decide_balance(length, gws_random_next(&state->random))) return;
    struct gws_view view = gws__pool_view(self->pool, self->worker, self->job->workers);
    uint32_t partner = gws__pool_victim(self->pool, &view);
    gws__termination_mark_steal(&self->job->termination, self->worker, partner);
    uint64_t balanced = self->queue->balance(self->state, self->worker, partner, self->threshold);
    self->threshold = gws__decide_threshold(self->threshold, balanced);
    self->stats->steals += balanced != 0;
    if (!self->job->ranges) self->stats->stolen += balanced;
}

/* Pops the next tasks. Overflow tasks are newer than the tasks in the queue, so the worker pops overflow tasks
 * first. */
static uint32_t pop(struct gws_task_worker *self)
{
    struct gws__job *job = self->job;
    struct gws_worker_stats *stats = self->stats;
    uint64_t length = length_of(self, self->worker), all = length + self->overflow.count;
    if (all > stats->high_water) stats->high_water = all;
    if (self->queue->balance && job->workers > 1) balance(self, length);
    if (self->pool->sample && ++self->unsampled >= self->pool->sample) sample(self);
    uint32_t count = gws__segmented_list_pop(&self->overflow, job->batch_size, self->batch);
    if (count == 0) {
        uint32_t max = gws__decide_batch(length, job->batch_size, job->workers);
        count = self->queue->pop(self->state, self->worker, max, self->batch);
    }
    if (all > count) gws__idle_set_notify(&self->pool->idle_set, self->worker);
    return count;
}

/* Pops up to `max` of the worker's own tasks, the newest first. Returns their number. */
static uint32_t pop_all(struct gws_task_worker *self, uint32_t max, uint64_t *task)
{
    uint32_t count = 0, got = 1;
    for (; count < max && got > 0; count += got) {
        uint32_t limit = max - count < gws__max_batch ? max - count : gws__max_batch;
        got = gws__segmented_list_pop(&self->overflow, limit, task + (uint64_t)count * self->job->words);
        if (got == 0)
            got = self->queue->pop(self->state, self->worker, limit, task + (uint64_t)count * self->job->words);
    }
    return count;
}

uint32_t gws__job_split(struct gws_task_worker *self, uint64_t *task, uint32_t max, uint32_t gift,
                        const uint64_t **older)
{
    const uint32_t words = self->job->words, count = pop_all(self, max, task), half = count / 2;
    const uint32_t gives = half < gift ? half : gift, keeps = count - gives;
    for (uint32_t i = keeps; i-- > 0;) gws_spawn(self, task + (uint64_t)i * words);
    self->made -= keeps; /* they are not new */
    *older = task + (uint64_t)keeps * words;
    return gives;
}

/* ---- stealing ---- */

/* Tries each victim with tasks once. */
static bool steal_one(struct gws_task_worker *self)
{
    struct gws__pool *pool = self->pool;
    struct gws__worker_state *state = &pool->worker[self->worker];
    if (!pool->victim || self->job->workers < 2) return false;
    struct gws_view view = gws__pool_view(pool, self->worker, self->job->workers);
    struct gws_steal_request request = {
        .thief = self->worker, .amount = pool->amount, .chunk = pool->chunk ? pool->chunk : 8, .wait = pool->wait};
    for (; view.tried + 1 < view.workers; view.tried++) {
        state->last_tried = view.previous = request.victim = gws__pool_victim(pool, &view);
        if (length_of(self, request.victim) == 0) continue;
        gws__termination_mark_steal(&self->job->termination, self->worker, request.victim);
        enum gws_acquire acquired = self->queue->steal(self->state, &request, self->batch, &self->stolen);
        if (acquired == GWS_ACQUIRED) {
            state->last = request.victim;
            self->stats->steals++;
            if (!self->job->ranges) self->stats->stolen += self->stolen;
            return true;
        }
        if (acquired == GWS_ACQUIRE_LOST)
            self->stats->failed_steals++;
        else
            self->stats->aborted_steals++;
    }
    return false;
}

bool gws__job_has_work(const struct gws_task_worker *self)
{
    for (uint32_t w = 0; w < self->job->workers; w++)
        if (length_of(self, w) > 0) return true;
    return false;
}

static bool is_awaited(void *context, uint32_t worker)
{
    struct gws_task_worker *self = context;
    return gws__termination_over(&self->job->termination, worker) || gws__job_has_work(self);
}

/* Makes a busy worker idle if its queue is empty. Returns whether it did. */
static bool mark_idle(struct gws_task_worker *self, bool *over)
{
    if (self->queue->mark_idle && !self->queue->mark_idle(self->state, self->worker)) return false;
    *over = gws__termination_idle(&self->job->termination, self->worker);
    if (*over) gws__idle_set_unpark_all(&self->pool->idle_set);
    return true;
}

static void mark_active(struct gws_task_worker *self)
{
    gws__termination_busy(&self->job->termination, self->worker);
    if (self->queue->mark_active) self->queue->mark_active(self->state, self->worker);
}

/* Waits until a queue has tasks or all tasks have ended. Returns true if all tasks have ended. */
static bool idle(struct gws_task_worker *self)
{
    struct gws__spin spin = {0};
    double patience = self->pool->threads.patience_ms > 0 ? patience_ms : 0;
    uint32_t pauses = 1;
    for (;;) {
        if (gws__termination_over(&self->job->termination, self->worker)) return true;
        if (gws__job_has_work(self)) return false;
        for (uint32_t i = 0; i < pauses; i++) gws__spin_pause();
        if (pauses < 32) pauses *= 2; /* polling disturbs the busy workers */
        if (gws__spin_on(&spin, patience)) continue;
        bool asks = self->worker == 0 && self->pool->services.cancel;
        gws__idle_set_park(&self->pool->idle_set, self->worker, is_awaited, self, asks ? gws__ask_ms : 0);
        if (asks) (void)gws_cancelled(&self->pool->services);
        spin = (struct gws__spin){0};
    }
}

/* Looks for work while the worker is idle. already: the worker is idle on entry. */
static enum seek seek_while_idle(struct gws_task_worker *self, bool already)
{
    for (uint32_t failures = 0;; already = false) {
        bool over = false;
        if (!already && !mark_idle(self, &over)) return SEEK_OWN;
        if (over || idle(self)) return SEEK_OVER;
        mark_active(self);
        if (steal_one(self)) return SEEK_FOUND;
        /* Backoff: the queues had tasks, but steals failed. */
        if (failures < 6) failures++;
        for (uint32_t i = 0; i < 1U << failures; i++) gws__spin_pause();
    }
}

/* Looks for work in this process and at its peers. Worker 0 stays busy meanwhile, so the process is exhausted if no
 * other worker is busy and then no queue has tasks. */
static enum seek seek_at_peers(struct gws_task_worker *self)
{
    struct gws__job *job = self->job;
    for (;;) {
        /* acquire, in the function: the other workers' last changes of the queues are visible. */
        bool exhausted = gws__termination_alone(&job->termination) && !gws__job_has_work(self);
        enum gws__peers_answer answer = job->peers->seek(job->peers->context, self, exhausted);
        if (answer == GWS__PEERS_GAVE || length_of(self, self->worker) > 0) return SEEK_OWN;
        if (answer == GWS__PEERS_OVER) {
            job->peers = NULL;
            return seek_while_idle(self, false);
        }
        if (steal_one(self)) return SEEK_FOUND;
    }
}

/* Ends the busy time, looks for work and starts the next busy time. */
static enum seek seek(struct gws_task_worker *self, bool already)
{
    struct gws__pool *pool = self->pool;
    struct gws__worker_state *state = &pool->worker[self->worker];
    uint64_t began = gws__pool_now(pool);
    bool has_peers = self->worker == 0 && self->job->peers;
    enum seek found = !already && steal_one(self) ? SEEK_FOUND
                      : has_peers                 ? seek_at_peers(self)
                                                  : seek_while_idle(self, already);
    uint64_t ended = gws__pool_now(pool);
    self->idle_ms += (double)(ended - began) / 1e6;
    gws__pool_trace(pool, state, GWS_SLICE_BUSY, self->began_ns, began, self->ran);
    if (found == SEEK_FOUND)
        gws__pool_trace(pool, state, GWS_SLICE_STEAL, began, ended, self->stolen);
    else
        gws__pool_trace(pool, state, GWS_SLICE_IDLE, began, ended, 0);
    if (!self->job->ranges) self->stats->tasks += self->ran;
    self->ran = 0;
    self->began_ns = ended;
    return found;
}

void gws__job_work(struct gws__pool *pool, uint32_t worker)
{
    struct gws__worker_state *state = &pool->worker[worker];
    struct gws_task_worker *self = &pool->job->task_worker[worker];
    self->stats = pool->job->uncounted ? &state->uncounted : &state->stats;
    self->idle_ms = 0;
    uint64_t began = self->began_ns = gws__pool_now(pool);
    for (enum seek found = worker == 0 ? SEEK_OWN : seek(self, true); found != SEEK_OVER;) {
        const struct gws__peers *peers = worker == 0 ? self->job->peers : NULL;
        uint32_t count = found == SEEK_FOUND ? 1 : pop(self);
        found = SEEK_OWN;
        if (count)
            gws__job_call(self, self->batch, count);
        else
            found = seek(self, false);
        if (count && peers) peers->poll(peers->context, self);
    }
    state->stats.busy_ms += (double)(gws__pool_now(pool) - began) / 1e6 - self->idle_ms;
    if (!pool->job->ranges) self->stats->made += self->made;
}
