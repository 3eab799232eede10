/* SPDX-License-Identifier: MIT */
/* Immediate tasks on several sides (task_pool.h). Each group of devices (task_group.h) has a host thread that takes
 * tasks from the pool, launches the kernels until the devices have no tasks, and gives tasks after a pause if another
 * side waits. The calling thread asks the cancel hook, and runs the CPU's side if there is one. On several ranks it
 * also exchanges tasks with other ranks (task_ranks.c). */
#include "task_sides.h"

#include <string.h>

#include "task_group.h"

enum { max_batch = 256 }; /* of gws_tasks.batch */

struct run {
    struct gws__task_pool pool;
    struct gws__cpu_side cpu;
    struct gws__task_device *device; /* an entry for each side */
    uint32_t count;
};

/* ---- a group's thread ---- */

/* Moves tasks from the pool to the waiting tasks of the devices. Returns their number, 0 when the run is over. */
static uint64_t take(struct gws__task_device *first, gws_status *status, struct gws_diagnostic *where)
{
    struct gws__task_pool *pool = first->side.pool;
    uint32_t *task = NULL;
    uint64_t count = gws__task_pool_take(pool, &first->side, &task);
    if (count > 0) *status = gws__task_group_add(first, task, count, pool->entry);
    if (*status != GWS_OK) (void)gws_diagnostic_status(where, *status);
    gws_release(pool->runtime, task, count, pool->entry * sizeof *task);
    return count;
}

static gws_status run_taken(struct gws__task_device *first, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    bool gives = false;
    while (status == GWS_OK && gws__task_group_left(first)) {
        status = gws__task_group_launch(first, &gives, where);
        if (status == GWS_OK && gives) status = gws__task_group_give(first, where);
    }
    return status;
}

static void *drive(void *context)
{
    struct gws__task_device *first = context;
    struct gws_diagnostic where = {0};
    gws_status status = GWS_OK;
    struct gws__task_device *device = first;
    do {
        status = gws__device_tasks_begin(device->from->tasks, &device->result, &where);
    } while (status == GWS_OK && (device = device->next));
    while (status == GWS_OK && take(first, &status, &where) > 0 && status == GWS_OK) status = run_taken(first, &where);
    const bool failed = gws__task_pool_status(first->side.pool) != GWS_OK;
    for (device = first; device && !failed && status == GWS_OK; device = device->next)
        status = gws__device_tasks_end(device->from->tasks, &device->result, &where);
    if (status != GWS_OK) gws__task_pool_end(first->side.pool, status, &where);
    return NULL;
}

/* ---- the run ---- */

gws_status gws__task_sides_check(const struct gws_device_task_side *side, uint32_t count)
{
    uint32_t devices = 0, cpus = 0;
    const struct gws_device_tasks *first = NULL;
    if (count > GWS_DEVICE_TASK_SIDES) return GWS_INVALID;
    for (uint32_t i = 0; i < count; i++) {
        const struct gws_device_tasks *tasks = side[i].tasks;
        if (!first) first = tasks;
        if (tasks && tasks->length != first->length) return GWS_INVALID;
        if (!tasks && (!side[i].run || side[i].batch > max_batch)) return GWS_INVALID;
        for (uint32_t k = 0; k < i; k++)
            if (tasks && side[k].tasks == tasks) return GWS_INVALID;
        devices += tasks != NULL;
        cpus += tasks == NULL;
    }
    return devices > 0 && cpus <= 1 ? GWS_OK : GWS_INVALID;
}

/* Adds a device to the first group that admits it, or makes a group of it. */
static void join_device(struct run *run, struct gws__task_device *device)
{
    struct gws_device_tasks *tasks = device->from->tasks;
    struct gws__task_device *first = run->device;
    while (first != device && !(first->is_first && gws__task_group_admits(first, device))) first++;
    first->side.wants += (uint64_t)tasks->workers * TASK_BLOCK;
    device->is_first = first == device;
    tasks->side = &device->side;
    if (device->is_first) {
        device->side.stop = tasks->stop.word;
        gws__task_pool_join(&run->pool, &device->side);
        return;
    }
    gws__task_pool_follow(&run->pool, &device->side);
    while (first->next) first = first->next;
    first->next = device;
}

static void join_workers(struct run *run, uint64_t wants)
{
    run->cpu.side.polls = true;
    run->cpu.side.yields = !run->cpu.from;
    run->cpu.side.wants = wants;
    if (run->pool.remote)
        gws__task_pool_follow(&run->pool, &run->cpu.side); /* it visits */
    else
        gws__task_pool_join(&run->pool, &run->cpu.side);
}

static void join(struct run *run, const struct gws_device_task_side *from, struct gws__task_device *device,
                 uint32_t length)
{
    if (from->tasks) {
        device->from = from;
        join_device(run, device);
        return;
    }
    run->cpu.from = from;
    run->cpu.length = length;
    join_workers(run, (uint64_t)gws_runtime_workers(run->pool.runtime) * (from->batch + UINT64_C(1)));
}

/* Adds the first tasks to the pool. */
static gws_status add_roots(struct run *run, const struct gws_device_task_roots *roots, uint32_t length)
{
    gws_status status = GWS_OK;
    uint32_t task[GWS_DEVICE_TASK_WORDS + TASK_RANGE] = {0};
    for (uint64_t i = 0; i < roots->count && status == GWS_OK; i++) {
        memcpy(task, roots->task + i * (length + 1), (length + 1) * sizeof *task);
        status = gws__task_pool_give(&run->pool, NULL, task, 1);
    }
    return status;
}

static void run_all(struct run *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        struct gws__task_device *device = &run->device[i];
        if (!device->is_first) continue;
        device->started = pthread_create(&device->thread, NULL, drive, device) == 0;
        if (!device->started) gws__task_pool_end(&run->pool, GWS_SYSTEM, NULL);
    }
    if (run->cpu.from || run->pool.remote)
        gws__cpu_side_run(&run->cpu);
    else
        gws__task_pool_watch(&run->pool);
    for (uint32_t i = 0; i < run->count; i++)
        if (run->device[i].started) (void)pthread_join(run->device[i].thread, NULL);
}

static void write_result(const struct run *run, struct gws_device_task_side_result *result)
{
    for (uint32_t i = 0; i < run->count; i++) {
        const struct gws__task_device *device = &run->device[i];
        const struct gws__task_side *side = device->from ? &device->side : &run->cpu.side;
        result[i] = (struct gws_device_task_side_result){.created = device->result.created,
                                                         .parents = device->result.parents,
                                                         .taken = side->taken,
                                                         .takes = side->takes,
                                                         .given = side->given,
                                                         .gives = side->gives,
                                                         .requests = side->requests,
                                                         .idle_ms = side->idle_ms,
                                                         .device = device->result};
        memcpy(result[i].from, side->from, sizeof side->from);
        if (!device->from) gws__cpu_side_result(&run->cpu, &result[i]);
    }
}

/* Opens the sides, runs them, and closes them. */
static gws_status run_sides(struct run *run, const struct gws_device_task_roots *roots,
                            const struct gws_device_task_side *side, uint32_t length, struct gws_diagnostic *where)
{
    gws_status status = gws__cpu_side_open(&run->cpu, run->pool.runtime);
    for (uint32_t i = 0; i < run->count && status == GWS_OK; i++) join(run, &side[i], &run->device[i], length);
    if (run->pool.remote && !run->cpu.from) join_workers(run, 1);
    if (status == GWS_OK) status = add_roots(run, roots, length);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    for (uint32_t i = 0; i < run->count && status == GWS_OK; i++)
        if (run->device[i].is_first) status = gws__task_group_connect(&run->device[i], where);
    if (status != GWS_OK) return status;
    run_all(run);
    for (uint32_t i = 0; i < run->count; i++)
        if (run->device[i].is_first) gws__task_group_count(&run->device[i]);
    if (run->pool.status == GWS_OK) return GWS_OK;
    if (*run->pool.where.message == '\0') return gws_diagnostic_status(where, run->pool.status);
    if (where) *where = run->pool.where;
    return run->pool.status;
}

/* A single device needs no pool. */
static gws_status run_alone(const struct gws_device_task_roots *roots, const struct gws_device_task_side *side,
                            struct gws_device_task_side_result *result, struct gws_diagnostic *where)
{
    struct gws_device_task_roots all = *roots;
    struct gws_device_tasks_result found;
    all.data = side->data;
    all.more = side->more;
    gws_status status = gws_device_tasks_run(side->tasks, &all, &found, where);
    if (status == GWS_OK)
        *result =
            (struct gws_device_task_side_result){.created = found.created, .parents = found.parents, .device = found};
    return status;
}

gws_status gws__task_sides_run(void *context, const struct gws__peers *peers)
{
    const struct gws__sides_call *call = context;
    struct run run = {.count = call->count, .cpu.ranks = peers};
    gws_status status = gws__task_pool_open(&run.pool, call->runtime, call->length + TASK_RANGE);
    if (status != GWS_OK) return gws_diagnostic_status(call->where, status);
    run.pool.remote = peers != NULL;
    run.device = gws_allocate(call->runtime, call->count, sizeof *run.device);
    status = run.device ? GWS_OK : gws_diagnostic_status(call->where, GWS_NO_MEMORY);
    if (status == GWS_OK) memset(run.device, 0, call->count * sizeof *run.device);
    if (status == GWS_OK) status = run_sides(&run, call->roots, call->side, call->length, call->where);
    if (status == GWS_OK) write_result(&run, call->result);
    for (uint32_t i = 0; i < call->count; i++)
        if (call->side[i].tasks) call->side[i].tasks->side = NULL, call->side[i].tasks->peers = 0;
    gws__cpu_side_close(&run.cpu, call->runtime);
    gws_release(call->runtime, run.device, call->count, sizeof *run.device);
    gws__task_pool_close(&run.pool);
    return status;
}

static gws_status device_tasks_run_sides(const struct gws__sides_call *given, struct gws_diagnostic *where)
{
    struct gws__sides_call call = *given;
    gws_status status = gws__task_sides_check(call.side, call.count);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (call.count == 1) return run_alone(call.roots, call.side, call.result, where);
    call.length = (call.side->tasks ? call.side : call.side + 1)->tasks->length;
    call.where = where;
    return gws__task_sides_run(&call, NULL);
}

gws_status gws_device_tasks_run_sides(struct gws_runtime *runtime, const struct gws_device_task_roots *roots,
                                      const struct gws_device_task_side *side, uint32_t count,
                                      struct gws_device_task_side_result *result, struct gws_diagnostic *where)
{
    const struct gws__sides_call call = {
        .runtime = runtime, .roots = roots, .side = side, .count = count, .result = result};
    return GWS_CALL(runtime, where, device_tasks_run_sides(&call, where));
}
