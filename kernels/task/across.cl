/* SPDX-License-Identifier: MIT */
/* Stealing between the devices of a group, whose kernels run at the same time and address each other's memory.
 *
 * A thief looks at its neighbours in its work-group first, then at others of its device (task.cl), and if some of the
 * device's workers are idle, at a peer, the nearest one first. It takes nothing from a device with many idle workers,
 * because those get the tasks sooner: work that is too small for one device stays there. If it finds few tasks, it asks
 * the peer's workers for more by a flag (TASK_WANTED) in a word that they read anyway.
 *
 * Deques are for thieves of the own device, so that their words need no wider scope than the device. For other thieves
 * each worker has an export, one block with a slot, in its device's memory. The slot is tag << 32 | state. Only the owner
 * fills an empty slot, by a store that releases, with a new tag. Whoever changes a full slot to `taken` has the tasks: a
 * thief of a peer, an idle thief of the own device, or the owner. It copies them from the block to its stack and stores
 * `empty`, which releases. The owner acquires that before it fills the block again. The scope of slots, of ACTIVE and of
 * OPEN is the system, on both sides.
 *
 * The end of a run needs no message at each steal. A device is open or closed; first, all are open. OPEN, a word in the
 * memory of the group's first device, counts open devices.
 *
 * - A worker that finds no active worker on its device closes it: a compare-and-swap of ACTIVE, from no active worker
 *   to TASK_CLOSED, then a subtraction from OPEN.
 * - A thief becomes active before it takes tasks of a peer. If its device is closed, the thief opens it: it adds to
 *   OPEN, then clears TASK_CLOSED. Nobody closes a device with an active worker.
 * - The worker that lowers OPEN to 0 tells all devices that the run is over.
 *
 * So a device with tasks is open: a device without active workers has no tasks (task.cl), and tasks come only through
 * thieves that have opened it or found it open. And OPEN is not 0 while tasks are on their way. The thief's additions to
 * OPEN and ACTIVE come before its claim of the slot, which releases. Before the slot's owner becomes idle, it takes its
 * own export, or acquires the claim of another worker. Its subtraction from ACTIVE releases, and the compare-and-swap
 * that closes its device acquires. So the thief's addition to OPEN comes before the subtraction for the owner's device.
 * Only the first active worker of a device and the last one cross the link for this. */
#ifdef GWS_PEERS

/* A device gives tasks if at least 3/4 of its workers are active, and takes tasks if at least 1/16 of its workers are
 * idle. Of the idle workers about across_lookers look at a peer at once. A worker looks at exports of its own device
 * after some vain looks at deques. */
enum { across_lookers = 64, across_own_backoff = 64 };

#define EXPORT_TASKS(slot) ((u32)(slot) <= TASK_BLOCK ? (u32)(slot) : 0) /* of a full slot; 0: empty or taken */
#define EXPORT_TAKEN 0xffffffffu
#define EXPORT_TAG (~(u64)0 << 32)

device_inline global_mem atom64 *export_slot(struct tasks t, u32 worker)
{
    return t.pool.word + (u64)t.places * (DEQUE_HEAD + t.pool.capacity * TASK_WORDS) + worker;
}

/* ---- the owner ---- */

/* Exports every second task of the stack. The slot is empty. All lanes call this. */
device_apart struct task_worker export_tasks(struct tasks t, struct task_worker worker)
{
    struct task_worker *w = &worker;
    u32 count = w->height / 2 < TASK_BLOCK ? w->height / 2 : TASK_BLOCK;
    /* acquire: pairs with the release in take_export(). */
    u64 slot = w->lane == 0 ? wide_load(export_slot(t, w->self), order_acquire, true) : 0;
    warp_barrier();
    block_fill(t, w, export_block(w->self), count, 2);
    /* release: pairs with the claim of the slot. */
    if (w->lane == 0) wide_store(export_slot(t, w->self), (slot & EXPORT_TAG) + ((u64)1 << 32) + count, order_release);
    count_event(t, w, TASK_STATS_PUSHES, 1);
    return worker;
}

/* One lane takes the worker's own export, if it is full, as a block with a count. Returns NO_BLOCK otherwise. */
device_inline u32 export_back(struct tasks t, const struct task_worker *w)
{
    global_mem atom64 *at = export_slot(t, w->self);
    u64 slot = wide_load(at, order_acquire, true); /* acquire: pairs with the claim of a thief */
    u32 count = EXPORT_TASKS(slot);
    if (count == 0) return NO_BLOCK;
    if (!wide_cas(at, &slot, slot & EXPORT_TAG, order_acq_rel)) {
        (void)wide_load(at, order_acquire, true);
        return NO_BLOCK;
    }
    atom_store(&t.count[export_block(w->self)], count, order_relaxed);
    return export_block(w->self);
}

/* ---- open and closed devices ---- */

/* Subtracts the device from the open ones. relaxed: the head of this file has the order. */
device_inline void subtract_open(struct tasks t)
{
    if (wide_add((global_mem atom64 *)(size_t)t.peers[TASK_PEERS_OPEN], (u64)0 - 1, order_relaxed, true) == 1)
        set_flags(t, TASK_OVER, TASK_OVER);
}

/* Closes a device on which nobody is active. flags: the value of ACTIVE. One lane calls this. */
device_inline void close_device(struct tasks t, u64 flags)
{
    if (wide_cas(&t.control[TASK_ACTIVE], &flags, flags | TASK_CLOSED, order_acquire)) subtract_open(t);
}

/* Opens the device of an active worker. Returns false if the run is over. */
device_inline bool open_device(struct tasks t)
{
    if (wide_add((global_mem atom64 *)(size_t)t.peers[TASK_PEERS_OPEN], (u64)1, order_relaxed, true) == 0) return false;
    u64 flags = active_load(t);
    while (flags & TASK_CLOSED)
        if (wide_cas(&t.control[TASK_ACTIVE], &flags, flags - TASK_CLOSED, order_release)) return true;
    subtract_open(t); /* another worker has opened it */
    return true;
}

/* ---- thieves ---- */

/* One lane claims an export that it has seen full. Before, it becomes active. The claim acquires what the worker that
 * opened the device has released, too. */
device_inline bool claim_export(struct tasks t, struct tasks from, u32 victim, u64 slot)
{
    u64 before = wide_add(&t.control[TASK_ACTIVE], (u64)1, order_relaxed, true);
    if (!(before & TASK_CLOSED) || open_device(t)) {
        u64 taken = (slot & EXPORT_TAG) | EXPORT_TAKEN;
        if (wide_claim(export_slot(from, victim), &slot, taken)) return true;
    }
    (void)wide_add(&t.control[TASK_ACTIVE], (u64)0 - 1, order_relaxed, true);
    return false;
}

/* What the lanes see of the exports of a device. */
struct export_look {
    u32 victim, marks; /* each lane's worker; the lanes that see a full slot */
    u64 slot;
};

device_inline struct export_look look_at_exports(struct tasks from, struct task_worker *w)
{
    struct export_look look;
    look.victim = (next_random(w) % from.workers + w->lane) % from.workers;
    look.slot = wide_load(export_slot(from, look.victim), order_relaxed, true);
    look.marks = warp_ballot(EXPORT_TASKS(look.slot) > 0);
    return look;
}

/* One lane that has seen a full slot claims it, and all lanes copy the tasks to the empty stack. from: the own device or
 * a peer. Returns the number of tasks, 0 if another worker was faster. */
device_inline u32 take_export(struct tasks t, struct tasks from, struct task_worker *w, struct export_look look)
{
    u32 thief = first_bit(look.marks), count = 0;
    if (w->lane == thief && claim_export(t, from, look.victim, look.slot)) count = EXPORT_TASKS(look.slot);
    count = warp_shuffle(count, thief);
    if (count == 0) return 0;
    block_copy(w, block_words(from, export_block(warp_shuffle(look.victim, thief))), count);
    /* release: pairs with the acquire in export_tasks(). */
    if (w->lane == thief) wide_store(export_slot(from, look.victim), look.slot & EXPORT_TAG, order_release);
    return count;
}

/* Takes an export of the own device. */
device_inline bool steal_export(struct tasks t, struct task_worker *w)
{
    struct export_look look = look_at_exports(t, w);
    bool taken = look.marks != 0 && take_export(t, t, w, look) > 0;
    count_event(t, w, TASK_STATS_STEALS, taken);
    count_event(t, w, TASK_STATS_STOLEN, taken);
    return taken;
}

/* ---- peers ---- */

device_inline struct tasks tasks_of_peer(struct tasks t, u32 peer)
{
    global_mem const u64 *words = t.peers + TASK_PEERS_FIRST + peer * TASK_PEER_STRIDE;
    t.pool.word = (global_mem atom64 *)(size_t)words[TASK_PEER_DEQUES];
    t.control = (global_mem atom64 *)(size_t)words[TASK_PEER_CONTROL];
    t.block = (global_mem u32 *)(size_t)words[TASK_PEER_BLOCK];
    t.workers = (u32)words[TASK_PEER_WORKERS];
    t.places = (u32)words[TASK_PEER_PLACES];
    return t;
}

device_inline bool has_plenty(u64 flags, u32 workers)
{
    return !(flags & TASK_ENDS) && (u64)(u32)flags * 4 >= (u64)workers * 3;
}

/* Returns the same answer in all lanes if the flags are the same. */
device_inline bool looks_across(struct tasks t, struct task_worker *w, u64 flags)
{
    u32 active = (u32)flags, idle = active < t.workers ? t.workers - active : 0;
    if (flags & TASK_ENDS || (u64)idle * 16 < t.workers) return false;
    return (u64)idle * (next_random(w) & 0xffffu) < (u64)across_lookers << 16;
}

/* Takes an export of a peer that has plenty. */
device_inline bool steal_across(struct tasks t, struct task_worker *w, u32 peer)
{
    u64 began = clock_ns();
    struct tasks from = tasks_of_peer(t, peer);
    u64 of_peer = wide_load(&from.control[TASK_ACTIVE], order_relaxed, true); /* one latency for all loads */
    struct export_look look = look_at_exports(from, w);
    if (warp_shuffle(has_plenty(of_peer, from.workers) ? 1u : 0u, 0) == 0) return false;
    if (w->lane == 0 && bit_count(look.marks) <= WARP / 4 && !(of_peer & TASK_WANTED))
        (void)wide_or(&from.control[TASK_ACTIVE], TASK_WANTED, order_relaxed, true);
    if (look.marks == 0) return false;
    u32 tasks = take_export(t, from, w, look);
    if (tasks == 0) count_event(t, w, TASK_STATS_FAILED, 1);
    if (tasks == 0 || w->lane > 0) return tasks > 0;
    (void)atom_add(&t.control[TASK_ACROSS + peer], (u64)1, order_relaxed);
    (void)atom_add(&t.control[TASK_ACROSS_TASKS + peer], (u64)tasks, order_relaxed);
    (void)atom_add(&t.control[TASK_ACROSS_TIME], clock_ns() - began, order_relaxed);
    trace_event(t.trace, GWS_TRACE_STEAL, w->self, NO_BLOCK, tasks);
    return true;
}

/* What an idle worker does beyond the deques of its device. flags: ACTIVE. backoff: the length of its next pause. looks:
 * the number of searches so far. Returns the worker, whose stack has tasks after a success. */
device_apart struct task_worker search_across(struct tasks t, struct task_worker worker, u64 flags, u32 backoff, u32 looks)
{
    struct task_worker *w = &worker;
    bool found = (backoff >= across_own_backoff && steal_export(t, w)) ||
                 (looks_across(t, w, flags) && steal_across(t, w, looks % (u32)t.peers[TASK_PEERS_COUNT]));
    if (!found && w->lane == 0 && (flags & (TASK_COUNT | TASK_CLOSED | TASK_ENDS)) == 0) close_device(t, flags);
    return worker;
}

#endif
