/* SPDX-License-Identifier: MIT */
/* What a worker does with immediate tasks: its own, last in first out; then others'; then rest, until there are some
 * again or none is left anywhere.
 *
 * A worker is busy (termination.h) while it runs tasks or looks into others' queues, and idle while it only looks at
 * their lengths or rests. */
#include "../base/spin.h"
#include "../random.h"
#include "tasks.h"

enum seek { SEEK_FOUND, SEEK_OWN, SEEK_OVER }; /* something stolen; something in its own queue after all; the end */

static const double patience_ms = 0.1; /* before resting */

void gws__job_call(struct gws_task_worker *self, const uint64_t *task, uint32_t count)
{
    struct gws__job *job = self->job;
    /* relaxed: whoever sees it late runs a few tasks more. */
    if (atomic_load_explicit(&job->failed, memory_order_relaxed)) return;
    job->tasks->run(job->tasks->context, self, self->worker, task, count);
    self->ran += count;
    if (job->marks)
        gws__termination_robs(&job->termination, self->worker, self->worker); /* before it answers a wave again */
}

static uint64_t length_of(const struct gws_task_worker *self, uint32_t worker)
{
    return self->container->length(self->state, worker);
}

/* ---- its own tasks ---- */

/* Looks at all queues: how far their lengths are from even. */
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

/* Meets a partner now and then, so that lengths even out before anybody is idle. */
static void balance(struct gws_task_worker *self, uint64_t length)
{
    struct gws__worker_state *state = &self->pool->worker[self->worker];
    if (!gws__decide_balance(length, gws_random_next(&state->random))) return;
    struct gws_view view = gws__pool_view(self->pool, self->worker, self->job->workers);
    uint32_t partner = gws__pool_victim(self->pool, &view);
    gws__termination_robs(&self->job->termination, self->worker, partner);
    uint64_t moved = self->container->balance(self->state, self->worker, partner, self->threshold);
    self->threshold = gws__decide_threshold(self->threshold, moved);
    self->stats->steals += moved != 0;
    if (!self->job->ranges) self->stats->stolen += moved;
}

/* What its queue could not take is newer than what is in it, and so comes first. */
static uint32_t pop(struct gws_task_worker *self)
{
    struct gws__job *job = self->job;
    struct gws_worker_stats *stats = self->stats;
    uint64_t length = length_of(self, self->worker), all = length + self->more.count;
    if (all > stats->high_water) stats->high_water = all;
    if (self->container->balance && job->workers > 1) balance(self, length);
    if (self->pool->sample && ++self->unsampled >= self->pool->sample) sample(self);
    uint32_t count = gws__records_pop(&self->more, job->batch, self->taken);
    if (count == 0) {
        uint32_t most = gws__decide_batch(length, job->batch, job->workers);
        count = self->container->pop(self->state, self->worker, most, self->taken);
    }
    if (all > count) gws__idle_set_notify(&self->pool->idle_set, self->worker);
    return count;
}

/* ---- others' ---- */

/* Tries everybody who has something once. */
static bool rob(struct gws_task_worker *self)
{
    struct gws__pool *pool = self->pool;
    struct gws__worker_state *state = &pool->worker[self->worker];
    if (!pool->victim || self->job->workers < 2) return false;
    struct gws_view view = gws__pool_view(pool, self->worker, self->job->workers);
    struct gws_theft theft = {
        .thief = self->worker, .amount = pool->amount, .chunk = pool->chunk ? pool->chunk : 8, .wait = pool->wait};
    for (; view.tried + 1 < view.workers; view.tried++) {
        state->turn = view.previous = theft.victim = gws__pool_victim(pool, &view);
        if (length_of(self, theft.victim) == 0) continue;
        gws__termination_robs(&self->job->termination, self->worker, theft.victim);
        enum gws_grab grab = self->container->steal(self->state, &theft, self->taken, &self->took);
        if (grab == GWS_GRAB_TOOK) {
            state->last = theft.victim;
            self->stats->steals++;
            if (!self->job->ranges) self->stats->stolen += self->took;
            return true;
        }
        if (grab == GWS_GRAB_LOST)
            self->stats->failed_steals++;
        else
            self->stats->aborted_steals++;
    }
    return false;
}

/* Has anybody something? A guess, but false for good only if there is nothing. */
static bool in_sight(const struct gws_task_worker *self)
{
    for (uint32_t w = 0; w < self->job->workers; w++)
        if (length_of(self, w) > 0) return true;
    return false;
}

static bool is_awaited(void *context, uint32_t worker)
{
    struct gws_task_worker *self = context;
    return gws__termination_over(&self->job->termination, worker) || in_sight(self);
}

/* From busy to idle, if its queue is empty indeed. */
static bool retire(struct gws_task_worker *self, bool *over)
{
    if (self->container->retire && !self->container->retire(self->state, self->worker)) return false;
    *over = gws__termination_idle(&self->job->termination, self->worker);
    if (*over) gws__idle_set_unpark_all(&self->pool->idle_set);
    return true;
}

static void enlist(struct gws_task_worker *self)
{
    gws__termination_busy(&self->job->termination, self->worker);
    if (self->container->enlist) self->container->enlist(self->state, self->worker);
}

/* Waits for work in sight or the end; true at the end. */
static bool idle(struct gws_task_worker *self)
{
    struct gws__spin spin = {0};
    double patience = self->pool->threads.patience_ms > 0 ? patience_ms : 0;
    uint32_t pauses = 1;
    for (;;) {
        if (gws__termination_over(&self->job->termination, self->worker)) return true;
        if (in_sight(self)) return false;
        for (uint32_t i = 0; i < pauses; i++) gws__spin_pause();
        if (pauses < 32) pauses *= 2; /* looking disturbs who works */
        if (gws__spin_on(&spin, patience)) continue;
        gws__idle_set_park(&self->pool->idle_set, self->worker, is_awaited, self);
        spin = (struct gws__spin){0};
    }
}

/* already: it is idle as it comes. */
static enum seek seek_idly(struct gws_task_worker *self, bool already)
{
    for (uint32_t failures = 0;; already = false) {
        bool over = false;
        if (!already && !retire(self, &over)) return SEEK_OWN;
        if (over || idle(self)) return SEEK_OVER;
        enlist(self);
        if (rob(self)) return SEEK_FOUND;
        /* Backs off from queues that look full but yield nothing. */
        if (failures < 6) failures++;
        for (uint32_t i = 0; i < 1U << failures; i++) gws__spin_pause();
    }
}

/* Ends the busy stretch, looks for work and begins the next one. */
static enum seek seek(struct gws_task_worker *self, bool already)
{
    struct gws__pool *pool = self->pool;
    struct gws__worker_state *state = &pool->worker[self->worker];
    uint64_t began = gws__pool_now(pool);
    enum seek found = !already && rob(self) ? SEEK_FOUND : seek_idly(self, already);
    uint64_t ended = gws__pool_now(pool);
    self->idle_ms += (double)(ended - began) / 1e6;
    gws__pool_trace(pool, state, GWS_SLICE_BUSY, self->began_ns, began, self->ran);
    if (found == SEEK_FOUND)
        gws__pool_trace(pool, state, GWS_SLICE_STEAL, began, ended, self->took);
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
    struct gws_task_worker *self = &pool->job->tasker[worker];
    self->stats = pool->job->aside ? &state->aside : &state->stats;
    self->idle_ms = 0;
    uint64_t began = self->began_ns = gws__pool_now(pool);
    for (enum seek found = worker == 0 ? SEEK_OWN : seek(self, true); found != SEEK_OVER;) {
        uint32_t count = found == SEEK_FOUND ? 1 : pop(self);
        found = SEEK_OWN;
        if (count)
            gws__job_call(self, self->taken, count);
        else
            found = seek(self, false);
    }
    state->stats.busy_ms += (double)(gws__pool_now(pool) - began) / 1e6 - self->idle_ms;
    if (!pool->job->ranges) self->stats->made += self->made;
}
