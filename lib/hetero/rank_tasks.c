/* SPDX-License-Identifier: MIT */
/* Work stealing among ranks (Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work Stealing", SC 2009).
 * Worker 0 steals for its rank, and releases tasks to others, through the hooks of lib/pool: poll() between two batches
 * of tasks, seek() while its process has no tasks for it.
 *
 * A thief tries the ranks of its own host first, then others (gws__victim_by_distance()). It steals from a window
 * itself (rank_windows.c), or sends a request (rank_messages.c), of which one at a time is unanswered. After it has
 * tried all ranks in vain it rests, and each time longer.
 *
 * MPI takes up to a microsecond to find no message, and a look at a window far less. So a rank with tasks looks for
 * messages rarely if no rank needs its help to reach its window: then they concern the end of the run only. */
#define _POSIX_C_SOURCE 200809L
#include "rank_tasks.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double poll_ms = 0.02, receive_ms = 0.2; /* between looks at the window; at messages of the end */
static const double patience_ms = 0.05, yield_ms = 1; /* a rank without tasks spins, then yields, then sleeps */
static const long sleep_ns = 50000;

double gws__rank_notice_ms = 10000;

enum { max_looks = 8 /* at victims, between two looks for messages */ };
enum { max_batch = 1 << 15, max_batch_bytes = 1 << 20 };

/* ---- worker 0 ---- */

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
    if (rank->helps || now - rank->received_ms >= receive_ms) {
        rank->received_ms = now;
        rank->stats.polls++;
        gws__rank_receive_all(rank, self);
    }
    exchange_failure(rank, self->job);
    gws__rank_release(rank, self);
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
        snprintf(what, sizeof what, "an answer of rank %u", rank->victim);
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

/* Another rank may need the CPU. */
static void wait_a_moment(struct gws__rank *rank)
{
    if (gws__spin_on(&rank->spin, patience_ms)) return;
    if (gws_clock_ms() < rank->spin.until + yield_ms)
        (void)sched_yield();
    else
        sleep_a_moment();
}

/* Tries the next victim of the search. Returns whether it may try another one at once. */
static bool try_victim(struct gws__rank *rank, struct gws_task_worker *self)
{
    const struct gws__links *links = &rank->transport->links;
    const uint32_t index = gws__victim_by_distance(&rank->view), victim = rank->by_distance[index];
    rank->view.tried++;
    const bool by_window = links->kind[victim] != GWS__LINK_MESSAGES;
    if (by_window)
        gws__rank_steal(rank, self, victim);
    else if (!rank->waits)
        gws__rank_ask(rank, victim);
    if (rank->got) rank->view.last = index;
    if (rank->view.tried == rank->view.others) gws__rank_new_search(rank, false);
    return by_window && !rank->got;
}

static void try_victims(struct gws__rank *rank, struct gws_task_worker *self)
{
    bool goes_on = rank->view.others > 0;
    for (uint32_t looks = 0; goes_on && looks < max_looks; looks++)
        goes_on = gws_clock_ms() >= rank->rests_until && try_victim(rank, self);
}

/* Returns whether the rank has looked for tasks in vain since it had some, or does not steal. Before, a vote costs its
 * messages, and will hardly be the last one. */
static bool has_looked(const struct gws__rank *rank)
{
    return rank->view.tried > 0 || rank->rests_until > 0 || rank->view.others == 0 || rank->sated;
}

static enum gws__peers_answer give_tasks(struct gws__rank *rank)
{
    rank->got = false;
    rank->idle_since = 0;
    rank->spin = (struct gws__spin){0};
    return GWS__PEERS_GAVE;
}

static enum gws__peers_answer seek(void *context, struct gws_task_worker *self, bool exhausted)
{
    struct gws__rank *rank = context;
    struct gws__job *job = self->job;
    if (gws__rank_reacquire(rank, self)) return give_tasks(rank);
    gws__rank_receive_all(rank, self);
    if (gws_cancelled(rank->runtime)) atomic_store_explicit(&job->failed, GWS_CANCELLED, memory_order_relaxed);
    exchange_failure(rank, job);
    if (rank->got) return give_tasks(rank);
    if (!rank->over && !rank->reported) {
        if (exhausted && !rank->waits && has_looked(rank)) gws__rank_vote(rank);
        if (!rank->over && !rank->sated) try_victims(rank, self);
        if (rank->got) return give_tasks(rank);
    }
    if (rank->over) return GWS__PEERS_OVER;
    if (exhausted) notice_wait(rank);
    wait_a_moment(rank);
    return GWS__PEERS_NOTHING;
}

/* ---- the run ---- */

static gws_status open_rank(struct gws_runtime *runtime, struct gws_transport *transport, uint32_t bytes,
                            struct gws__rank **rank)
{
    const uint32_t ranks = transport->info.ranks;
    struct gws__rank *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return GWS_NO_MEMORY;
    memset(made, 0, sizeof *made);
    made->transport = transport;
    made->runtime = runtime;
    made->words = (bytes + 7) / 8;
    made->random = gws_random_at(runtime->seed, transport->info.rank);
    const uint32_t fits = made->words > 0 ? max_batch_bytes / 8 / made->words : 0;
    made->batch_size = fits < max_batch ? fits : max_batch;
    made->batch = gws_allocate(runtime, made->batch_size, made->words * sizeof *made->batch);
    made->thief = gws_allocate(runtime, ranks, sizeof *made->thief);
    made->by_distance = gws_allocate(runtime, ranks, sizeof *made->by_distance);
    *rank = made;
    return made->batch && made->thief && made->by_distance ? GWS_OK : GWS_NO_MEMORY;
}

static void close_rank(struct gws_runtime *runtime, struct gws__rank *rank)
{
    if (!rank) return;
    const uint32_t ranks = rank->transport->info.ranks;
    gws_release(runtime, rank->batch, rank->batch_size, rank->words * sizeof *rank->batch);
    gws_release(runtime, rank->thief, ranks, sizeof *rank->thief);
    gws_release(runtime, rank->by_distance, ranks, sizeof *rank->by_distance);
    gws_release(runtime, rank, 1, sizeof *rank);
}

/* Puts the ranks of this host before the others. */
static void order_ranks(struct gws__rank *rank, uint64_t *const *reach)
{
    const struct gws__links *links = &rank->transport->links;
    struct gws__distance_view *view = &rank->view;
    for (int near = 1; near >= 0; near--)
        for (uint32_t r = 0; r < rank->transport->info.ranks; r++)
            if (r != rank->transport->info.rank && (links->kind[r] == GWS__LINK_SHARED) == near &&
                (!reach || reach[r])) {
                rank->by_distance[view->others++] = r;
                view->near += (uint32_t)near;
            }
    view->last = UINT32_MAX;
    gws__rank_new_search(rank, true);
    rank->stats.by_messages = links->count[GWS__LINK_MESSAGES];
    rank->stats.by_rma = links->count[GWS__LINK_RMA];
    rank->stats.by_shared = links->count[GWS__LINK_SHARED];
    rank->helps = rank->stats.by_messages > 0 || rank->stats.by_rma > 0;
}

static gws_status run(struct gws__rank *rank, gws__rank_part *part, void *context)
{
    const struct gws__peers peers = {.poll = poll, .seek = seek, .context = rank};
    gws__rank_windows_open(rank);
    (void)gws_transport_agree(rank->transport, GWS_OK); /* all windows are open */
    gws_status status = part(context, &peers);
    /* The workers did not begin: this rank still answers the others until they know. */
    while (!rank->over) {
        gws__rank_fail(rank, status);
        gws__rank_receive_all(rank, NULL);
        sleep_a_moment();
    }
    gws__call_begin(rank->transport, GWS__CALL_QUIESCE);
    rank->transport->kind->quiesce(rank->transport->state); /* no rank steals any more */
    gws__call_end(rank->transport);
    gws__rank_windows_count(rank);
    return status;
}

/* Returns false if there is no such queue. */
static bool find_protocol(const char *name, const struct gws__rank_protocol **protocol)
{
    static const struct gws__rank_protocol *const all[] = {&gws__rank_split, &gws__rank_saws};
    for (size_t i = 0; name && i < sizeof all / sizeof *all; i++) {
        *protocol = all[i];
        if (strcmp(name, all[i]->name) == 0) return true;
    }
    return !name;
}

gws_status gws__rank_run(struct gws_runtime *runtime, const struct gws_ranks *ranks, uint32_t bytes,
                         gws__rank_part *part, void *context)
{
    struct gws_transport *transport = ranks->transport;
    const struct gws__rank_protocol *protocol = &gws__rank_saws;
    struct gws__rank *rank = NULL;
    if (!find_protocol(ranks->queue, &protocol)) return GWS_INVALID;
    gws_status status = transport->links.kind ? GWS_OK : gws_transport_choose_links(transport, NULL);
    if (status == GWS_OK) status = gws_transport_agree(transport, open_rank(runtime, transport, bytes, &rank));
    if (rank && status == GWS_OK) {
        rank->protocol = protocol;
        order_ranks(rank, ranks->reach);
        status = gws_transport_agree(transport, run(rank, part, context));
    }
    if (rank && status == GWS_OK && ranks->stats) *ranks->stats = rank->stats;
    close_rank(runtime, rank);
    return status;
}

/* ---- tasks of the runtime's workers ---- */

struct rank_call {
    struct gws_runtime *runtime;
    const struct gws_tasks *tasks;
};

static gws_status run_tasks(void *context, const struct gws__peers *peers)
{
    const struct rank_call *call = context;
    return gws__tasks_run_with(call->runtime, call->tasks, peers);
}

gws_status gws_rank_tasks_run(struct gws_runtime *runtime, const struct gws_ranks *ranks, const struct gws_tasks *tasks)
{
    struct gws_tasks own = *tasks;
    struct rank_call call = {runtime, &own};
    const struct gws__rank_protocol *protocol;
    if (ranks && !find_protocol(ranks->queue, &protocol)) return GWS_INVALID;
    if (!ranks || !ranks->transport) return gws_tasks_run(runtime, tasks);
    if (!ranks->all_roots && gws_transport_rank(ranks->transport) > 0) own.roots = 0;
    return gws__rank_run(runtime, ranks, tasks->bytes, run_tasks, &call);
}
