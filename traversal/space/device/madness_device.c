/* SPDX-License-Identifier: MIT */
/* Implements the calls of madness_device.h for MADNESS trees on a device. The device runs until all boxes are done or
 * one of its lists is full. Then the host fetches the families, and the device continues with the remaining tasks. */
#include <string.h>

#include "../../../lib/hetero/tasks.h"
#include "../../../lib/poison.h"
#include "madness_device_state.h"

enum { max_groups = 60000, memory_share = 4, max_families = 1 << 18, max_batch = 4096 };
static const uint64_t max_bytes = UINT64_C(4) << 30;
static const double short_ms = 4, long_ms = 16; /* of a launch on ranks, with the copy of its families */

gws_status gws__madness_device_reserve(struct gws_madness_device *builder, uint32_t which, uint64_t bytes,
                                       struct gws_diagnostic *where)
{
    struct gws_device_buffer **buffer = &builder->buffer[which];
    if (*buffer && gws_device_buffer_bytes(*buffer) >= bytes) return GWS_OK;
    gws_device_buffer_free(*buffer);
    *buffer = NULL;
    return gws_device_buffer_new(builder->device, bytes, buffer, where);
}

/* ---- opening ---- */

static gws_status check_options(const struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const struct gws_madness_device_options *options = &builder->options;
    const struct gws_device_info *info = gws_device_describe(builder->device);
    const char *wrong = NULL;
    if (builder->order == 0 || builder->order > GWS_MADNESS_ORDER) wrong = "the order is not 1 to 30";
    if (options->groups > max_groups) wrong = "there are more than 60000 groups";
    if (options->group_size > MADNESS_MAX_GROUP || options->group_size > info->max_group_size)
        wrong = "the group size exceeds 512 items or the device's limit";
    if (info->type == GWS_DEVICE_CPU && options->group_size > MADNESS_MAX_SERIAL)
        wrong = "the group size exceeds 8 items, above which the compiler of a CPU device runs out of memory";
    if (options->capacity > UINT32_MAX) wrong = "the family capacity exceeds 2^32 - 1";
    return wrong ? gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s", wrong) : GWS_OK;
}

/* Every group reserves a family before its first box. */
static uint64_t min_families(const struct gws_madness_device *builder)
{
    return UINT64_C(2) * builder->options.groups;
}

static gws_status choose_family_capacity(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const uint64_t each = builder->entries * sizeof(double);
    uint64_t left;
    gws_status status = gws_device_memory_left(builder->device, &left, where);
    if (status != GWS_OK) return status;
    const uint64_t max_buffer = gws_device_describe(builder->device)->max_buffer;
    uint64_t bytes = left / memory_share < max_bytes ? left / memory_share : max_bytes;
    if (bytes > max_buffer) bytes = max_buffer;
    builder->family_capacity = bytes / each < max_families ? bytes / each : max_families;
    if (builder->options.capacity) builder->family_capacity = builder->options.capacity;
    if (builder->family_capacity < min_families(builder)) builder->family_capacity = min_families(builder);
    return GWS_OK;
}

static gws_status open_lists(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const struct {
        uint32_t which;
        uint64_t bytes;
    } need[] = {
        {madness_control, MADNESS_CONTROL_WORDS * sizeof(uint32_t)},
        {madness_family, builder->family_capacity * MADNESS_FAMILY_WORDS * sizeof(uint32_t)},
        {madness_number, builder->family_capacity * MADNESS_FAMILY_NUMBERS * sizeof(double)},
        {madness_coefficient, builder->family_capacity * builder->entries * sizeof(double)},
        {madness_table, gws__madness_device_table_bytes(builder->order)},
        {madness_stats, builder->options.groups * MADNESS_STATS_WORDS * sizeof(uint64_t)},
    };
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof need / sizeof *need && status == GWS_OK; i++)
        status = gws__madness_device_reserve(builder, need[i].which, need[i].bytes, where);
    return status;
}

static gws_status open_builder(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    gws_status status = check_options(builder, where);
    if (status == GWS_OK) status = gws__madness_device_program(builder, where);
    if (status == GWS_OK) status = choose_family_capacity(builder, where);
    return status == GWS_OK ? open_lists(builder, where) : status;
}

static gws_status madness_device_open(struct gws_runtime *runtime, struct gws_device *device, uint32_t order,
                                      const struct gws_madness_device_options *options,
                                      struct gws_madness_device **builder, struct gws_diagnostic *where)
{
    struct gws_madness_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_madness_device){.runtime = runtime, .device = device, .order = order};
    made->entries = UINT64_C(8) * order * order * order;
    if (options) made->options = *options;
    gws_status status = open_builder(made, where);
    if (status == GWS_OK)
        *builder = made;
    else
        gws_madness_device_close(made);
    return status;
}

gws_status gws_madness_device_open(struct gws_runtime *runtime, struct gws_device *device, uint32_t order,
                                   const struct gws_madness_device_options *options,
                                   struct gws_madness_device **builder, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, madness_device_open(runtime, device, order, options, builder, where));
}

void gws_madness_device_close(struct gws_madness_device *builder)
{
    if (!builder) return;
    for (int i = 0; i < madness_buffers; i++) gws_device_buffer_free(builder->buffer[i]);
    if (builder->program) gws_device_program_free(builder->program);
    gws_release(builder->runtime, builder, 1, sizeof *builder);
}

/* ---- building ---- */

/* The problem is a valid one. */
static gws_status check_problem(const struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                struct gws_diagnostic *where)
{
    if (problem->order != builder->order || problem->kernel)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  problem->kernel ? "devices have no selectable kernels"
                                                  : "the builder has another order");
    if (problem->values != gws_madness_gaussian && problem->values != gws_madness_potential)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "devices support only Gaussians and potentials");
    return GWS_OK;
}

gws_status gws__madness_device_tasks(struct gws_madness_device *builder, uint64_t tasks, struct gws_diagnostic *where)
{
    gws_release(builder->runtime, builder->task, builder->allocated * MADNESS_TASK_WORDS, sizeof *builder->task);
    builder->task = gws_allocate(builder->runtime, tasks * MADNESS_TASK_WORDS, sizeof *builder->task);
    builder->tasks = builder->allocated = builder->task ? tasks : 0;
    return builder->task ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
}

static gws_status start(void *context, const void *tasks, uint32_t count, struct gws_diagnostic *where)
{
    struct gws_madness_device *builder = context;
    gws_status status = gws__madness_device_tasks(builder, count, where);
    for (uint32_t i = 0; i < count && status == GWS_OK; i++) {
        const struct gws__madness_task *task = gws__madness_task_at(tasks, i);
        uint32_t *word = builder->task + (uint64_t)MADNESS_TASK_WORDS * i;
        memset(word, 0, MADNESS_TASK_WORDS * sizeof *word);
        word[MADNESS_FUNCTION] = task->function;
        word[MADNESS_LEVEL] = task->level;
        memcpy(word + MADNESS_AT, task->at, sizeof task->at);
    }
    return status == GWS_OK ? gws__madness_device_launch(builder, where) : status;
}

/* Spawns the tasks that a launch has left, so that all ranks can steal them. The device made them in the order of their
 * levels, and thieves get the first ones, which have more below them. */
static void spawn_remaining(const struct gws_madness_device *builder, struct gws_task_worker *self)
{
    for (uint64_t i = 0; i < builder->tasks; i++) {
        const uint32_t *word = builder->task + MADNESS_TASK_WORDS * i;
        struct gws__madness_task *task = gws_spawn_reserve(self);
        *task = (struct gws__madness_task){.function = word[MADNESS_FUNCTION], .level = word[MADNESS_LEVEL]};
        memcpy(task->at, word + MADNESS_AT, sizeof task->at);
        gws_spawn_commit(self);
    }
}

/* Sets the capacity of the next launch: one that was full should take some milliseconds. */
static void adapt_slots(struct gws_madness_device *builder, double ms)
{
    if (ms < short_ms && 2 * builder->slots <= builder->family_capacity) builder->slots *= 2;
    if (ms > long_ms && builder->slots / 2 >= min_families(builder)) builder->slots /= 2;
}

static gws_status merge(void *context, struct gws_task_worker *self, bool *again, struct gws_diagnostic *where)
{
    struct gws_madness_device *builder = context;
    gws_status status = gws__madness_device_fetch(builder, again, where);
    if (status != GWS_OK || !*again) return status;
    if (!self) return gws__madness_device_launch(builder, where);
    adapt_slots(builder, gws_clock_ms() - builder->launched_ms);
    spawn_remaining(builder, self);
    *again = false;
    return GWS_OK;
}

static uint64_t work(const void *context, const void *task)
{
    (void)context;
    (void)task;
    return 1;
}

/* Runs the tasks on CPU workers and the device, or on the devices of ranks. The cost of a box is unknown before its
 * computation, so every task counts as one unit of work. */
static gws_status run_hybrid(void *context, const struct gws_tasks *tasks)
{
    struct gws_madness_device *builder = context;
    const struct gws__batches batches = {.cpu = *tasks,
                                         .tasks = max_batch,
                                         .min_work = 1,
                                         .context = builder,
                                         .work = work,
                                         .start = start,
                                         .merge = merge,
                                         .ranks = builder->ranks,
                                         .device_only = !builder->options.cpu,
                                         .at_once = builder->options.groups};
    struct gws__batch_stats stats;
    gws_status status = gws__batches_run(builder->runtime, builder->device, &batches, &stats, builder->where);
    builder->stats.cpu = stats.cpu;
    stats.device.run = builder->stats.device.run;
    stats.device.made = stats.device.run - stats.device.stolen_from_cpu;
    builder->stats.device = stats.device;
    return status;
}

/* Runs the tasks on the device only. */
static gws_status run_device_only(void *context, const struct gws_tasks *tasks)
{
    struct gws_madness_device *builder = context;
    bool again = true;
    if (tasks->roots > UINT32_MAX / 8) return GWS_TOO_LARGE;
    gws_status status = start(builder, tasks->root, (uint32_t)tasks->roots, builder->where);
    while (status == GWS_OK && again) status = merge(builder, NULL, &again, builder->where);
    builder->stats.device.made = builder->stats.device.run;
    return status;
}

/* Begins a build, and writes the problem to the device. */
static gws_status begin(void *context, const struct gws_madness_problem *problem, struct gws__madness_owner *owner,
                        struct gws_diagnostic *where)
{
    struct gws_madness_device *builder = context;
    gws_status status = check_problem(builder, problem, where);
    if (status != GWS_OK) return status;
    builder->stats = (struct gws_madness_device_stats){
        .min_boxes = UINT64_MAX, .groups = builder->options.groups, .group_size = builder->options.group_size};
    builder->problem = problem;
    builder->where = where;
    builder->owner = owner;
    builder->slots = builder->ranks ? min_families(builder) : builder->family_capacity;
    double began = gws_clock_ms();
    status = gws__madness_device_upload(builder, problem, where);
    builder->stats.upload_ms = gws_clock_ms() - began;
    return status;
}

static void end(struct gws_madness_device *builder)
{
    if (builder->stats.min_boxes > builder->stats.max_boxes) builder->stats.min_boxes = 0;
    gws_release(builder->runtime, builder->task, builder->allocated * MADNESS_TASK_WORDS, sizeof *builder->task);
    builder->task = NULL;
}

/* Returns a string that outlives the device. */
static const char *kernel_of(const struct gws_madness_device *builder)
{
    return gws_device_kind_at(gws_device_describe(builder->device)->api, NULL, NULL);
}

static gws_status madness_device_build(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                       struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    gws_status status = gws__madness_problem_check(problem, where);
    if (status != GWS_OK) return status;
    struct gws__madness_owner *owner = gws__madness_owner_new(builder->runtime, problem);
    builder->ranks = NULL;
    status = owner ? begin(builder, problem, owner, where) : gws_diagnostic_status(where, GWS_NO_MEMORY);
    if (status == GWS_OK)
        status = gws__madness_run(builder->runtime, problem, owner, builder->options.cpu ? run_hybrid : run_device_only,
                                  builder);
    if (status == GWS_OK) owner->tree.kernel = kernel_of(builder);
    end(builder);
    return gws__madness_finish(builder->runtime, problem, status, owner, tree, where);
}

gws_status gws_madness_device_build(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                    struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    return GWS_CALL(builder->runtime, where, madness_device_build(builder, problem, tree, where));
}

/* ---- on several ranks ---- */

static gws_status build_on_ranks(struct gws_madness_device *builder, const struct gws_ranks *ranks,
                                 const struct gws_madness_problem *problem, struct gws_madness_tree **tree,
                                 struct gws_diagnostic *where)
{
    const struct gws__madness_part part = {
        .run = run_hybrid, .context = builder, .prepare = begin, .kernel = kernel_of(builder)};
    builder->ranks = ranks;
    gws_status status = gws__madness_build_parts(builder->runtime, ranks, problem, &part, tree, where);
    gws_transport_sum(ranks->transport, &builder->stats.near_tolerance, 1);
    end(builder);
    return status;
}

gws_status gws_madness_device_build_on_ranks(struct gws_madness_device *builder, const struct gws_ranks *ranks,
                                             const struct gws_madness_problem *problem, struct gws_madness_tree **tree,
                                             struct gws_diagnostic *where)
{
    if (!ranks || !ranks->transport) return gws_madness_device_build(builder, problem, tree, where);
    return GWS_CALL(builder->runtime, where, build_on_ranks(builder, ranks, problem, tree, where));
}

/* ---- afterwards ---- */

/* Overwrites the memory that any launch has filled. Family words become zero, which describes no family, because the
 * host follows these words. */
static gws_status madness_device_poison(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    const uint64_t filled = builder->filled;
    struct gws_device_buffer *const *buffer = builder->buffer;
    gws_status status = gws_device_fill(buffer[madness_family], 0, 0, filled * MADNESS_FAMILY_WORDS, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_number], 0, GWS_POISON, filled * MADNESS_FAMILY_NUMBERS * 2, where);
    if (status == GWS_OK)
        status = gws_device_fill(buffer[madness_coefficient], 0, GWS_POISON, filled * builder->entries * 2, where);
    return status == GWS_OK ? gws_device_wait(builder->device, where) : status;
}

gws_status gws_madness_device_poison(struct gws_madness_device *builder, struct gws_diagnostic *where)
{
    return GWS_CALL(builder->runtime, where, madness_device_poison(builder, where));
}

void gws_madness_device_stats(const struct gws_madness_device *builder, struct gws_madness_device_stats *stats)
{
    *stats = builder->stats;
}
