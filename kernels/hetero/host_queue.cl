/* SPDX-License-Identifier: MIT */
/* The device's side of a host queue, which the host fills in batches while a persistent kernel runs (Chen, Villa,
 * Krishnamoorthy, Gao, IPDPS 2010, sections 4.1 to 4.4). lib/host_queue.h is the host's side.
 *
 * As there, each side polls counters of its own memory, no lock crosses the bus, and a HALT task ends a group. Two
 * queues hold tasks: the host refills its slots while the groups drain a batch in the device's memory. Unlike there,
 * the device copies the batch, because fences of system scope now order its reads of the host's memory. So an enqueue
 * costs the host no transfer, and the host may write to its slots at any time, not only when they are empty.
 *
 * A group draws a ticket, a number that no other group has, and takes the task with this number. So no task runs twice.
 * The group whose ticket is the first one beyond the batch copies the next batch. There is one such group, because only
 * this group moves HOST_QUEUE_OPEN. It waits until the groups with smaller tickets have taken their tasks, so it
 * overwrites no task that is still needed. Every ticket is drawn before a larger one, and the host writes all numbers,
 * so no task is lost. A group waits only for the host and for groups that are about to take a task. All groups must be
 * resident. */

/* A group's view of the host queue. */
struct host_queue {
    global_mem host64 *words;
    global_mem atom64 *state;
    u64 capacity;
};

/* The holder of the first ticket beyond the batch waits for tasks. Returns their number, or 0 if the host has stopped
 * the queue. */
device_inline u64 host_queue_poll(const struct host_queue *queue, u64 ticket)
{
    u64 written;
    for (;;) {
        /* acquire: pairs with the release in gws__host_ring_enqueue(). The group thus sees the slots and all memory
         * that the tasks refer to. */
        written = host_load(&queue->words[HOST_QUEUE_WRITTEN], order_acquire);
        if (written > ticket) break;
        spin_pause();
    }
    if (written == HOST_QUEUE_STOPPED) return 0;
    /* acquire: pairs with the release in host_queue_take(). The groups have read the batch that this group overwrites.
     */
    while (atom_load(&queue->state[HOST_QUEUE_TAKEN], order_acquire) < ticket) spin_pause();
    return written - ticket;
}

/* The first item of a group waits until its task is in the batch. Returns the number of tasks that this group must copy
 * first, or HOST_QUEUE_STOPPED. */
device_inline u64 host_queue_wait(const struct host_queue *queue, u64 ticket)
{
    for (;;) {
        /* acquire: pairs with the release in host_queue_take(). The group thus sees the batch. */
        u64 open = atom_load(&queue->state[HOST_QUEUE_OPEN], order_acquire);
        if (open == HOST_QUEUE_STOPPED) return open;
        if (open > ticket) return 0;
        if (open == ticket) break;
        spin_pause();
    }
    u64 count = host_queue_poll(queue, ticket);
    if (count > 0) return count;
    /* relaxed: HOST_QUEUE_STOPPED publishes no tasks. */
    atom_store(&queue->state[HOST_QUEUE_OPEN], HOST_QUEUE_STOPPED, order_relaxed);
    return HOST_QUEUE_STOPPED;
}

/* All items copy `count` tasks, from number `first` on. */
device_inline void host_queue_copy(const struct host_queue *queue, u64 first, u64 count)
{
    for (u64 n = first + item_id(); n < first + count; n += group_size())
        /* relaxed: HOST_QUEUE_OPEN publishes the batch. */
        atom_store(&queue->state[HOST_QUEUE_BATCH + n % queue->capacity],
                   host_load(&queue->words[HOST_QUEUE_SLOTS + n % queue->capacity], order_relaxed), order_relaxed);
}

/* Returns this group's next task, or HOST_QUEUE_HALT if the group must end. All items call. word: three words of
 * local memory. Adds the ticks that the group waited to word[2], which the caller may clear and read. */
device_inline u64 host_queue_take(const struct host_queue *queue, local_mem u64 *word)
{
    if (item_id() == 0) {
        u64 arrival = clock_ticks();
        /* relaxed: a ticket only claims a number. */
        word[0] = atom_add(&queue->state[HOST_QUEUE_TICKET], (u64)1, order_relaxed);
        word[1] = host_queue_wait(queue, word[0]);
        word[2] += clock_ticks() - arrival;
    }
    group_barrier();
    u64 ticket = word[0], count = word[1];
    bool stopped = count == HOST_QUEUE_STOPPED;
    if (!stopped) host_queue_copy(queue, ticket, count);
    group_barrier(); /* all items have copied */
    if (item_id() == 0) {
        if (!stopped && count > 0) {
            /* release: pairs with the acquire in gws__host_ring_space(). The host rewrites only slots that were read.
             */
            host_store(&queue->words[HOST_QUEUE_READ], ticket + count, order_release);
            /* release: pairs with the acquire in host_queue_wait(). */
            atom_store(&queue->state[HOST_QUEUE_OPEN], ticket + count, order_release);
        }
        word[0] = stopped ? HOST_QUEUE_HALT
                          : atom_load(&queue->state[HOST_QUEUE_BATCH + ticket % queue->capacity], order_relaxed);
        /* release: pairs with the acquire in host_queue_poll(). */
        (void)atom_add(&queue->state[HOST_QUEUE_TAKEN], (u64)1, order_release);
    }
    group_barrier();
    u64 task = word[0];
    group_barrier(); /* all items have read word */
    return task;
}
