/* SPDX-License-Identifier: MIT */
/* Stealing by messages, between ranks that reach each other in no other way: the victim polls for requests (Dinan,
 * Olivier, Sabin, Prins, Sadayappan, Tseng: "A message passing benchmark for unbalanced applications", 2008). The
 * victim gives the older half of worker 0's queue, where the larger subtrees lie (steal-half, section 3.4 of SC 2009).
 */
#include <string.h>

#include "rank_tasks.h"

static const double first_rest_ms = 0.02, max_rest_ms = 1, max_shared_rest_ms = 0.1;

enum { min_gift = 2, max_look = 4096 /* tasks of the queue, of which a message has some */ };

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
    const uint32_t look = rank->batch_size < max_look ? rank->batch_size : max_look;
    const uint32_t gift = gws__job_split(self, rank->batch, look, max, &older);
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

void gws__rank_new_search(struct gws__rank *rank, bool success)
{
    rank->view.tried = 0;
    rank->view.bits = gws_random_next(&rank->random);
    if (success) {
        rank->rest_ms = first_rest_ms;
        rank->rests_until = 0;
        return;
    }
    if (rank->rest_ms == 0) rank->rest_ms = first_rest_ms;
    rank->rests_until = gws_clock_ms() + rank->rest_ms;
    const double max = rank->view.near == rank->view.others ? max_shared_rest_ms : max_rest_ms;
    rank->rest_ms = 2 * rank->rest_ms < max ? 2 * rank->rest_ms : max;
}

void gws__rank_ask(struct gws__rank *rank, uint32_t victim)
{
    rank->victim = victim;
    rank->waits = true;
    rank->stats.requests++;
    gws__rank_send(rank, victim, GWS__RANK_ASK, 0);
}

void gws__rank_spawn(struct gws_task_worker *self, const uint64_t *task, uint64_t count)
{
    const uint32_t words = self->job->words;
    for (uint64_t i = 0; i < count; i++) gws_spawn(self, task + i * words);
    self->made -= count; /* they are not new */
}

static void take_tasks(struct gws__rank *rank, struct gws_task_worker *self, const uint64_t *task, uint32_t count)
{
    rank->waits = false;
    rank->got = true;
    rank->stats.steals++;
    rank->stats.stolen += count;
    gws__rank_new_search(rank, true);
    if (self) gws__rank_spawn(self, task, count);
}

/* ---- both ---- */

void gws__rank_receive_all(struct gws__rank *rank, struct gws_task_worker *self)
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
            rank->waits = false;
            rank->stats.refused++;
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
