/* SPDX-License-Identifier: MIT */
/* The queue of events: a hierarchical timing wheel (Varghese and Lauck, SOSP 1987), as a radix heap with digits of 6
 * bits (Ahuja, Mehlhorn, Orlin, Tarjan, JACM 1990), above a short sorted array of the next events, as in a ladder queue
 * (Tang, Goh, Thng, ACM TOMACS 2005).
 *
 * Time never goes back. An event before `horizon` is in the array; the others are in the wheel. There an event lies at
 * the level of the highest digit in which its time differs from `base`, in the slot of its own digit. When the array is
 * empty, base goes to the earliest slot. A slot with few events becomes the array, whatever its level, and the horizon
 * is the end of the slot; the events of a fuller slot move to lower levels. So most events move once or twice. Events
 * of one time come in an order that depends on the earlier events only.
 *
 * A slot is a list of blocks, since a list of single events would miss the cache with each. The caller allocates all
 * blocks: a worker has at most one event, and only the first block of a slot is not full. */
#ifndef GWS_SIM_WHEEL_H
#define GWS_SIM_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
    gws__wheel_levels = 11,
    gws__wheel_slots = 64,
    gws__wheel_none = -1,
    gws__wheel_soon = 64, /* events of the array */
    gws__wheel_few = 12,  /* maximum number of events in a slot that becomes the array */
    gws__wheel_full = 15  /* events of a block */
};

struct gws__wheel_event {
    uint64_t time;
    int32_t worker;
};

struct gws__wheel_block {
    struct gws__wheel_event event[gws__wheel_full];
    int32_t next; /* in the slot, or of the free ones */
    uint32_t events;
};

struct gws__wheel {
    uint64_t now, base, horizon;
    struct gws__wheel_block *block;
    int32_t free;
    uint32_t levels; /* bit l: level l has events */
    uint32_t soons;
    uint64_t slots[gws__wheel_levels];
    struct gws__wheel_event soon[gws__wheel_soon]; /* the earliest event is the last */
    int32_t head[gws__wheel_levels][gws__wheel_slots];
};

/* Returns how many blocks the events of that many workers need: one that is not full in each slot, and one that is
 * being emptied. */
static inline uint32_t gws__wheel_blocks(uint32_t workers)
{
    const uint32_t slots = gws__wheel_levels * gws__wheel_slots;
    return workers / gws__wheel_full + (workers < slots ? workers : slots) + 1;
}

static inline void gws__wheel_init(struct gws__wheel *wheel, struct gws__wheel_block *block, uint32_t blocks)
{
    *wheel = (struct gws__wheel){.block = block};
    for (uint32_t i = 0; i < blocks; i++) block[i].next = i + 1 < blocks ? (int32_t)i + 1 : gws__wheel_none;
}

/* Adds an event at or after the horizon. */
static inline void gws__wheel_put(struct gws__wheel *wheel, int32_t worker, uint64_t time)
{
    const uint64_t differ = time ^ wheel->base;
    const unsigned level = differ ? (63U - (unsigned)__builtin_clzll(differ)) / 6 : 0;
    const unsigned slot = (unsigned)(time >> (6 * level)) & 63;
    const bool empty = !(wheel->slots[level] >> slot & 1);
    int32_t head = empty ? gws__wheel_none : wheel->head[level][slot];
    if (empty || wheel->block[head].events == gws__wheel_full) {
        const int32_t fresh = wheel->free;
        wheel->free = wheel->block[fresh].next;
        wheel->block[fresh].next = head;
        wheel->block[fresh].events = 0;
        wheel->head[level][slot] = head = fresh;
    }
    struct gws__wheel_block *block = &wheel->block[head];
    block->event[block->events++] = (struct gws__wheel_event){time, worker};
    wheel->slots[level] |= UINT64_C(1) << slot;
    wheel->levels |= UINT32_C(1) << level;
}

/* Removes a block from its list. Returns the next one. */
static inline int32_t gws__wheel_release(struct gws__wheel *wheel, int32_t block)
{
    const int32_t next = wheel->block[block].next;
    wheel->block[block].next = wheel->free;
    wheel->free = block;
    return next;
}

/* Adds an event before the horizon to the array, which is not full. */
static inline void gws__wheel_insert(struct gws__wheel *wheel, int32_t worker, uint64_t time)
{
    uint32_t at = wheel->soons++;
    for (; at > 0 && wheel->soon[at - 1].time <= time; at--) wheel->soon[at] = wheel->soon[at - 1];
    wheel->soon[at] = (struct gws__wheel_event){time, worker};
}

/* Moves the later half of a full array to the wheel, with all events of the earliest one's time. */
static inline void gws__wheel_spill(struct gws__wheel *wheel)
{
    uint32_t left = gws__wheel_soon / 2;
    wheel->horizon = wheel->soon[gws__wheel_soon - 1 - left].time;
    while (left > 0 && wheel->soon[gws__wheel_soon - left].time == wheel->horizon) left--;
    const uint32_t spilt = gws__wheel_soon - left;
    for (uint32_t i = 0; i < spilt; i++) gws__wheel_put(wheel, wheel->soon[i].worker, wheel->soon[i].time);
    for (uint32_t i = 0; i < left; i++) wheel->soon[i] = wheel->soon[spilt + i];
    wheel->soons = left;
}

/* Adds the event of a worker, which has none, at a time that is not before now. */
static inline void gws__wheel_add(struct gws__wheel *wheel, int32_t worker, uint64_t time)
{
    if (time < wheel->horizon && wheel->soons == gws__wheel_soon) gws__wheel_spill(wheel);
    if (time < wheel->horizon)
        gws__wheel_insert(wheel, worker, time);
    else
        gws__wheel_put(wheel, worker, time);
}

/* Moves the events of a block to the array. */
static inline int32_t gws__wheel_insert_all(struct gws__wheel *wheel, int32_t head)
{
    const struct gws__wheel_block *block = &wheel->block[head];
    for (uint32_t i = 0; i < block->events; i++) gws__wheel_insert(wheel, block->event[i].worker, block->event[i].time);
    return gws__wheel_release(wheel, head);
}

/* Moves the events of a slot's blocks to the array or to lower levels. */
static inline void gws__wheel_spread(struct gws__wheel *wheel, int32_t head, unsigned shift)
{
    if (wheel->block[head].next == gws__wheel_none && wheel->block[head].events <= gws__wheel_few) {
        wheel->horizon = wheel->base + (UINT64_C(1) << shift);
        (void)gws__wheel_insert_all(wheel, head);
        return;
    }
    while (head != gws__wheel_none) {
        const struct gws__wheel_block *block = &wheel->block[head];
        if (block->next != gws__wheel_none) __builtin_prefetch(&wheel->block[block->next]);
        for (uint32_t i = 0; i < block->events; i++)
            gws__wheel_put(wheel, block->event[i].worker, block->event[i].time);
        head = gws__wheel_release(wheel, head);
    }
}

static inline void gws__wheel_empty(struct gws__wheel *wheel, unsigned level, unsigned slot)
{
    wheel->slots[level] &= ~(UINT64_C(1) << slot);
    if (!wheel->slots[level]) wheel->levels &= ~(UINT32_C(1) << level);
}

/* Moves a block of the earliest slot of level 0 to the array. All its events have the same time. */
static inline void gws__wheel_take(struct gws__wheel *wheel, unsigned slot)
{
    wheel->horizon = wheel->base;
    wheel->head[0][slot] = gws__wheel_insert_all(wheel, wheel->head[0][slot]);
    if (wheel->head[0][slot] == gws__wheel_none) gws__wheel_empty(wheel, 0, slot);
}

/* Fills the empty array with the earliest events. Returns false if there is none at or before the limit. */
static inline bool gws__wheel_fill(struct gws__wheel *wheel, uint64_t limit)
{
    while (wheel->soons == 0) {
        if (!wheel->levels) return false;
        const unsigned level = (unsigned)__builtin_ctz(wheel->levels), shift = 6 * level;
        const unsigned slot = (unsigned)__builtin_ctzll(wheel->slots[level]);
        const uint64_t base = (((wheel->base >> shift) & ~UINT64_C(63)) | slot) << shift;
        if (base > limit) return false;
        wheel->base = base;
        if (level == 0) {
            gws__wheel_take(wheel, slot);
            return true;
        }
        gws__wheel_empty(wheel, level, slot);
        gws__wheel_spread(wheel, wheel->head[level][slot], shift);
    }
    return true;
}

/* Removes the earliest event, sets now to its time and returns its worker. If there is no event at or before the limit,
 * it returns gws__wheel_none and sets now to the limit, unless that is UINT64_MAX. */
static inline int32_t gws__wheel_next(struct gws__wheel *wheel, uint64_t limit)
{
    if (wheel->soons == 0 && !gws__wheel_fill(wheel, limit)) {
        if (limit != UINT64_MAX) wheel->now = limit;
        return gws__wheel_none;
    }
    const struct gws__wheel_event *first = &wheel->soon[wheel->soons - 1];
    if (first->time > limit) {
        wheel->now = limit;
        return gws__wheel_none;
    }
    wheel->soons--;
    wheel->now = first->time;
    return first->worker;
}

/* Lists at most max workers that have the next events, about in their order: those of the array, and of the slots after
 * it that have one block. */
static inline uint32_t gws__wheel_peek(const struct gws__wheel *wheel, uint32_t *worker, uint32_t max)
{
    uint32_t count = 0;
    for (uint32_t i = wheel->soons; i > 0 && count < max; i--) worker[count++] = (uint32_t)wheel->soon[i - 1].worker;
    if (!wheel->levels) return count;
    const unsigned level = (unsigned)__builtin_ctz(wheel->levels);
    for (uint64_t slots = wheel->slots[level]; slots; slots &= slots - 1) {
        const struct gws__wheel_block *block = &wheel->block[wheel->head[level][__builtin_ctzll(slots)]];
        if (block->next != gws__wheel_none) break;
        for (uint32_t i = 0; i < block->events && count < max; i++) worker[count++] = (uint32_t)block->event[i].worker;
    }
    return count;
}

#endif
