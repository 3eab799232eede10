/* SPDX-License-Identifier: MIT */
/* Large copies between a device and pageable host memory, through slots of pinned memory.
 *
 * A driver copies pageable memory with one thread, at a fraction of the bus's speed. Here the device copies between its
 * memory and a ring of slots, one block after the other. The runtime's workers copy between the slots and the host's
 * memory, one piece of a block each. The device's first copies start before the workers wake up. One worker at a time
 * calls the driver. This worker starts the copies of free slots, and polls the copies in progress. Any worker may take
 * this role, so a single worker suffices.
 *
 * The operating system clears untouched memory page by page, in the thread that first touches a page. One worker copies
 * a whole block of such memory (one huge page). Two workers thus never clear the same page.
 *
 * The data consists of blocks. A block is at most as long as a slot, and consists of pieces. Block b passes through
 * slot b % slots. The counter .next distributes pieces in order, up to .ready. In a copy to the host, the pieces up to
 * .ready belong to blocks that have arrived in their slots. In a copy to the device, they belong to blocks with an
 * empty slot. An event follows each device copy. The device keeps its pinned memory, because pinning takes
 * milliseconds. After a timeout a copy in progress can access only this memory. */
#define _DEFAULT_SOURCE /* mincore */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "../base/spin.h"
#include "kind.h"

enum {
    page = 2 << 20,
    min_block = 512 << 10,
    worker_share = 256 << 10,
    piece_bytes = 64 << 10 /* the size of one copy by a worker */
};

static const double patience_ms = 0.05;

struct staged_copy {
    struct gws_device *device;
    struct gws__staging *staging;
    struct gws_device_buffer *buffer;
    uint64_t offset;  /* start of the range in buffer */
    const char *from; /* NULL: a copy to the host */
    char *to;
    uint64_t bytes, skew;    /* blocks begin at multiples of the block size, minus skew */
    uint64_t blocks, pieces; /* pieces: the number in one block */
    _Atomic uint64_t next, ready;
    _Atomic uint64_t copied[gws__staging_slots]; /* pieces that workers have copied since the device's last copy of the
                                                  * slot started */
    _Atomic bool driven, failed;                 /* driven: a worker owns the fields below */
    uint64_t begun, ended;                       /* counts of device copies */
    double since; /* time of the first unsuccessful poll of the oldest copy in progress; 0: none */
    gws_status status;
    struct gws_diagnostic *where;
};

struct byte_range {
    uint64_t at, bytes;
};

/* ---- cutting ---- */

/* Returns the range of these pieces. Pieces at either end of the data may be empty. */
static struct byte_range part_of(const struct staged_copy *copy, uint64_t first, uint64_t pieces)
{
    uint64_t begin = first * piece_bytes, end = begin + pieces * piece_bytes;
    begin = begin > copy->skew ? begin - copy->skew : 0;
    end = end > copy->skew ? end - copy->skew : 0;
    if (begin > copy->bytes) begin = copy->bytes;
    if (end > copy->bytes) end = copy->bytes;
    return (struct byte_range){begin, end - begin};
}

static struct byte_range block_at(const struct staged_copy *copy, uint64_t block)
{
    return part_of(copy, block * copy->pieces, copy->pieces);
}

/* Returns whether the middle of the block's host memory is untouched. */
static bool is_fresh(const struct staged_copy *copy, uint64_t block)
{
    enum { largest_small_page = 64 << 10 };
    struct byte_range part = block_at(copy, block);
    unsigned char there = 1;
    if (!copy->to) return false;
    char *middle = copy->to + part.at + part.bytes / 2;
    middle -= (uintptr_t)middle % largest_small_page;
    return mincore(middle, 1, &there) == 0 && !(there & 1);
}

/* ---- workers: slots and host memory ---- */

/* Claims the next piece, or all pieces of a fresh block. Returns false if no piece is ready. */
static bool claim(struct staged_copy *copy, uint64_t *first, uint64_t *count)
{
    *first = atomic_load_explicit(&copy->next, memory_order_relaxed);
    do {
        /* acquire: pairs with the release in publish(). The slot thus belongs to the workers. */
        if (*first >= atomic_load_explicit(&copy->ready, memory_order_acquire)) return false;
        *count = *first % copy->pieces == 0 && is_fresh(copy, *first / copy->pieces) ? copy->pieces : 1;
    } while (!atomic_compare_exchange_weak_explicit(&copy->next, first, *first + *count, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

static void move(struct staged_copy *copy, uint64_t first, uint64_t count)
{
    uint64_t block = first / copy->pieces, slot = block % copy->staging->slots;
    struct byte_range part = part_of(copy, first, count);
    char *there =
        (char *)copy->staging->pinned->host + slot * gws__staging_slot_bytes + (part.at - block_at(copy, block).at);
    if (copy->from)
        memcpy(there, copy->from + part.at, part.bytes);
    else
        memcpy(copy->to + part.at, there, part.bytes);
    /* release: pairs with the acquire in begin_blocks(). The device copy thus follows this copy. */
    atomic_fetch_add_explicit(&copy->copied[slot], count, memory_order_release);
}

/* ---- device: slots and device memory ---- */

static bool fail(struct staged_copy *copy, gws_status status)
{
    copy->status = status;
    atomic_store_explicit(&copy->failed, true, memory_order_relaxed); /* the caller reads .status after the loop */
    return false;
}

static void publish(struct staged_copy *copy)
{
    uint64_t blocks = copy->from ? copy->ended + copy->staging->slots : copy->ended;
    if (blocks > copy->blocks) blocks = copy->blocks;
    /* release: pairs with the acquire in claim(). */
    atomic_store_explicit(&copy->ready, blocks * copy->pieces, memory_order_release);
}

static gws_status begin_block(struct staged_copy *copy, uint32_t slot, struct byte_range part)
{
    struct gws_stream *stream = copy->device->own;
    struct gws_device_buffer *pinned = copy->staging->pinned, *buffer = copy->buffer;
    const struct gws_device_calls *call = copy->device->call;
    const uint64_t here = (uint64_t)slot * gws__staging_slot_bytes, there = copy->offset + part.at;
    gws_status status = copy->to ? call->copy(stream, pinned, here, buffer, there, part.bytes, copy->where)
                                 : call->copy(stream, buffer, there, pinned, here, part.bytes, copy->where);
    return status == GWS_OK ? call->event_new(stream, &copy->staging->event[slot], copy->where) : status;
}

/* Starts the copies of all blocks whose slots the workers have finished. Returns true if there was such a block. */
static bool begin_blocks(struct staged_copy *copy)
{
    uint64_t before = copy->begun;
    for (; copy->begun < copy->blocks; copy->begun++) {
        uint32_t slot = (uint32_t)(copy->begun % copy->staging->slots);
        bool first = !copy->from && copy->begun < copy->staging->slots;
        /* acquire: pairs with the release in move(). */
        if (!first && atomic_load_explicit(&copy->copied[slot], memory_order_acquire) < copy->pieces) break;
        atomic_store_explicit(&copy->copied[slot], 0, memory_order_relaxed); /* the store to .ready publishes it */
        gws_status status = begin_block(copy, slot, block_at(copy, copy->begun));
        if (status != GWS_OK) return fail(copy, status);
    }
    return copy->begun > before;
}

/* Counts the finished copies. Returns true if there was one. The function reads the clock before the poll. The timeout
 * starts at the first unsuccessful poll. A descheduled thread thus polls once more. */
static bool end_blocks(struct staged_copy *copy)
{
    struct gws_device *device = copy->device;
    uint64_t before = copy->ended;
    double now = gws_clock_ms();
    for (bool done; copy->ended < copy->begun; copy->ended++) {
        gws_status status = device->call->event_poll(device, copy->staging->event[copy->ended % copy->staging->slots],
                                                     &done, copy->where);
        if (status != GWS_OK) return fail(copy, status);
        if (!done) break;
        copy->since = 0;
    }
    if (copy->ended > before) {
        publish(copy);
        return true;
    }
    if (copy->ended == copy->begun) return false;
    if (copy->since <= 0) copy->since = now;
    if (now - copy->since <= device->limit_ms) return false;
    return fail(copy, gws_diagnostic_set(copy->where, GWS_DEVICE, NULL, 0, 0, "%s: no answer after %.0f ms",
                                         device->info.address, device->limit_ms));
}

/* Starts and polls device copies. Returns false if no copy started or ended, or if another worker has this role. */
static bool drive(struct staged_copy *copy)
{
    /* acquire and release: pair with each other. This thread thus sees the writes of the previous driver thread. */
    if (atomic_load_explicit(&copy->driven, memory_order_relaxed) ||
        atomic_exchange_explicit(&copy->driven, true, memory_order_acquire))
        return false;
    bool failed = atomic_load_explicit(&copy->failed, memory_order_relaxed);
    bool ended = !failed && end_blocks(copy);
    bool begun = !failed && copy->status == GWS_OK && begin_blocks(copy);
    atomic_store_explicit(&copy->driven, false, memory_order_release);
    return ended || begun;
}

/* ---- running ---- */

static void pause_once(struct gws__spin *spin)
{
    if (!gws__spin_on(spin, patience_ms)) (void)sched_yield();
}

/* Works until no piece is left, or a copy fails. */
static void take_part(struct staged_copy *copy)
{
    struct gws__spin spin = {0};
    while (atomic_load_explicit(&copy->next, memory_order_relaxed) < copy->blocks * copy->pieces &&
           !atomic_load_explicit(&copy->failed, memory_order_relaxed)) {
        uint64_t first, count;
        bool claimed = claim(copy, &first, &count);
        if (claimed) move(copy, first, count);
        if (drive(copy) || claimed)
            spin = (struct gws__spin){0};
        else
            pause_once(&spin);
    }
}

static void run(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    if (begin < end) take_part(context);
}

uint32_t gws__staging_slots_of(const struct gws_runtime *runtime)
{
    return runtime->workers < gws__staging_slots ? runtime->workers + 1 : gws__staging_slots;
}

/* Runs a loop. Inside the body of another loop the calling thread runs all iterations. */
static void run_loop(struct gws_runtime *runtime, uint64_t count, gws_body *body, void *context)
{
    const struct gws_loop loop = {
        .count = count, .chunk = 1, .grain = 1, .body = body, .context = context, .uncounted = true};
    gws_parallel_run(runtime, &loop);
}

gws_status gws__staging_copy(struct gws_device_buffer *buffer, uint64_t offset, const void *from, void *to,
                             uint64_t bytes, struct gws_diagnostic *where)
{
    struct gws_device *device = buffer->device;
    uint64_t block = bytes < 2 * page ? min_block : gws__staging_slot_bytes, skew = (uintptr_t)to % block;
    uint64_t workers = bytes / worker_share < gws__staging_slots ? bytes / worker_share : gws__staging_slots;
    struct staged_copy copy = {.device = device,
                               .staging = device->staging,
                               .buffer = buffer,
                               .offset = offset,
                               .from = from,
                               .to = to,
                               .bytes = bytes,
                               .skew = skew,
                               .where = where};
    struct gws__spin spin = {0};
    copy.blocks = bytes ? (bytes + skew + block - 1) / block : 0;
    copy.pieces = block / piece_bytes;
    publish(&copy);
    (void)drive(&copy);
    run_loop(device->runtime, workers ? workers : 1, run, &copy);
    while (copy.status == GWS_OK && copy.ended < copy.blocks)
        if (!drive(&copy)) pause_once(&spin);
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

void gws__staging_touch(struct gws_runtime *runtime, char *memory, uint64_t bytes)
{
    struct fresh fresh = {memory, bytes};
    run_loop(runtime, (bytes + page - 1) / page, touch, &fresh);
}
