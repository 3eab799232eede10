/* SPDX-License-Identifier: MIT */
/* The queue of events: a hierarchical timing wheel (Varghese and Lauck, SOSP 1987), as a radix heap with digits of 6
 * bits (Ahuja, Mehlhorn, Orlin, Tarjan, JACM 1990).
 *
 * Each worker has at most one event, so an event is its worker, and lists run through the workers: the wheel allocates
 * nothing. Time never goes back. An event lies at the level of the highest digit in which its time differs from now, in
 * the slot of its own digit. When now reaches a slot of a higher level, the events of that slot move to lower levels.
 * So an event moves at most once a level, in practice two to four times. Events of one time come in an order that
 * depends on the earlier events only. */
#ifndef GWS_SIM_WHEEL_H
#define GWS_SIM_WHEEL_H

#include <stdint.h>

enum { gws__wheel_levels = 11, gws__wheel_slots = 64, gws__wheel_none = -1 };

/* The event of one worker, while it has one. Otherwise `next` is free for other lists. */
struct gws__wheel_event {
    uint64_t time;
    int32_t next;
};

struct gws__wheel {
    uint64_t now;
    struct gws__wheel_event *event; /* by worker */
    uint32_t levels;                /* bit l: level l has events */
    uint64_t slots[gws__wheel_levels];
    int32_t head[gws__wheel_levels][gws__wheel_slots];
};

static inline void gws__wheel_init(struct gws__wheel *wheel, struct gws__wheel_event *event)
{
    *wheel = (struct gws__wheel){.event = event};
}

/* Adds the event of a worker, which has none, at a time that is not before now. */
static inline void gws__wheel_add(struct gws__wheel *wheel, int32_t worker, uint64_t time)
{
    uint64_t differ = time ^ wheel->now;
    unsigned level = differ ? (63U - (unsigned)__builtin_clzll(differ)) / 6 : 0;
    unsigned slot = (unsigned)(time >> (6 * level)) & 63;
    struct gws__wheel_event *event = &wheel->event[worker];
    event->time = time;
    event->next = wheel->slots[level] >> slot & 1 ? wheel->head[level][slot] : gws__wheel_none;
    wheel->head[level][slot] = worker;
    wheel->slots[level] |= UINT64_C(1) << slot;
    wheel->levels |= UINT32_C(1) << level;
}

/* Takes the list of the earliest slot of a level. */
static inline int32_t gws__wheel_take(struct gws__wheel *wheel, unsigned level, unsigned slot)
{
    wheel->slots[level] &= ~(UINT64_C(1) << slot);
    if (!wheel->slots[level]) wheel->levels &= ~(UINT32_C(1) << level);
    return wheel->head[level][slot];
}

/* Removes the earliest event, sets now to its time and returns its worker. Returns gws__wheel_none if there is none. */
static inline int32_t gws__wheel_next(struct gws__wheel *wheel)
{
    while (wheel->levels & ~UINT32_C(1)) {
        if (wheel->levels & 1) break;
        unsigned level = (unsigned)__builtin_ctz(wheel->levels), shift = 6 * level;
        unsigned slot = (unsigned)__builtin_ctzll(wheel->slots[level]);
        wheel->now = (((wheel->now >> shift) & ~UINT64_C(63)) | slot) << shift;
        for (int32_t w = gws__wheel_take(wheel, level, slot); w != gws__wheel_none;) {
            int32_t next = wheel->event[w].next;
            gws__wheel_add(wheel, w, wheel->event[w].time);
            w = next;
        }
    }
    if (!wheel->levels) return gws__wheel_none;
    unsigned slot = (unsigned)__builtin_ctzll(wheel->slots[0]);
    int32_t worker = wheel->head[0][slot];
    wheel->now = (wheel->now & ~UINT64_C(63)) | slot;
    wheel->head[0][slot] = wheel->event[worker].next;
    if (wheel->head[0][slot] == gws__wheel_none) (void)gws__wheel_take(wheel, 0, slot);
    return worker;
}

#endif
