/* SPDX-License-Identifier: MIT */
/* Tests the kernel of immediate tasks (kernels/task/task.cl) with groups as threads, in C11 with workers of one item
 * and in C++ with emulated warps. The including file has included a portability header and defines
 *
 *     launch(run, groups)   runs the kernel run->call() in that many groups
 *     EMULATED_GROUP        the number of the calling thread's group
 *     PER_GROUP             workers of a group
 *     fail(...)             reports an error as printf() does, and ends the program
 *
 * A task is a range of numbers. Its children are parts of the range, of which there are 2 to 9, or one for each number.
 * A child of one number is a leaf, which marks the number. So each number must have one mark. */
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#include "../../kernels/hetero/trace_words.h"
#include "../../kernels/hetero/trace.cl"
#include "../../kernels/task/task_words.h"
#include "../../kernels/queue/deque_words.h"
#include "../../kernels/queue/deque_chunked.cl"
#include "../../kernels/task/task.h"
/* clang-format on */

#define TASK_LENGTH 2u

static u32 devices_of_run;
static u32 groups_of_device; /* the groups of the second device follow those of the first, and so on */
#undef group_id
#undef group_count
#define group_id() (EMULATED_GROUP % groups_of_device)
#define group_count() groups_of_device

static u32 wide; /* a range of so many numbers, at least 2, has a part for each; 0: none has */

static u32 parts_of(u32 begin, u32 end)
{
    if (wide > 0 && end - begin == wide) return wide;
    u32 parts = 2 + (begin * 2654435761u + end) % 8;
    return end - begin < 2 ? 0 : parts < end - begin ? parts : end - begin;
}

static u32 part_begin(u32 begin, u32 end, u32 i)
{
    u32 parts = parts_of(begin, end);
    bool is_skewed = (begin ^ end) % 3 > 0; /* the last part is then the longest */
    return is_skewed && i < parts ? begin + i : begin + (u32)((u64)(end - begin) * i / parts);
}

device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)
{
    if (devices_of_run > 1 && parent[0] % 64 == 0) spin_pause(); /* all devices run, however few cores there are */
    child[0] = part_begin(parent[0], parent[1], i);
    child[1] = part_begin(parent[0], parent[1], i + 1);
    u32 parts = parts_of(child[0], child[1]);
    if (parts == 0) {
        (void)word_add(&s->data[child[0]], 1u);
        task_add(s, 0, child[0]);
    }
    task_max(s, 1, child[1] - child[0]);
    return parts;
}

/* clang-format off */
#include "../../kernels/task/wide.h"
#include "../../kernels/task/blocks.cl"
#include "../../kernels/task/stack.cl"
#include "../../kernels/task/publish.cl"
#include "../../kernels/task/across.cl"
#include "../../kernels/task/task.cl"
/* clang-format on */

enum { words = TASK_BLOCK * TASK_ENTRY, deque_slots = 3 };

/* A run with its memory. */
struct task_run {
    u32 groups, workers, numbers, shared, blocks, chunk;
    u64 *peers; /* NULL: none */
    u64 slice;
    atom64 *deques, *control;
    u32 *block, *data;
    atom32 *count, *next;
    u64 *stats;
    struct gws__trace_log *trace; /* NULL: none */
    host32 stop;
    u32 *waiting; /* tasks in the host's memory */
    u32 waits, launches, pauses;
};

static struct task_run *the_run; /* of each device */

static void call(void)
{
    struct task_run *r = the_run + EMULATED_GROUP / groups_of_device;
    if (r->peers)
        task_run_peers(r->deques, r->control, r->block, r->count, r->next, r->stats, r->data, NULL, &r->stop,
                       r->workers, deque_slots, r->chunk, r->slice, r->trace, r->peers);
    else
        task_run(r->deques, r->control, r->block, r->count, r->next, r->stats, r->data, NULL, &r->stop, r->workers,
                 deque_slots, r->chunk, r->slice, r->trace);
}

static void wait_in_host(struct task_run *r, const u32 *block, u32 task)
{
    for (u32 k = 0; k < TASK_ENTRY; k++) r->waiting[r->waits * TASK_ENTRY + k] = block[k * TASK_BLOCK + task];
    r->waits++;
}

/* Moves all tasks to the host's memory, in an order that differs from the deques'. */
static void collect(struct task_run *r)
{
    u32 before = r->waits;
    for (u32 b = 0; b < r->blocks; b++) {
        u32 count = atom_load(&r->count[b], order_relaxed);
        for (u32 i = 0; i < count; i++) wait_in_host(r, r->block + (u64)b * words, i);
        atom_store(&r->count[b], 0, order_relaxed);
    }
    if (r->waits > before && !(atom_load(&r->control[TASK_ACTIVE], order_relaxed) & TASK_PAUSED))
        fail("the kernel ended, and %u tasks are left\n", r->waits - before);
}

/* Moves tasks to a block. Returns their number. */
static u32 fill(struct task_run *r, u32 *block)
{
    u32 count = r->waits < TASK_BLOCK ? r->waits : TASK_BLOCK;
    for (u32 i = 0; i < count; i++) {
        r->waits--;
        for (u32 k = 0; k < TASK_ENTRY; k++) block[k * TASK_BLOCK + i] = r->waiting[r->waits * TASK_ENTRY + k];
    }
    return count;
}

/* Fills up to half of the shared blocks, and makes the lists. */
static void refill(struct task_run *r)
{
    u32 full = 0, unused = 0, half = (r->blocks - r->shared + 1) / 2;
    for (u32 b = r->shared; b < r->blocks; b++) {
        u32 count = half > 0 ? fill(r, r->block + (u64)b * words) : 0, *list = count > 0 ? &full : &unused;
        half -= count > 0;
        atom_store(&r->count[b], count, order_relaxed);
        atom_store(&r->next[b], *list, order_relaxed);
        *list = b + 1;
    }
    atom_store(&r->control[TASK_FULL], (u64)full, order_relaxed);
    atom_store(&r->control[TASK_FREE], (u64)unused, order_relaxed);
    atom_store(&r->control[TASK_ACTIVE], (u64)0, order_relaxed);
    memset((void *)r->deques, 0, r->workers * (DEQUE_HEAD + deque_slots * TASK_WORDS + 1) * sizeof(u64));
}

static void make_run(struct task_run *r, u32 groups, u32 numbers, u32 blocks)
{
    memset((void *)r, 0, sizeof *r);
    r->groups = groups;
    r->workers = groups * PER_GROUP;
    r->numbers = numbers;
    r->shared = r->workers * (TASK_RESERVE + TASK_OWN);
    r->blocks = r->shared + blocks;
    r->chunk = 2;
    r->slice = ~(u64)0;
    r->deques = (atom64 *)calloc(r->workers * (DEQUE_HEAD + deque_slots * TASK_WORDS + 1), sizeof(u64));
    r->control = (atom64 *)calloc(TASK_CONTROL_WORDS, sizeof(u64));
    r->block = (u32 *)calloc((u64)r->blocks * words, sizeof(u32));
    r->count = (atom32 *)calloc(r->blocks, sizeof(u32));
    r->next = (atom32 *)calloc(r->blocks, sizeof(u32));
    r->stats = (u64 *)calloc(r->workers * TASK_STATS_STRIDE, sizeof(u64));
    r->data = (u32 *)calloc(numbers, sizeof(u32));
    r->waiting = (u32 *)calloc((u64)numbers * TASK_ENTRY, sizeof(u32));
    r->waiting[1] = numbers;
    r->waiting[TASK_END] = parts_of(0, numbers);
    r->waits = 1;
}

static void free_run(struct task_run *r)
{
    void *const all[] = {(void *)r->deques, (void *)r->control, (void *)r->count, (void *)r->next,
                         r->block,          r->stats,           r->data,          r->waiting};
    for (u32 i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static void launch_devices(struct task_run *r, u32 devices)
{
    the_run = r;
    groups_of_device = r->groups;
    devices_of_run = devices;
    for (u32 d = 0; d < devices; d++) refill(&r[d]);
    atom_store(&r->control[TASK_OPEN], (u64)devices, order_relaxed);
    launch(call, r->groups * devices);
    r->launches++;
    r->pauses += (atom_load(&r->control[TASK_ACTIVE], order_relaxed) & TASK_PAUSED) > 0;
}

/* Launches the kernels of devices until no task is left. */
static void finish_runs(struct task_run *r, u32 devices)
{
    for (u32 left = 1; left > 0;) {
        launch_devices(r, devices);
        left = 0;
        for (u32 d = 0; d < devices; d++) {
            collect(&r[d]);
            left += r[d].waits;
        }
    }
}

static void finish_run(struct task_run *r)
{
    finish_runs(r, 1);
}

static u64 sum_of(const struct task_run *r, u32 which)
{
    u64 sum = 0;
    for (u32 w = 0; w < r->workers; w++) sum += r->stats[w * TASK_STATS_STRIDE + which];
    return sum;
}

/* Counts the parents and the longest part below a range. */
static u64 parents_below(u32 begin, u32 end, u32 *longest)
{
    u64 parents = 0;
    for (u32 i = 0; i < parts_of(begin, end); i++) {
        u32 from = part_begin(begin, end, i), to = part_begin(begin, end, i + 1);
        if (to - from > *longest) *longest = to - from;
        if (parts_of(from, to) > 0) parents += 1 + parents_below(from, to, longest);
    }
    return parents;
}

static void judge(const struct task_run *r)
{
    u32 longest = 0;
    u64 parents = parents_below(0, r->numbers, &longest), numbers = r->numbers;
    for (u32 i = 0; i < r->numbers; i++)
        if (r->data[i] != 1) fail("leaf %u ran %u times, with %u groups\n", i, r->data[i], r->groups);
    if (sum_of(r, TASK_STATS_PARENTS) != parents || sum_of(r, TASK_STATS_MADE) != parents + numbers)
        fail("wrong counts of tasks\n");
    if (atom_load(&r->control[TASK_SUM], order_relaxed) != numbers * (numbers - 1) / 2) fail("wrong sum\n");
    if (atom_load(&r->control[TASK_MAX + 1], order_relaxed) != longest) fail("wrong maximum\n");
    if (atom_load(&r->control[TASK_MAX], order_relaxed) != 0) fail("wrong unused maximum\n");
}

/* Checks the events of a run. The end of the launch lies behind a log that is full. */
static void judge_trace(const struct task_run *r)
{
    const struct gws__trace_log *log = r->trace;
    const u32 count = log->count <= log->capacity ? log->count : log->capacity + 1;
    u32 seen[GWS_TRACE_IDLE + 1] = {0};
    for (u32 i = 0; i < count; i++) {
        const struct gws__trace_event *event = &log->event[i];
        seen[event->kind]++;
        if (event->group >= r->workers) fail("an event of worker %u\n", event->group);
        if (event->kind != GWS_TRACE_STEAL) continue;
        if (event->first == event->group || (event->first >= r->workers && event->first != NO_BLOCK))
            fail("worker %u stole from %u\n", event->group, event->first);
        if (event->second == 0) fail("a steal of no task\n");
    }
    if (seen[GWS_TRACE_END] != 1) fail("%u ends\n", seen[GWS_TRACE_END]);
    if (log->count > log->capacity) return;
    if (seen[GWS_TRACE_BEGIN] != 1) fail("%u begins\n", seen[GWS_TRACE_BEGIN]);
    if (seen[GWS_TRACE_STEAL] != sum_of(r, TASK_STATS_STEALS)) fail("%u steals are logged\n", seen[GWS_TRACE_STEAL]);
    if (seen[GWS_TRACE_IDLE] < seen[GWS_TRACE_STEAL]) fail("%u idle spans\n", seen[GWS_TRACE_IDLE]);
}

/* A run with plenty of blocks, and a log that is short if there are two groups. Returns the number of stolen blocks. */
static u64 check_run(u32 groups, u32 numbers)
{
    const u32 capacity = groups == 2 ? 2 : 1 << 12;
    struct task_run r;
    make_run(&r, groups, numbers, numbers);
    r.trace = (struct gws__trace_log *)calloc(1, sizeof *r.trace + capacity * sizeof *r.trace->event);
    r.trace->capacity = capacity;
    finish_run(&r);
    judge(&r);
    judge_trace(&r);
    free(r.trace);
    if (r.launches != 1) fail("%u launches\n", r.launches);
    u64 stolen = sum_of(&r, TASK_STATS_STOLEN);
    free_run(&r);
    return stolen;
}

/* A run of a task with a child for each number. No block has a whole task for a thief. */
static u64 check_wide(u32 groups, u32 numbers)
{
    wide = numbers;
    u64 stolen = check_run(groups, numbers);
    wide = 0;
    return stolen;
}

/* A run without stealing. Only a worker with a full deque gives blocks away, so one worker alone runs few tasks. */
static void check_static(u32 groups, u32 numbers, bool few)
{
    struct task_run r;
    make_run(&r, groups, numbers, numbers);
    r.chunk = 0;
    finish_run(&r);
    judge(&r);
    u32 working = 0;
    for (u32 w = 0; w < r.workers; w++) working += r.stats[w * TASK_STATS_STRIDE + TASK_STATS_MADE] > 0;
    if (few && working != 1) fail("%u workers had tasks\n", working);
    free_run(&r);
}

/* A run with few blocks, which must pause for want of blocks. */
static void check_short_of_blocks(u32 groups, u32 numbers, u32 blocks)
{
    struct task_run r;
    make_run(&r, groups, numbers, blocks);
    finish_run(&r);
    judge(&r);
    if (r.pauses == 0) fail("no pause with %u blocks\n", blocks);
    free_run(&r);
}

/* A run whose clock, or whose host, ends each launch as soon as worker 0 polls it. */
static void check_slices(u32 groups, u32 numbers, bool by_host)
{
    struct task_run r;
    make_run(&r, groups, numbers, numbers);
    if (by_host)
        host_store(&r.stop, TASK_STOP_PAUSE, order_relaxed);
    else
        r.slice = 0;
    finish_run(&r);
    judge(&r);
    if (r.pauses == 0) fail("no pause\n");
    free_run(&r);
}

/* A cancelled run ends with tasks left. */
static void check_cancelled(u32 groups, u32 numbers)
{
    struct task_run r;
    make_run(&r, groups, numbers, numbers);
    host_store(&r.stop, TASK_STOP_NOW, order_relaxed);
    launch_devices(&r, 1);
    bool cancelled = atom_load(&r.control[TASK_ACTIVE], order_relaxed) & TASK_CANCELLED;
    bool ended = sum_of(&r, TASK_STATS_MADE) >= numbers; /* before worker 0 began */
    if (!(cancelled || ended) || (groups == 1 && ended)) fail("cancelled: %d, ended: %d\n", cancelled, ended);
    free_run(&r);
}
