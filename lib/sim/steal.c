/* SPDX-License-Identifier: MIT */
/* Steals, step by step: the thief looks, its atomic operation travels to the victim and waits there for its turn, the
 * thief takes tasks, and they travel back.
 *
 * Deques: the operation is a compare-and-swap, which fails if another thief or the owner has taken a task since the
 * look.
 *
 * Queues with locks: the operation tries the lock. A thief that finds it held looks again after a growing pause, tries
 * it when it looks free, and gives up when the victim has no more tasks (Dinan et al., SC 2009, section 4.3) or after
 * as many looks as a thread takes. With `wait` it tries again without looking (algorithm 3), and never gives up. With
 * tickets the operation takes a ticket, and the waiting thieves read the number that is served again and again, which
 * delays every handover by all their reads (section 4.1). The owner of a queue is next to its lock: it gets the lock
 * before any thief, or with tickets in its turn. */
#include "../base/lock.h"
#include "sim.h"

static const int32_t nobody = -1;

static bool has_locks(const struct gws_sim *sim)
{
    return sim->policy->locks;
}

static uint64_t access_of(const struct gws_sim *sim, uint32_t thief)
{
    return gws__sim_access(sim, thief, sim->worker[thief].victim);
}

/* ---- the lock of a queue ---- */

static void enqueue(struct gws_sim *sim, uint32_t queue, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[queue];
    sim->worker[worker].next_waiter = nobody;
    if (of->waiters++ == 0)
        of->first_waiter = (int32_t)worker;
    else
        sim->worker[of->last_waiter].next_waiter = (int32_t)worker;
    of->last_waiter = (int32_t)worker;
    sim->worker[worker].state = GWS__SIM_OUT;
}

static void give_to_owner(struct gws_sim *sim, uint32_t queue)
{
    sim->worker[queue].holder = (int32_t)queue;
    gws__sim_at(sim, queue, GWS__SIM_OWNER, sim->wheel.now + sim->cost[GWS_SIM_lock]);
}

/* Releases the lock of a queue, to the owner or the next ticket. */
static void release(struct gws_sim *sim, uint32_t queue)
{
    struct gws__sim_worker *of = &sim->worker[queue];
    of->holder = nobody;
    if (of->owner_waits) {
        of->owner_waits = false;
        give_to_owner(sim, queue);
    } else if (of->waiters > 0) {
        const uint32_t next = (uint32_t)of->first_waiter;
        of->first_waiter = sim->worker[next].next_waiter;
        const uint64_t reads = of->waiters-- * sim->cost[GWS_SIM_read], access = gws__sim_access(sim, next, queue);
        of->holder = (int32_t)next;
        if (next == queue)
            give_to_owner(sim, queue);
        else
            gws__sim_at(sim, next, GWS__SIM_TURN, sim->wheel.now + (reads > access ? reads : access));
    }
}

bool gws__sim_owner_lock(struct gws_sim *sim, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    if (of->holder == nobody && of->waiters == 0) return true;
    if (sim->options->ticket) {
        enqueue(sim, worker, worker);
    } else {
        of->owner_waits = true;
        of->state = GWS__SIM_OUT;
    }
    return false;
}

void gws__sim_owner_unlock(struct gws_sim *sim, uint32_t worker)
{
    release(sim, worker);
}

/* ---- the thief ---- */

/* Looks again after a pause, as a thread does: it tries the lock only when it looks free. */
static void look_again(struct gws_sim *sim, uint32_t thief)
{
    const uint64_t pause = ++sim->worker[thief].attempts * sim->cost[GWS_SIM_retry];
    gws__sim_at(sim, thief, GWS__SIM_LOOK, sim->wheel.now + pause + access_of(sim, thief));
}

void gws__sim_look(struct gws_sim *sim, uint32_t thief)
{
    const struct gws__sim_worker *of = &sim->worker[thief], *victim = &sim->worker[of->victim];
    if (gws__sim_available(sim, of->victim) == 0 || of->attempts >= gws__lock_patience) {
        sim->result.aborted_steals++;
        gws__sim_scan(sim, thief, sim->wheel.now);
    } else if (victim->holder == nobody) {
        gws__sim_at(sim, thief, GWS__SIM_REQUEST, sim->wheel.now + access_of(sim, thief) / 2);
    } else {
        look_again(sim, thief);
    }
}

void gws__sim_probe(struct gws_sim *sim, uint32_t thief)
{
    struct gws__sim_worker *of = &sim->worker[thief], *victim = &sim->worker[of->victim];
    if (gws__sim_available(sim, of->victim) == 0) {
        gws__sim_scan(sim, thief, sim->wheel.now);
        return;
    }
    of->seen = victim->removed;
    of->attempts = 0;
    if (has_locks(sim) && !sim->options->wait && victim->holder != nobody) {
        look_again(sim, thief);
        return;
    }
    uint64_t time = sim->wheel.now + access_of(sim, thief) / 2;
    if (!has_locks(sim)) time += access_of(sim, thief); /* to read the task */
    if (victim->state == GWS__SIM_FINISH && !gws__sim_same_host(sim, thief, of->victim))
        time += sim->cost[GWS_SIM_poll];
    gws__sim_at(sim, thief, GWS__SIM_REQUEST, time);
}

void gws__sim_request(struct gws_sim *sim, uint32_t thief)
{
    gws__sim_at(sim, thief, GWS__SIM_ATOMIC, gws__sim_serve(sim, thief, sim->worker[thief].victim));
}

static uint64_t amount_of(const struct gws_sim *sim, uint64_t length)
{
    if (!has_locks(sim)) return 1; /* by a compare-and-swap */
    const uint32_t chunk = sim->options->chunk ? sim->options->chunk : 8;
    uint64_t amount = sim->amount(length, chunk);
    return amount < 1 ? 1 : amount < length ? amount : length;
}

/* Takes tasks, if there are any. Returns the time that they take to move. */
static uint64_t take(struct gws_sim *sim, uint32_t thief)
{
    const uint32_t from = sim->worker[thief].victim, available = gws__sim_available(sim, from);
    if (available == 0) return 0;
    const uint32_t count = (uint32_t)amount_of(sim, available);
    const enum gws__queue queue = sim->policy->queue;
    sim->worker[thief].state = GWS__SIM_ARRIVE; /* they are on their way */
    if (queue == GWS__QUEUE_SPLIT) sim->worker[from].shared -= count;
    sim->worker[from].removed++;
    gws__sim_move(sim, from, thief, count, queue != GWS__QUEUE_WORKPILE);
    const uint64_t bytes = (uint64_t)count * sim->tasks->bytes;
    return gws__sim_same_host(sim, thief, from) ? 0 : bytes * sim->cost[GWS_SIM_byte];
}

static void compare_and_swap(struct gws_sim *sim, uint32_t thief)
{
    const struct gws__sim_worker *victim = &sim->worker[sim->worker[thief].victim];
    const uint64_t bytes = victim->removed == sim->worker[thief].seen ? take(sim, thief) : 0;
    gws__sim_at(sim, thief, GWS__SIM_ARRIVE, sim->wheel.now + access_of(sim, thief) / 2 + bytes);
}

static void find_lock_held(struct gws_sim *sim, uint32_t thief)
{
    if (!sim->options->wait) {
        look_again(sim, thief);
        return;
    }
    const uint64_t pause = ++sim->worker[thief].attempts * sim->cost[GWS_SIM_retry];
    gws__sim_at(sim, thief, GWS__SIM_REQUEST, sim->wheel.now + access_of(sim, thief) + pause);
}

void gws__sim_atomic(struct gws_sim *sim, uint32_t thief)
{
    const uint32_t queue = sim->worker[thief].victim;
    struct gws__sim_worker *victim = &sim->worker[queue];
    if (!has_locks(sim)) {
        compare_and_swap(sim, thief);
    } else if (victim->holder == nobody && victim->waiters == 0) {
        victim->holder = (int32_t)thief;
        if (sim->options->ticket) /* a read tells that it is the ticket's turn (section 4.2) */
            gws__sim_at(sim, thief, GWS__SIM_TURN, sim->wheel.now + access_of(sim, thief));
        else
            gws__sim_turn(sim, thief);
    } else if (sim->options->ticket) {
        enqueue(sim, queue, thief);
    } else {
        find_lock_held(sim, thief);
    }
}

/* The thief holds the lock: it reads the queue, copies the tasks and unlocks. */
void gws__sim_turn(struct gws_sim *sim, uint32_t thief)
{
    const uint64_t access = access_of(sim, thief), bytes = take(sim, thief);
    const bool took = sim->worker[thief].queue.length > 0;
    gws__sim_at(sim, thief, GWS__SIM_UNLOCK, sim->wheel.now + (took ? 3 : 2) * access + bytes);
}

void gws__sim_unlock(struct gws_sim *sim, uint32_t thief)
{
    gws__sim_at(sim, thief, GWS__SIM_ARRIVE, gws__sim_serve(sim, thief, sim->worker[thief].victim));
}

void gws__sim_arrive(struct gws_sim *sim, uint32_t thief)
{
    struct gws__sim_worker *of = &sim->worker[thief];
    const uint32_t stolen = of->queue.length;
    of->state = GWS__SIM_OUT;
    if (has_locks(sim)) release(sim, of->victim);
    if (stolen == 0) {
        sim->result.failed_steals++;
        gws__sim_scan(sim, thief, sim->wheel.now);
        return;
    }
    of->last = of->victim;
    gws__sim_stole(sim, thief, of->victim, stolen);
    gws__sim_run_stolen(sim, thief);
}

/* ---- balancing ---- */

static bool differ(const struct gws_sim *sim, uint32_t a, uint32_t b, uint32_t threshold)
{
    const uint32_t x = sim->worker[a].queue.length, y = sim->worker[b].queue.length;
    return (x > y ? x - y : y - x) >= threshold;
}

/* As workpile_balance() in lib/queue/workpile.c. A partner whose lock is held keeps its tasks. */
uint64_t gws__sim_balance(struct gws_sim *sim, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    if (sim->workers < 2 || !gws__decide_balance(of->queue.length, gws_random_next(&of->random))) return 0;
    struct gws_view view = gws__sim_view(sim, worker);
    const uint32_t partner = sim->victim(&view);
    of->last_tried = partner;
    const uint64_t access = gws__sim_access(sim, worker, partner);
    const bool even = !differ(sim, worker, partner, of->threshold);
    const struct gws__sim_worker *other = &sim->worker[partner];
    uint32_t transferred = 0;
    if (!even && other->state == GWS__SIM_FINISH && other->holder == nobody) {
        const bool gives = of->queue.length > other->queue.length;
        const uint32_t from = gives ? worker : partner, to = gives ? partner : worker;
        transferred = (sim->worker[from].queue.length - sim->worker[to].queue.length) / 2;
        gws__sim_move(sim, from, to, transferred, false);
    }
    of->threshold = (uint32_t)gws__decide_threshold(of->threshold, transferred);
    sim->result.steals += transferred > 0;
    sim->result.stolen += transferred;
    const uint64_t bytes = gws__sim_same_host(sim, worker, partner) ? 0 : (uint64_t)transferred * sim->tasks->bytes;
    return even ? access : access * (transferred ? 3 : 2) + bytes * sim->cost[GWS_SIM_byte];
}
