/* SPDX-License-Identifier: MIT */
/* Rings for tasks that must run exactly once, between sides whose atomics are not coherent with each other
 * (protocol_words.h). Tasks are words of 64 bits. They cross through rings of one producer and one consumer, one ring
 * in each direction. A thief requests a number of tasks, and the victim's side fills slots with as many tasks as it can
 * spare. A task belongs to the victim before TAIL passes it, and to the thief afterwards. If a side has many workers, a
 * lock of that side admits one worker at a time as producer or consumer.
 *
 * The host compiles the same source with the host's portability header. ring: RING_SLOTS words and then capacity slots,
 * all zero at first. Counts never restart. The functions compare only differences of counts. */
#define RING_REQUESTED 0u /* the consumer writes it: tasks requested in total */
#define RING_HEAD 1u      /* the consumer writes it: tasks popped in total */
#define RING_TAIL 16u     /* the producer writes it: tasks published in total */
#define RING_SLOTS 32u

/* The consumer requests count more tasks than the producer has published so far. */
device_inline void ring_request(global_mem host64 *ring, u64 count)
{
    host_store(&ring[RING_REQUESTED], host_load(&ring[RING_TAIL], order_relaxed) + count, order_relaxed);
}

/* Returns the number of tasks that the producer may publish now: requested tasks for which slots are free. */
device_inline u64 ring_allowance(global_mem host64 *ring, u64 capacity)
{
    u64 tail = host_load(&ring[RING_TAIL], order_relaxed), requested = host_load(&ring[RING_REQUESTED], order_relaxed);
    /* acquire: pairs with the release in ring_pop(). The producer rewrites a slot only after the consumer has read it.
     */
    u64 space = capacity - (tail - host_load(&ring[RING_HEAD], order_acquire));
    u64 missing = requested > tail ? requested - tail : 0;
    return missing < space ? missing : space;
}

/* The producer writes a task to the slot `index` places after the next one. The consumer sees the task after
 * ring_publish(). */
device_inline void ring_write(global_mem host64 *ring, u64 capacity, u64 index, u64 task)
{
    u64 tail = host_load(&ring[RING_TAIL], order_relaxed);
    host_store(&ring[RING_SLOTS + (tail + index) % capacity], task, order_relaxed);
}

/* The producer passes `count` written tasks to the consumer. */
device_inline void ring_publish(global_mem host64 *ring, u64 count)
{
    /* release: pairs with the acquire in ring_pop(). */
    host_store(&ring[RING_TAIL], host_load(&ring[RING_TAIL], order_relaxed) + count, order_release);
}

/* The consumer pops one task. Returns false if there is none. */
device_inline bool ring_pop(global_mem host64 *ring, u64 capacity, u64 *task)
{
    u64 head = host_load(&ring[RING_HEAD], order_relaxed);
    /* acquire: pairs with the release in ring_publish(). The consumer thus sees the task. */
    if (host_load(&ring[RING_TAIL], order_acquire) == head) return false;
    *task = host_load(&ring[RING_SLOTS + head % capacity], order_relaxed);
    /* release: pairs with the acquire in ring_allowance(). */
    host_store(&ring[RING_HEAD], head + 1, order_release);
    return true;
}
