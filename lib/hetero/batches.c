/* SPDX-License-Identifier: MIT */
/* Batches of immediate tasks, which CPU workers hand off to a device (tasks.h).
 *
 * At any time a task is in exactly one place: a queue of the runtime, the CPU worker that runs it, the next batch, or
 * the device. The device does not steal. A worker that is about to run a task adds it to the next batch instead, as
 * long as the batch has capacity. Requests and grants are in host memory. Only start() and merge() cross the bus. The
 * next batch fills while the device runs the previous one.
 *
 * The worker that holds the flag `agent` is the agent. The agent polls the device, merges, launches, and sets the size
 * of the next batch. No worker waits for the flag.
 *
 * The device's batch size is guided (Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987). It is half of
 * the device's share of the remaining work. The last speeds of both sides determine the shares (autotune.h). If the
 * remaining work is unknown, batches grow until the device takes some milliseconds for a batch.
 *
 * Termination: no worker has a task when the runtime's queues are empty. The CPU then starts the tasks of the next
 * batch, whose children may go to the device. If the next batch is empty, the agent waits for the device, which spawns
 * no tasks for the CPU. */
#include "batches.h"

#include <string.h>

static const double gather_ms = 0.1;           /* an idle device waits this long for a batch to fill */
static const double short_ms = 2, long_ms = 8; /* a batch of unknown size grows below short_ms, shrinks above long_ms */
enum { min_share = 16, first_size = 64 };

/* ---- batch size ---- */

static uint64_t next_size(const struct gws__batch_sharing *sharing)
{
    const struct gws__batches *batches = sharing->batches;
    if (!batches->left) return sharing->size < batches->tasks ? sharing->size : batches->tasks;
    uint64_t left = batches->left(batches->context) - sharing->running;
    if (left < batches->min_work) return 0;
    uint64_t max = left - left / min_share, share = gws__share_first(&sharing->share, left);
    if (share < left / min_share) share = left / min_share;
    if (share > max) share = max;
    return share / 2 > batches->min_work ? share / 2 : batches->min_work;
}

/* Sets the work that the next batch still accepts. */
static void update_capacity(struct gws__batch_sharing *sharing)
{
    uint64_t size = sharing->status != GWS_OK || sharing->count == sharing->batches->tasks ? 0 : next_size(sharing);
    atomic_store_explicit(&sharing->capacity, size > sharing->work ? size - sharing->work : 0, memory_order_relaxed);
}

static void measure(struct gws__batch_sharing *sharing, double now)
{
    double ms = now - sharing->launched_ms;
    sharing->stats->device.busy_ms += ms;
    if (ms < short_ms) sharing->size *= 2;
    if (ms > long_ms && sharing->size > 1) sharing->size /= 2;
    if (!sharing->batches->left) return;
    uint64_t left = sharing->batches->left(sharing->batches->context), done = sharing->left_at_launch - left;
    gws__share_add(&sharing->share, 0, sharing->running, ms * 1e6);
    gws__share_add(&sharing->share, 1, done > sharing->running ? done - sharing->running : 0, ms * 1e6);
}

/* ---- the agent ---- */

void gws__batches_keep_error(struct gws__batch_sharing *sharing, gws_status status)
{
    if (sharing->status == GWS_OK) sharing->status = status;
    if (status != GWS_OK) atomic_store_explicit(&sharing->failed, true, memory_order_relaxed);
}

void gws__batches_launch(struct gws__batch_sharing *sharing)
{
    const struct gws__batches *batches = sharing->batches;
    struct gws_side_stats *device = &sharing->stats->device;
    sharing->launched_ms = gws_clock_ms();
    sharing->left_at_launch = batches->left ? batches->left(batches->context) : 0;
    sharing->stats->launches++;
    device->steals++;
    device->stolen_from_cpu += sharing->count;
    gws__batches_keep_error(sharing, batches->start(batches->context, sharing->task, sharing->count, sharing->where));
    sharing->busy = sharing->status == GWS_OK;
    sharing->running = sharing->work;
    sharing->count = 0;
    sharing->work = 0;
}

void gws__batches_merge(struct gws__batch_sharing *sharing, struct gws_task_worker *self)
{
    bool again = false;
    gws__batches_keep_error(sharing, sharing->batches->merge(sharing->batches->context, self, &again, sharing->where));
    sharing->busy = again && sharing->status == GWS_OK;
    if (sharing->busy) return;
    sharing->idle_ms = gws_clock_ms();
    if (sharing->status == GWS_OK) measure(sharing, sharing->idle_ms);
    sharing->running = 0;
}

void gws__batches_poll(struct gws__batch_sharing *sharing, struct gws_task_worker *self)
{
    bool done = false;
    if (sharing->busy) {
        gws__batches_keep_error(sharing, gws_device_poll(sharing->device, &done, sharing->where));
        if (done && sharing->status == GWS_OK) gws__batches_merge(sharing, self);
    }
    if (sharing->busy || sharing->status != GWS_OK) return;
    bool full = sharing->count == sharing->batches->tasks || sharing->work >= next_size(sharing);
    if (sharing->count > 0 && (full || gws_clock_ms() > sharing->idle_ms + gather_ms)) gws__batches_launch(sharing);
}

/* ---- the CPU's workers ---- */

/* Returns whether the next batch accepts a task with this work. The work must fit into the remaining capacity, and
 * `tasks` such tasks must fill the batch. */
static bool fits(const struct gws__batch_sharing *sharing, uint64_t work)
{
    uint64_t capacity = atomic_load_explicit(&sharing->capacity, memory_order_relaxed);
    return work > 0 && work <= capacity && work * sharing->batches->tasks >= capacity;
}

/* Adds the task to the next batch if the batch accepts it. Returns whether it does. */
static bool give(struct gws__batch_sharing *sharing, struct gws_task_worker *self, const uint64_t *task)
{
    if (atomic_load_explicit(&sharing->withheld, memory_order_relaxed) > 0 &&
        atomic_fetch_sub_explicit(&sharing->withheld, 1, memory_order_relaxed) > 0)
        return false;
    uint64_t work = sharing->batches->work(sharing->batches->context, task);
    if (!fits(sharing, work) && work < sharing->batches->min_work) return false;
    if (!gws__batches_become_agent(sharing)) return false;
    gws__batches_poll(sharing, self);
    update_capacity(sharing);
    bool given = fits(sharing, work);
    if (given) {
        memcpy(sharing->task + (uint64_t)sharing->count++ * sharing->words, task, sharing->words * sizeof *task);
        sharing->work += work;
        sharing->given++;
        gws__batches_poll(sharing, self);
        update_capacity(sharing);
    }
    gws__batches_resign(sharing);
    return given;
}

void gws__batches_run_task(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                           uint32_t count)
{
    struct gws__batch_sharing *sharing = context;
    const struct gws_tasks *cpu = &sharing->batches->cpu;
    (void)count;
    if (atomic_load_explicit(&sharing->failed, memory_order_relaxed)) return;
    if (!give(sharing, sharing->batches->ranks ? self : NULL, task)) cpu->run(cpu->context, self, worker, task, 1);
}

/* ---- running ---- */

static gws_status run_cpu(struct gws__batch_sharing *sharing, struct gws_runtime *runtime, const void *root,
                          uint64_t roots)
{
    struct gws_tasks tasks = sharing->batches->cpu;
    tasks.root = root;
    tasks.roots = roots;
    tasks.batch = 1;
    tasks.run = gws__batches_run_task;
    tasks.context = sharing;
    return gws__tasks_run(runtime, &tasks, &gws__task_queue_chaselev);
}

/* Runs the CPU from the first tasks. Whenever the queues are empty, the CPU restarts with the tasks of the next batch.
 * It withholds as many tasks from the device, so each round makes progress. */
static void run_rounds(struct gws__batch_sharing *sharing, struct gws_runtime *runtime)
{
    const struct gws_tasks *cpu = &sharing->batches->cpu;
    gws__batches_keep_error(sharing, run_cpu(sharing, runtime, cpu->root, cpu->roots));
    while (sharing->busy || (sharing->count > 0 && sharing->status == GWS_OK)) {
        uint32_t count = sharing->count;
        if (count > 0 && sharing->status == GWS_OK) {
            sharing->count = 0;
            sharing->work = 0;
            atomic_store_explicit(&sharing->withheld, count, memory_order_relaxed);
            gws__batches_keep_error(
                sharing, run_cpu(sharing, runtime, sharing->task, count)); /* run_cpu() copies the tasks first */
        } else {
            gws__batches_keep_error(
                sharing, gws_device_wait(sharing->device, sharing->status == GWS_OK ? sharing->where : NULL));
            if (sharing->status == GWS_OK)
                gws__batches_merge(sharing, NULL);
            else
                sharing->busy = false;
        }
    }
}

/* Adds the statistics of the runtime's workers, multiplied by sign. stats: an entry for each worker. */
static void add_workers(struct gws_runtime *runtime, struct gws_worker_stats *stats, struct gws_side_stats *cpu,
                        int sign)
{
    gws_runtime_stats(runtime, stats);
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) {
        cpu->made += (uint64_t)sign * stats[w].made;
        cpu->run += (uint64_t)sign * stats[w].tasks;
        cpu->stolen_from_cpu += (uint64_t)sign * stats[w].stolen;
        cpu->steals += (uint64_t)sign * stats[w].steals;
        cpu->failed += (uint64_t)sign * (stats[w].failed_steals + stats[w].aborted_steals);
        cpu->busy_ms += sign * stats[w].busy_ms;
    }
}

gws_status gws__batches_run(struct gws_runtime *runtime, struct gws_device *device, const struct gws__batches *batches,
                            struct gws__batch_stats *stats, struct gws_diagnostic *where)
{
    struct gws__batch_sharing sharing = {.batches = batches,
                                         .runtime = runtime,
                                         .device = device,
                                         .stats = stats,
                                         .where = where,
                                         .words = (batches->cpu.bytes + 7) / 8,
                                         .agent = ATOMIC_FLAG_INIT,
                                         .size = first_size,
                                         .idle_ms = gws_clock_ms()};
    struct gws_worker_stats *workers = gws_allocate(runtime, gws_runtime_workers(runtime), sizeof *workers);
    *stats = (struct gws__batch_stats){0};
    sharing.task = gws_allocate(runtime, (uint64_t)batches->tasks * sharing.words, sizeof *sharing.task);
    sharing.status = sharing.task && workers ? GWS_OK : GWS_NO_MEMORY;
    if (sharing.status == GWS_OK) {
        add_workers(runtime, workers, &stats->cpu, -1);
        update_capacity(&sharing);
    }
    if (batches->ranks)
        sharing.status = gws__batches_run_on_ranks(&sharing); /* also after an error, which the other ranks must know */
    else if (sharing.status == GWS_OK)
        run_rounds(&sharing, runtime);
    gws_status status = sharing.status;
    if (status == GWS_OK) add_workers(runtime, workers, &stats->cpu, 1);
    stats->cpu.run -= status == GWS_OK ? sharing.given : 0; /* the runtime counts these tasks, too */
    stats->cpu.made += batches->cpu.roots;
    gws_release(runtime, workers, gws_runtime_workers(runtime), sizeof *workers);
    gws_release(runtime, sharing.task, (uint64_t)batches->tasks * sharing.words, sizeof *sharing.task);
    return status;
}
