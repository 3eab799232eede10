/* SPDX-License-Identifier: MIT */
/* See stage.h. What is copied is cut into blocks, which lanes take one by one, and these into parts of a slot's size.
 * A block that is read is a huge page of the host's where there may be such, so that no two workers clear the same
 * page. */
#include "stage.h"

#include <stdatomic.h>
#include <string.h>

enum { page = 2 << 20, least_block = 512 << 10, lane_share = 1 << 20 };

struct copy {
    const struct gws__stage_bus *bus;
    const char *from; /* NULL: to the host */
    char *to;
    uint64_t bytes;
    uint64_t block, skew; /* blocks begin at multiples of block, less skew */
    struct gws_where *where;
    _Atomic uint64_t next;   /* the next block */
    _Atomic uint32_t failed; /* whoever makes it 1 sets the status */
    gws_status status;       /* read after all have come to an end */
};

struct part {
    uint64_t at, bytes;
};

/* One worker's: parts at[first], ... are under way, count of them, each in the slot of that number. */
struct lane {
    struct copy *copy;
    uint32_t base; /* its first slot */
    uint32_t first, count;
    struct part part[gws__stage_slots];
    struct part rest; /* of the block that it is at */
};

/* False, with the first failure kept, if the status is one. relaxed: what it guards is read after the loop. */
static bool went_well(struct copy *copy, gws_status status, const struct gws_where *where)
{
    if (status == GWS_OK) return true;
    if (atomic_exchange_explicit(&copy->failed, 1, memory_order_relaxed)) return false;
    copy->status = status;
    if (copy->where) *copy->where = *where;
    return false;
}

/* ---- cutting ---- */

static bool next_block(struct copy *copy, struct part *block)
{
    uint64_t begin = atomic_fetch_add_explicit(&copy->next, 1, memory_order_relaxed) * copy->block;
    uint64_t end = begin + copy->block;
    if (copy->bytes == 0 || begin >= copy->bytes + copy->skew) return false;
    begin = begin > copy->skew ? begin - copy->skew : 0;
    end = end - copy->skew < copy->bytes ? end - copy->skew : copy->bytes;
    *block = (struct part){begin, end - begin};
    return true;
}

/* The lane's next part; false if there is none, or all is in vain. */
static bool next_part(struct lane *lane, struct part *part)
{
    if (atomic_load_explicit(&lane->copy->failed, memory_order_relaxed)) return false;
    if (lane->rest.bytes == 0 && !next_block(lane->copy, &lane->rest)) return false;
    *part = lane->rest;
    if (part->bytes > gws__stage_slot_bytes) part->bytes = gws__stage_slot_bytes;
    lane->rest.at += part->bytes;
    lane->rest.bytes -= part->bytes;
    return true;
}

/* ---- a lane ---- */

static char *slot_of(const struct lane *lane, uint32_t slot)
{
    return lane->copy->bus->memory + (uint64_t)(lane->base + slot) * gws__stage_slot_bytes;
}

static uint32_t free_slot(const struct lane *lane)
{
    return (lane->first + lane->count) % gws__stage_slots;
}

static bool begin(struct lane *lane, const struct part *part)
{
    const struct gws__stage_bus *bus = lane->copy->bus;
    struct gws_where where = {0};
    uint32_t slot = free_slot(lane);
    gws_status status = bus->begin(bus->context, lane->base + slot, part->at, part->bytes, &where);
    lane->part[slot] = *part;
    lane->count++;
    return went_well(lane->copy, status, &where);
}

/* Waits for the part that was begun first. */
static bool finish(struct lane *lane, struct part *part, uint32_t *slot)
{
    const struct gws__stage_bus *bus = lane->copy->bus;
    struct gws_where where = {0};
    *slot = lane->first;
    *part = lane->part[*slot];
    lane->first = (lane->first + 1) % gws__stage_slots;
    lane->count--;
    return went_well(lane->copy, bus->finish(bus->context, lane->base + *slot, &where), &where);
}

static void to_device(struct lane *lane)
{
    struct part part, old;
    uint32_t slot;
    while (next_part(lane, &part)) {
        if (lane->count == gws__stage_slots && !finish(lane, &old, &slot)) return;
        memcpy(slot_of(lane, free_slot(lane)), lane->copy->from + part.at, part.bytes);
        if (!begin(lane, &part)) return;
    }
    while (lane->count && finish(lane, &old, &slot)) continue;
}

static void to_host(struct lane *lane)
{
    struct part part;
    uint32_t slot;
    for (;;) {
        while (lane->count < gws__stage_slots && next_part(lane, &part))
            if (!begin(lane, &part)) return;
        if (!lane->count || !finish(lane, &part, &slot)) return;
        memcpy(lane->copy->to + part.at, slot_of(lane, slot), part.bytes);
    }
}

static void run(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        struct lane lane = {.copy = context, .base = (uint32_t)i * gws__stage_slots};
        (lane.copy->from ? to_device : to_host)(&lane);
    }
}

/* ---- all of it ---- */

uint32_t gws__stage_lanes_of(const struct gws_runtime *runtime)
{
    return runtime->workers < gws__stage_lanes ? runtime->workers : gws__stage_lanes;
}

/* A loop; in a body its tasks are the caller's. */
static void run_loop(struct gws_runtime *runtime, uint64_t count, gws_body *body, void *context)
{
    const struct gws_loop loop = {
        .count = count, .chunk = 1, .grain = 1, .body = body, .context = context, .aside = true};
    if (runtime->running)
        body(context, 0, 0, count);
    else
        gws_parallel_run(runtime, &loop);
}

gws_status gws__stage_copy(struct gws_runtime *runtime, const struct gws__stage_bus *bus, const void *from, void *to,
                           uint64_t bytes, struct gws_where *where)
{
    struct copy copy = {.bus = bus, .from = from, .to = to, .bytes = bytes, .where = where};
    uint64_t lanes = bytes / lane_share;
    if (lanes > bus->lanes) lanes = bus->lanes;
    copy.block = bytes < 2 * page ? least_block : page;
    copy.skew = (uintptr_t)to % copy.block;
    run_loop(runtime, lanes && !runtime->running ? lanes : 1, run, &copy);
    return copy.status;
}

/* ---- fresh memory ---- */

struct fresh {
    char *memory;
    uint64_t bytes;
};

static void touch(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    enum { small_page = 4096 };
    const struct fresh *fresh = context;
    (void)worker;
    for (uint64_t at = begin * page; at < end * page && at < fresh->bytes; at += small_page) fresh->memory[at] = 0;
}

void gws__stage_touch(struct gws_runtime *runtime, char *memory, uint64_t bytes)
{
    struct fresh fresh = {memory, bytes};
    run_loop(runtime, (bytes + page - 1) / page, touch, &fresh);
}
