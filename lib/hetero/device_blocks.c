/* SPDX-License-Identifier: MIT */
/* Tasks between the host's memory and the device's blocks, before and after a launch of kernels/task/task.cl.
 *
 * A block whose count is not 0 has that many tasks, wherever the block was when the kernel ended: in a deque, in a
 * list, or in a worker's reserve. So the host needs no deque and no list. It makes both lists again before each launch.
 */
#include <string.h>

#include "../parallel.h"
#include "device_tasks.h"

enum { stretch = 256 }; /* blocks of one copy */

static uint64_t entry_of(const struct gws_device_tasks *tasks)
{
    return tasks->length + (uint64_t)TASK_RANGE;
}

static uint64_t block_bytes(const struct gws_device_tasks *tasks)
{
    return entry_of(tasks) * TASK_BLOCK * sizeof(uint32_t);
}

gws_status gws__task_blocks_open(struct gws_device_tasks *tasks)
{
    tasks->count = gws_allocate(tasks->runtime, tasks->blocks, sizeof *tasks->count);
    tasks->next = gws_allocate(tasks->runtime, tasks->blocks, sizeof *tasks->next);
    return tasks->count && tasks->next ? GWS_OK : GWS_NO_MEMORY;
}

void gws__task_blocks_close(struct gws_device_tasks *tasks)
{
    gws_release(tasks->runtime, tasks->count, tasks->blocks, sizeof *tasks->count);
    gws_release(tasks->runtime, tasks->next, tasks->blocks, sizeof *tasks->next);
    gws_release(tasks->runtime, tasks->waiting, tasks->capacity, entry_of(tasks) * sizeof *tasks->waiting);
}

void gws__task_blocks_clear(struct gws_device_tasks *tasks)
{
    memset(tasks->count, 0, tasks->blocks * sizeof *tasks->count);
    tasks->waits = tasks->high_water = 0;
    tasks->resumes = false;
}

bool gws__task_blocks_left(const struct gws_device_tasks *tasks)
{
    bool left = tasks->waits > 0;
    for (uint32_t b = 0; b < tasks->blocks && !left && tasks->resumes; b++) left = tasks->count[b] > 0;
    return left;
}

uint64_t gws__task_blocks_count(const struct gws_device_tasks *tasks)
{
    uint64_t count = tasks->waits;
    for (uint32_t b = 0; b < tasks->blocks && tasks->resumes; b++) count += tasks->count[b];
    return count;
}

/* ---- tasks in the host's memory ---- */

/* Ensures space for `more` further tasks, which the caller adds. */
static gws_status reserve_tasks(struct gws_device_tasks *tasks, uint64_t more)
{
    if (tasks->high_water < tasks->waits + more) tasks->high_water = tasks->waits + more;
    uint64_t bytes = entry_of(tasks) * sizeof *tasks->waiting, capacity = 2 * tasks->capacity;
    if (tasks->waits + more <= tasks->capacity) return GWS_OK;
    if (capacity < tasks->waits + more) capacity = tasks->waits + more;
    uint32_t *grown = gws_allocate(tasks->runtime, capacity, bytes);
    if (!grown) return GWS_NO_MEMORY;
    if (tasks->waits > 0) memcpy(grown, tasks->waiting, tasks->waits * bytes);
    gws_release(tasks->runtime, tasks->waiting, tasks->capacity, bytes);
    tasks->waiting = grown;
    tasks->capacity = capacity;
    return GWS_OK;
}

gws_status gws__task_blocks_add(struct gws_device_tasks *tasks, const uint32_t *task, uint64_t count, uint32_t stride)
{
    gws_status status = reserve_tasks(tasks, count);
    const uint64_t entry = entry_of(tasks), words = stride < entry ? stride : entry;
    for (uint64_t i = 0; i < count && status == GWS_OK; i++, tasks->waits++) {
        uint32_t *added = tasks->waiting + tasks->waits * entry;
        memcpy(added, task + i * stride, words * sizeof *task);
        memset(added + words, 0, (entry - words) * sizeof *task);
    }
    return status;
}

/* Appends the tasks of a block. */
static gws_status add_block(struct gws_device_tasks *tasks, const uint32_t *block, uint32_t count)
{
    gws_status status = reserve_tasks(tasks, count);
    if (status != GWS_OK) return status;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *task = tasks->waiting + tasks->waits++ * entry_of(tasks);
        for (uint64_t k = 0; k < entry_of(tasks); k++) task[k] = block[k * TASK_BLOCK + i];
    }
    return GWS_OK;
}

/* Returns the maximum number of tasks for a block: a full block, or a worker's part if nobody steals. */
static uint32_t block_tasks(const struct gws_device_tasks *tasks)
{
    const uint64_t part = (tasks->waits + tasks->workers - 1) / tasks->workers;
    return tasks->is_static && part < TASK_BLOCK ? (uint32_t)part : TASK_BLOCK;
}

/* Moves up to `max` of the last waiting tasks to a block. Returns their number. */
static uint32_t fill_block(struct gws_device_tasks *tasks, uint32_t *block, uint32_t max)
{
    uint32_t count = tasks->waits < max ? (uint32_t)tasks->waits : max;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *task = tasks->waiting + --tasks->waits * entry_of(tasks);
        for (uint64_t k = 0; k < entry_of(tasks); k++) block[k * TASK_BLOCK + i] = task[k];
    }
    return count;
}

/* ---- to the device ---- */

static uint32_t full_blocks(const struct gws_device_tasks *tasks, uint32_t begin, uint32_t end)
{
    uint32_t full = 0;
    for (uint32_t b = begin; b < end; b++) full += tasks->count[b] > 0;
    return full;
}

/* Fills a run of up to `max` free blocks from b on with `each` tasks. Returns the number of blocks. */
static uint32_t fill_run(struct gws_device_tasks *tasks, uint32_t b, uint32_t max, uint32_t each, uint32_t *memory)
{
    uint32_t run = 0;
    for (; run < max && b + run < tasks->blocks && tasks->count[b + run] == 0 && tasks->waits > 0; run++)
        tasks->count[b + run] = fill_block(tasks, memory + run * block_bytes(tasks) / sizeof *memory, each);
    return run;
}

/* Moves waiting tasks to free shared blocks, but leaves half of these free. */
static gws_status fill_blocks(struct gws_device_tasks *tasks, uint32_t *memory, struct gws_diagnostic *where)
{
    uint32_t usable = (tasks->blocks - tasks->shared + 1) / 2, full = full_blocks(tasks, tasks->shared, tasks->blocks);
    const uint32_t each = block_tasks(tasks);
    uint32_t left = usable > full ? usable - full : 0;
    gws_status status = GWS_OK;
    for (uint32_t b = tasks->shared; b < tasks->blocks && left > 0 && tasks->waits > 0 && status == GWS_OK;) {
        uint32_t run = fill_run(tasks, b, left < stretch ? left : stretch, each, memory);
        if (run > 0)
            status = gws_device_write(tasks->buffer[gws__task_block], b * block_bytes(tasks), memory,
                                      run * block_bytes(tasks), where);
        left -= run;
        b += run + 1; /* the block behind the run is full */
    }
    return status;
}

/* Returns the first block that may be full before a launch, except for the reserve. */
static uint32_t first_block(const struct gws_device_tasks *tasks)
{
    return tasks->resumes ? tasks->own : tasks->shared;
}

/* Puts each full block and each free shared block on its list. */
static void link_blocks(struct gws_device_tasks *tasks)
{
    uint32_t full = 0, free_block = 0; /* number of the first block + 1 */
    for (uint32_t b = tasks->blocks; b-- > first_block(tasks);) {
        uint32_t *list = tasks->count[b] > 0 ? &full : &free_block;
        if (b < tasks->shared && tasks->count[b] == 0) continue; /* a free block of a worker */
        tasks->next[b] = *list;
        *list = b + 1;
    }
    tasks->control[TASK_FULL] = full;
    tasks->control[TASK_FREE] = free_block;
    tasks->control[TASK_ACTIVE] = 0;
}

gws_status gws__task_blocks_upload(struct gws_device_tasks *tasks, struct gws_diagnostic *where)
{
    uint32_t first = first_block(tasks);
    uint64_t at = first * sizeof *tasks->count, bytes = (tasks->blocks - first) * sizeof *tasks->count;
    uint32_t *memory = gws_allocate(tasks->runtime, stretch, block_bytes(tasks));
    gws_status status = memory ? fill_blocks(tasks, memory, where) : gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_release(tasks->runtime, memory, stretch, block_bytes(tasks));
    link_blocks(tasks);
    if (status == GWS_OK) status = gws_device_fill(tasks->buffer[gws__task_count], 0, 0, first, where);
    if (status == GWS_OK)
        status = gws_device_write(tasks->buffer[gws__task_count], at, tasks->count + first, bytes, where);
    return status == GWS_OK ? gws_device_write(tasks->buffer[gws__task_next], at, tasks->next + first, bytes, where)
                            : status;
}

/* ---- from the device ---- */

/* Moves the tasks of blocks begin .. end - 1, at most a stretch, to the host's memory. */
static gws_status empty_blocks(struct gws_device_tasks *tasks, uint32_t begin, uint32_t end, uint32_t *memory,
                               struct gws_diagnostic *where)
{
    gws_status status = gws_device_read(tasks->buffer[gws__task_block], begin * block_bytes(tasks), memory,
                                        (end - begin) * block_bytes(tasks), where);
    for (uint32_t b = begin; b < end && status == GWS_OK; b++) {
        status = add_block(tasks, memory + (b - begin) * block_bytes(tasks) / sizeof *memory, tasks->count[b]);
        if (status != GWS_OK) return gws_diagnostic_status(where, status);
        tasks->count[b] = 0;
    }
    return status;
}

/* Moves tasks of blocks begin .. end - 1 until at most `max` of them are full. */
static gws_status empty_until(struct gws_device_tasks *tasks, uint32_t begin, uint32_t end, uint32_t max,
                              struct gws_diagnostic *where)
{
    uint32_t *memory = gws_allocate(tasks->runtime, stretch, block_bytes(tasks));
    gws_status status = memory ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
    for (uint32_t b = begin; b < end && status == GWS_OK && full_blocks(tasks, b, end) > max;) {
        uint32_t last = end - b < stretch ? end : b + stretch;
        status = empty_blocks(tasks, b, last, memory, where);
        b = last;
    }
    gws_release(tasks->runtime, memory, stretch, block_bytes(tasks));
    return status;
}

gws_status gws__task_blocks_download(struct gws_device_tasks *tasks, uint64_t *spilled, struct gws_diagnostic *where)
{
    uint64_t flags = tasks->control[TASK_ACTIVE];
    tasks->resumes = flags & TASK_PAUSED;
    if (!tasks->resumes) memset(tasks->count, 0, tasks->blocks * sizeof *tasks->count);
    if (!tasks->resumes) return GWS_OK;
    gws_status status =
        gws_device_read(tasks->buffer[gws__task_count], 0, tasks->count, tasks->blocks * sizeof *tasks->count, where);
    if (status == GWS_OK) status = empty_until(tasks, 0, tasks->own, 0, where);
    uint64_t before = tasks->waits;
    if (status == GWS_OK && flags & TASK_SHORT) status = empty_until(tasks, tasks->own, tasks->shared, 0, where);
    if (status == GWS_OK && flags & TASK_SHORT)
        status = empty_until(tasks, tasks->shared, tasks->blocks, (tasks->blocks - tasks->shared) / 2, where);
    *spilled += tasks->waits - before;
    return status;
}

/* ---- to another side ---- */

/* Moves `count` of the waiting tasks, spread evenly, to given. */
static void extract(struct gws_device_tasks *tasks, uint64_t count, uint32_t *given, uint32_t stride)
{
    const uint64_t entry = entry_of(tasks), all = tasks->waits;
    uint64_t taken = 0;
    for (uint64_t i = 0; i < all; i++) {
        const bool leaves = (i + 1) * count / all > taken;
        uint32_t *to = leaves ? given + taken * stride : tasks->waiting + (i - taken) * entry;
        if (leaves || taken > 0) memcpy(to, tasks->waiting + i * entry, entry * sizeof *to);
        taken += leaves;
    }
    tasks->waits -= taken;
}

gws_status gws__task_blocks_give(struct gws_device_tasks *tasks, struct gws_diagnostic *where)
{
    const uint64_t count = gws__task_blocks_count(tasks) / 2;
    struct gws__task_pool *pool = tasks->side->pool;
    const uint64_t bytes = pool->entry * sizeof(uint32_t);
    gws_status status = GWS_OK;
    if (tasks->resumes && tasks->waits < count)
        status =
            empty_until(tasks, tasks->own, tasks->blocks, full_blocks(tasks, tasks->own, tasks->blocks) / 2, where);
    if (status != GWS_OK) return status;
    const uint64_t gives = count < tasks->waits ? count : tasks->waits;
    uint32_t *given = gws_allocate(tasks->runtime, gives, bytes);
    if (!given) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    memset(given, 0, gives * bytes); /* the word that aligns a task */
    extract(tasks, gives, given, pool->entry);
    status = gws__task_pool_give(pool, tasks->side, given, gives);
    gws_release(tasks->runtime, given, gives, bytes);
    return status == GWS_OK ? GWS_OK : gws_diagnostic_status(where, status);
}
