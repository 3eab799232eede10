/* SPDX-License-Identifier: MIT */
/* Handing over what has to be run exactly once, between sides that share no atomics (protocol_words.h): tasks, words of 64
 * bits, cross through rings of one producer and one consumer, one ring each way. A thief asks for so many, and the
 * victim's side gives what it can spare: the ring's slots are the grant. Each task is in one place at any time: the
 * victim's before TAIL has passed it, the thief's after. Where a side has many workers, one at a time plays producer or
 * consumer, each ordered after the one before by that side's own lock.
 *
 * The host calls the same text in the dialect of the host. ring: RING_SLOTS words and then capacity slots; all zero at
 * first. Counts never start again: where they are compared, their difference is. */
#define RING_WANTED 0u /* the consumer's: how many it has asked for, in all */
#define RING_HEAD 1u   /* the consumer's: how many it has taken */
#define RING_TAIL 16u  /* the producer's: how many it has given */
#define RING_SLOTS 32u

/* The consumer would take so many more than have been given so far. */
device_inline void ring_ask(global_mem host64 *ring, u64 more)
{
    host_store(&ring[RING_WANTED], host_load(&ring[RING_TAIL], order_relaxed) + more, order_relaxed);
}

/* How many tasks the producer may give now: as many as were asked for and have room. */
device_inline u64 ring_wanted(global_mem host64 *ring, u64 capacity)
{
    u64 tail = host_load(&ring[RING_TAIL], order_relaxed), wanted = host_load(&ring[RING_WANTED], order_relaxed);
    /* acquire: pairs with the release in ring_take(): a slot is written again only after it was read. */
    u64 room = capacity - (tail - host_load(&ring[RING_HEAD], order_acquire));
    u64 asked = wanted > tail ? wanted - tail : 0;
    return asked < room ? asked : room;
}

/* The producer puts a task into the slot that is place after the next one; it is not seen before ring_give(). */
device_inline void ring_put(global_mem host64 *ring, u64 capacity, u64 place, u64 task)
{
    u64 tail = host_load(&ring[RING_TAIL], order_relaxed);
    host_store(&ring[RING_SLOTS + (tail + place) % capacity], task, order_relaxed);
}

/* The count tasks put are the consumer's from here on. */
device_inline void ring_give(global_mem host64 *ring, u64 count)
{
    /* release: pairs with the acquire in ring_take(). */
    host_store(&ring[RING_TAIL], host_load(&ring[RING_TAIL], order_relaxed) + count, order_release);
}

/* The consumer takes one; false if there is none. */
device_inline bool ring_take(global_mem host64 *ring, u64 capacity, u64 *task)
{
    u64 head = host_load(&ring[RING_HEAD], order_relaxed);
    /* acquire: pairs with ring_give(): what was put is seen. */
    if (host_load(&ring[RING_TAIL], order_acquire) == head) return false;
    *task = host_load(&ring[RING_SLOTS + head % capacity], order_relaxed);
    /* release: pairs with ring_wanted(). */
    host_store(&ring[RING_HEAD], head + 1, order_release);
    return true;
}
