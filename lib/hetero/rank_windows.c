/* SPDX-License-Identifier: MIT */
/* Stealing from windows: worker 0 releases tasks of its own queue to this rank's queue in a window, takes them back
 * when its process has no others, and steals for its rank from the queues of other ranks. There is a queue for each
 * link, because one window has one kind of access. */
#include "rank_tasks.h"

void gws__rank_windows_open(struct gws__rank *rank)
{
    const struct gws_transport *transport = rank->transport;
    for (uint32_t kind = 0; kind < gws__link_kinds; kind++) {
        const struct gws__window *window = &transport->links.window[kind];
        if (!window->link) continue;
        gws__rank_queue_open(&rank->queue[kind], rank->protocol, window, transport->info.rank, rank->words,
                             rank->batch_size);
    }
}

/* ---- as a victim ---- */

static uint32_t idle_threads(const struct gws_task_worker *self)
{
    return self->job->workers - atomic_load_explicit(&self->job->termination.busy, memory_order_relaxed);
}

void gws__rank_release(struct gws__rank *rank, struct gws_task_worker *self)
{
    for (uint32_t kind = 0; kind < gws__link_kinds; kind++) {
        struct gws__rank_queue *queue = &rank->queue[kind];
        if (!queue->protocol || rank->transport->links.count[kind] == 0) continue;
        const uint64_t own = self->queue->length(self->state, self->worker);
        const uint64_t count = gws__decide_release(own, queue->protocol->length(queue), idle_threads(self));
        const uint64_t *older;
        if (count == 0) continue;
        const uint32_t gift = count < rank->batch_size ? (uint32_t)count : rank->batch_size;
        const uint64_t transferred = gws__job_split(self, rank->batch, rank->batch_size, gift, &older);
        const uint64_t released = queue->protocol->release(queue, older, transferred);
        gws__rank_spawn(self, older + released * rank->words, transferred - released);
        rank->stats.released += released;
    }
}

bool gws__rank_reacquire(struct gws__rank *rank, struct gws_task_worker *self)
{
    for (uint32_t kind = 0; kind < gws__link_kinds; kind++) {
        struct gws__rank_queue *queue = &rank->queue[kind];
        const uint64_t count = queue->protocol ? queue->protocol->reacquire(queue, rank->batch_size, rank->batch) : 0;
        if (count == 0) continue;
        gws__rank_spawn(self, rank->batch, count);
        rank->stats.reacquired += count;
        return true;
    }
    return false;
}

bool gws__rank_windows_taken(struct gws__rank *rank)
{
    bool any = false;
    for (uint32_t kind = 0; kind < gws__link_kinds; kind++) {
        struct gws__rank_queue *queue = &rank->queue[kind];
        if (!queue->protocol) continue;
        const uint64_t taken = queue->protocol->taken(queue);
        any = any || taken != rank->answered[kind];
        rank->answered[kind] = taken;
    }
    return any;
}

void gws__rank_windows_count(struct gws__rank *rank)
{
    for (uint32_t kind = 0; kind < gws__link_kinds; kind++)
        if (rank->queue[kind].protocol) rank->stats.given += rank->queue[kind].protocol->taken(&rank->queue[kind]);
}

/* ---- as a thief ---- */

void gws__rank_steal(struct gws__rank *rank, struct gws_task_worker *self, uint32_t victim)
{
    struct gws__rank_queue *queue = &rank->queue[rank->transport->links.kind[victim]];
    uint64_t stolen;
    rank->stats.requests++;
    switch (queue->protocol->steal(queue, victim, self->pool->wait, rank->batch_size, rank->batch, &stolen)) {
    case GWS_ACQUIRED:
        rank->got = true;
        rank->stats.steals++;
        rank->stats.stolen += stolen;
        gws__rank_new_search(rank, true);
        gws__rank_spawn(self, rank->batch, stolen);
        break;
    case GWS_ACQUIRE_LOST:
        rank->stats.failed++;
        break;
    case GWS_ACQUIRE_ABORTED:
        rank->stats.aborted++;
        break;
    default:
        rank->stats.refused++;
        break;
    }
}
