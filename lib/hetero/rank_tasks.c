/* SPDX-License-Identifier: MIT */
/* Work stealing among ranks by messages that the victim polls for (Dinan, Olivier, Sabin, Prins, Sadayappan, Tseng: "A
 * message passing benchmark for unbalanced applications", 2008). Worker 0 sends and receives for its rank, through the
 * hooks of lib/pool: poll() between two batches of tasks, seek() while its process has no tasks for it.
 *
 * A thief has one unanswered request at a time. It asks the last victim that gave tasks again; otherwise a victim at
 * random. After as many refusals as there are victims it rests, and each time longer. The victim gives the older half
 * of worker 0's queue, where the larger subtrees lie (steal-half, section 3 of SC 2009). */
#define _POSIX_C_SOURCE 200809L
#include "rank_tasks.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double poll_ms = 0.02, first_rest_ms = 0.05, max_rest_ms = 1, patience_ms = 0.05;
static const long sleep_ns = 50000;

double gws__rank_notice_ms = 10000;

enum { min_gift = 2, max_batch = 4096, max_batch_bytes = 1 << 20 };

/* ---- messages ---- */

static void send_bytes(struct gws__rank *rank, uint32_t to, uint64_t tasks)
{
    struct gws_transport *transport = rank->transport;
    transport->kind->send(transport->state, to, &rank->message, (gws__rank_head + tasks * rank->words) * 8);
}

void gws__rank_send(struct gws__rank *rank, uint32_t to, enum gws__rank_message_kind kind, uint32_t value)
{
    rank->message.kind = kind;
    rank->message.value = value;
    send_bytes(rank, to, 0);
}

/* ---- as a victim ---- */

/* Gives the older half of the worker's tasks, or as many as a message holds. */
static void give(struct gws__rank *rank, struct gws_task_worker *self, uint32_t to)
{
    const uint32_t words = rank->words, max = (gws__rank_words - gws__rank_head) / words;
    const uint64_t *older;
    const uint32_t gift = gws__job_split(self, rank->batch, rank->batch_size, max, &older);
    rank->message.kind = GWS__RANK_TASKS;
    rank->message.value = gift;
    memcpy(rank->message.task, older, (uint64_t)gift * words * 8);
    rank->vote.black = true; /* before the gift can reach a rank that has answered the wave (rank_vote.c) */
    rank->stats.given += gift;
    send_bytes(rank, to, gift);
}

/* Answers requests. A request waits if worker 0 has too few tasks and other workers may have more: worker 0 will steal
 * some. self: NULL if there are no workers. */
static void answer_thieves(struct gws__rank *rank, struct gws_task_worker *self)
{
    uint32_t answered = 0;
    for (; answered < rank->thieves; answered++) {
        const uint32_t thief = rank->thief[answered];
        if (self && self->queue->length(self->state, self->worker) >= min_gift)
            give(rank, self, thief);
        else if (!self || self->job->workers == 1 || !gws__job_has_work(self))
            gws__rank_send(rank, thief, GWS__RANK_NONE, 0);
        else
            break;
    }
    rank->thieves -= answered;
    memmove(rank->thief, rank->thief + answered, rank->thieves * sizeof *rank->thief);
}

/* ---- as a thief ---- */

static uint32_t victim_of(const struct gws__rank *rank)
{
    return rank->victim + (rank->victim >= rank->transport->info.rank);
}

static void ask(struct gws__rank *rank)
{
    const uint32_t others = rank->transport->info.ranks - 1;
    if (!rank->retries) rank->victim = gws_random_below(gws_random_next(&rank->random), others);
    rank->retries = false;
    rank->waits = true;
    rank->stats.requests++;
    gws__rank_send(rank, victim_of(rank), GWS__RANK_ASK, 0);
}

static void take_refusal(struct gws__rank *rank)
{
    rank->waits = false;
    rank->stats.refused++;
    if (++rank->refusals + 1 < rank->transport->info.ranks) return;
    rank->refusals = 0;
    rank->rests_until = gws_clock_ms() + rank->rest_ms;
    rank->rest_ms = 2 * rank->rest_ms < max_rest_ms ? 2 * rank->rest_ms : max_rest_ms;
}

static void take_tasks(struct gws__rank *rank, struct gws_task_worker *self, const uint64_t *task, uint32_t count)
{
    rank->waits = false;
    rank->got = rank->retries = true;
    rank->refusals = 0;
    rank->rest_ms = first_rest_ms;
    rank->stats.steals++;
    rank->stats.stolen += count;
    for (uint32_t i = 0; i < count && self; i++) gws_spawn(self, task + (uint64_t)i * rank->words);
    if (self) self->made -= count; /* they are not new */
}

/* ---- worker 0 ---- */

/* Handles all messages that have arrived. self: NULL if there are no workers. */
static void receive_all(struct gws__rank *rank, struct gws_task_worker *self)
{
    const struct gws_transport *transport = rank->transport;
    const struct gws__rank_message *message;
    uint32_t from;
    size_t bytes;
    while (!rank->over && (message = transport->kind->receive(transport->state, &from, &bytes))) {
        switch (message->kind) {
        case GWS__RANK_ASK:
            rank->thief[rank->thieves++] = from;
            break;
        case GWS__RANK_NONE:
            take_refusal(rank);
            break;
        case GWS__RANK_TASKS:
            take_tasks(rank, self, message->task, message->value);
            break;
        default:
            gws__rank_vote_receive(rank, (enum gws__rank_message_kind)message->kind, message->value);
            break;
        }
    }
    if (!rank->over) answer_thieves(rank, self);
}

/* Exchanges failures: this rank's own, and that of all ranks. */
static void exchange_failure(struct gws__rank *rank, struct gws__job *job)
{
    /* relaxed: the workers see the failure a few tasks later. */
    gws_status failed = (gws_status)atomic_load_explicit(&job->failed, memory_order_relaxed);
    if (failed != GWS_OK) gws__rank_fail(rank, failed);
    if (failed == GWS_OK && rank->over) atomic_store_explicit(&job->failed, rank->status, memory_order_relaxed);
}

static void poll(void *context, struct gws_task_worker *self)
{
    struct gws__rank *rank = context;
    double now = gws_clock_ms();
    if (rank->over || now - rank->polled_ms < poll_ms) return;
    rank->polled_ms = now;
    rank->stats.polls++;
    receive_all(rank, self);
    exchange_failure(rank, self->job);
    rank->got = false; /* worker 0 finds them in its queue */
    rank->idle_since = 0;
    rank->spin = (struct gws__spin){0};
}

/* Logs what the rank has waited for, if it has had no tasks for long. */
static void notice_wait(struct gws__rank *rank)
{
    const uint32_t self = rank->transport->info.rank;
    const double now = gws_clock_ms();
    char line[160], what[80] = "the votes of the ranks below it";
    if (rank->idle_since == 0) {
        rank->idle_since = now;
        rank->notice_at = now + gws__rank_notice_ms;
    }
    if (now < rank->notice_at) return;
    rank->notice_at = now + gws__rank_notice_ms;
    if (rank->waits)
        snprintf(what, sizeof what, "an answer of rank %u", victim_of(rank));
    else if (!rank->vote.wave && self > 0)
        snprintf(what, sizeof what, "rank %u to begin another vote, or to end the run", (self - 1) / 2);
    snprintf(line, sizeof line, "rank %u has had no tasks for %.1f s and waits for %s", self,
             (now - rank->idle_since) / 1000, what);
    gws_report_log(rank->runtime, line);
}

static void sleep_a_moment(void)
{
    const struct timespec moment = {.tv_nsec = sleep_ns};
    (void)nanosleep(&moment, NULL);
}

static enum gws__peers_answer seek(void *context, struct gws_task_worker *self, bool exhausted)
{
    struct gws__rank *rank = context;
    struct gws__job *job = self->job;
    receive_all(rank, self);
    if (gws_cancelled(rank->runtime)) atomic_store_explicit(&job->failed, GWS_CANCELLED, memory_order_relaxed);
    exchange_failure(rank, job);
    if (rank->got) {
        rank->got = false;
        rank->idle_since = 0;
        rank->spin = (struct gws__spin){0};
        return GWS__PEERS_GAVE;
    }
    if (!rank->over && !rank->reported && !rank->waits) {
        if (exhausted) gws__rank_vote(rank);
        if (!rank->over && rank->transport->info.ranks > 1 && gws_clock_ms() >= rank->rests_until) ask(rank);
    }
    if (rank->over) return GWS__PEERS_OVER;
    if (exhausted) notice_wait(rank);
    if (!gws__spin_on(&rank->spin, patience_ms)) sleep_a_moment();
    return GWS__PEERS_NOTHING;
}

/* ---- the run ---- */

static uint64_t thieves_bytes(const struct gws__rank *rank)
{
    return rank->transport->info.ranks * sizeof *rank->thief;
}

static gws_status open_rank(struct gws_runtime *runtime, struct gws_transport *transport, const struct gws_tasks *tasks,
                            struct gws__rank **rank)
{
    struct gws__rank *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return GWS_NO_MEMORY;
    memset(made, 0, sizeof *made);
    made->transport = transport;
    made->runtime = runtime;
    made->rest_ms = first_rest_ms;
    made->words = (tasks->bytes + 7) / 8;
    made->random = gws_random_at(runtime->seed, transport->info.rank);
    const uint32_t fits = made->words > 0 ? max_batch_bytes / 8 / made->words : 0;
    made->batch_size = fits < max_batch ? fits : max_batch;
    made->batch = gws_allocate(runtime, made->batch_size, made->words * sizeof *made->batch);
    made->thief = gws_allocate(runtime, thieves_bytes(made), 1);
    *rank = made;
    return made->batch && made->thief ? GWS_OK : GWS_NO_MEMORY;
}

static void close_rank(struct gws_runtime *runtime, struct gws__rank *rank)
{
    if (!rank) return;
    gws_release(runtime, rank->batch, rank->batch_size, rank->words * sizeof *rank->batch);
    gws_release(runtime, rank->thief, thieves_bytes(rank), 1);
    gws_release(runtime, rank, 1, sizeof *rank);
}

static gws_status run(struct gws__rank *rank, const struct gws_tasks *tasks)
{
    struct gws_tasks own = *tasks;
    const struct gws__peers peers = {poll, seek, rank};
    if (rank->transport->info.rank > 0) own.roots = 0;
    gws_status status = gws__tasks_run_with(rank->runtime, &own, &peers);
    /* The workers did not begin: this rank still answers the others until they know. */
    while (!rank->over) {
        gws__rank_fail(rank, status);
        receive_all(rank, NULL);
        sleep_a_moment();
    }
    rank->transport->kind->quiesce(rank->transport->state);
    return status;
}

gws_status gws_rank_tasks_run(struct gws_runtime *runtime, struct gws_transport *transport,
                              const struct gws_tasks *tasks, struct gws_rank_stats *stats)
{
    struct gws__rank *rank = NULL;
    if (!transport) return gws_tasks_run(runtime, tasks);
    gws_status status = gws_transport_agree(transport, open_rank(runtime, transport, tasks, &rank));
    if (rank && status == GWS_OK) status = gws_transport_agree(transport, run(rank, tasks));
    if (rank && status == GWS_OK && stats) *stats = rank->stats;
    close_rank(runtime, rank);
    return status;
}
