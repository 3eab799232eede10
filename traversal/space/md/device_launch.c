/* SPDX-License-Identifier: MIT */
/* Molecular dynamics on devices: the launches of kernels/md/md_run.cl. */
#include <string.h>

#include "../../../kernels/engine/engine_words.h"
#include "device_state.h"

/* chunk: atoms of a launch of GWS_MD_CHUNKS: 120 groups (Chen et al., section 6.1). */
enum { values = 12, arguments = buffer_arguments + 1 + GWS_HOST_QUEUE_ARGUMENTS + values, chunk = 120 * GWS_MD_TASK };

static const void *const none = NULL;

void gws__md_launch_set(struct gws_md_device *md, uint32_t steps, bool begins)
{
    md->at.steps = steps, md->at.begins = begins;
    md->at.kick = begins ? 0 : 0.5F * (float)md->host->options.step;
}

static gws_status prepare(struct gws_md_device *md, struct gws_diagnostic *where)
{
    static const uint32_t words[MD_CONTROL] = {
        [MD_BOUNDS] = UINT32_MAX, [MD_BOUNDS + 1] = UINT32_MAX, [MD_BOUNDS + 2] = UINT32_MAX};
    gws_status status = gws_device_write(md->buffer[control], 0, words, sizeof words, where);
    if (status == GWS_OK) status = gws_device_fill(md->buffer[sums], 0, 0, 2 * MD_SUMS * MD_MAX_STEPS, where);
    if (status == GWS_OK) status = gws_device_fill(md->buffer[cursors], 0, 0, 2 * md->kernel.groups, where);
    if (status == GWS_OK && md->queue) status = gws_host_queue_reset(md->queue, where);
    return status;
}

static gws_status start(struct gws_md_device *md, const struct gws_device_launch *launch, struct gws_diagnostic *where)
{
    md->torn = true; /* until the last step has ended */
    md->stats.launches++;
    return gws_device_run(md->kernel.device, launch, where);
}

/* Starts the forces of a chunk. Groups have as many items as a task has atoms, or one where the device has no warps. */
static gws_status start_chunk(struct gws_md_device *md, uint32_t first, struct gws_diagnostic *where)
{
    const struct gws_md *host = md->host;
    const uint32_t size = md->kernel.group_size > 1 ? GWS_MD_TASK : 1, atoms = (uint32_t)host->atoms;
    const uint32_t end = md->end - first < chunk ? md->end : first + chunk, pattern = (uint32_t)host->options.pattern;
    const struct gws_device_argument argument[] = {{.buffer = md->buffer[position]},
                                                   {.buffer = md->buffer[velocity]},
                                                   {.buffer = md->buffer[force]},
                                                   {.buffer = md->buffer[length]},
                                                   {.buffer = md->buffer[list]},
                                                   {.buffer = md->buffer[control]},
                                                   {.buffer = md->buffer[sums]},
                                                   {.buffer = md->buffer[stats]},
                                                   {.value = &host->field, .bytes = sizeof host->field},
                                                   {.value = &md->at.kick, .bytes = 4},
                                                   {.value = &atoms, .bytes = 4},
                                                   {.value = &md->capacity, .bytes = 4},
                                                   {.value = &pattern, .bytes = 4},
                                                   {.value = &first, .bytes = 4},
                                                   {.value = &end, .bytes = 4}};
    const struct gws_device_launch launch = {.program = md->kernel.program,
                                             .kernel = "md_chunk",
                                             .groups = (end - first + size - 1) / size,
                                             .group_size = size,
                                             .argument = argument,
                                             .arguments = sizeof argument / sizeof *argument};
    return start(md, &launch, where);
}

static gws_status start_steps(struct gws_md_device *md, const struct gws_device_argument *argument,
                              struct gws_diagnostic *where)
{
    const struct gws_device_launch launch = {.program = md->kernel.program,
                                             .kernel = md->kernel.kernel,
                                             .groups = md->kernel.groups,
                                             .group_size = md->kernel.group_size,
                                             .resident = true,
                                             .argument = argument,
                                             .arguments = arguments};
    gws_status status = start(md, &launch, where);
    for (uint32_t first = md->from; first < md->end && md->schedule == GWS_MD_CHUNKS && status == GWS_OK;
         first += chunk)
        status = start_chunk(md, first, where);
    return status;
}

static gws_status begin_launch(struct gws_md_device *md, struct gws_diagnostic *where)
{
    static const uint32_t schedules[] = {SCHEDULE_STEAL, SCHEDULE_CURSOR, SCHEDULE_STATIC, SCHEDULE_STEAL,
                                         MD_NO_FORCES};
    static const uint64_t no_capacity = 0;
    static const struct gws_device_argument no_queue[GWS_HOST_QUEUE_ARGUMENTS] = {
        {.value = &none, .bytes = sizeof none},
        {.value = &none, .bytes = sizeof none},
        {.value = &no_capacity, .bytes = 8}};
    const struct gws_md *host = md->host;
    const float step = (float)host->options.step;
    const uint32_t atoms = (uint32_t)host->atoms, reorders = host->options.order != GWS_MD_RANDOM;
    const uint32_t pattern = (uint32_t)host->options.pattern;
    struct gws_device_argument argument[arguments], *next = argument;
    for (uint32_t i = 0; i < buffer_arguments; i++) *next++ = (struct gws_device_argument){.buffer = md->buffer[i]};
    if (!md->linked) next[-1] = no_queue[0];
    *next++ = gws__stop_argument(&md->stop);
    const struct gws_device_argument value[values] = {{.value = &host->field, .bytes = sizeof host->field},
                                                      {.value = &step, .bytes = 4},
                                                      {.value = &md->at.kick, .bytes = 4},
                                                      {.value = &atoms, .bytes = 4},
                                                      {.value = &md->capacity, .bytes = 4},
                                                      {.value = &md->at.steps, .bytes = 4},
                                                      {.value = &md->at.begins, .bytes = 4},
                                                      {.value = &reorders, .bytes = 4},
                                                      {.value = &schedules[md->schedule], .bytes = 4},
                                                      {.value = &pattern, .bytes = 4},
                                                      {.value = &md->from, .bytes = 4},
                                                      {.value = &md->end, .bytes = 4}};
    memcpy(next, no_queue, sizeof no_queue);
    if (md->queue) gws_host_queue_arguments(md->queue, next);
    memcpy(next + GWS_HOST_QUEUE_ARGUMENTS, value, sizeof value);
    return start_steps(md, argument, where);
}

static gws_status end_launch(struct gws_md_device *md, struct gws_diagnostic *where)
{
    gws_status status = gws_device_wait(md->kernel.device, where);
    if (status == GWS_OK)
        status = gws_device_read(md->buffer[control], 0, md->at.control, sizeof md->at.control, where);
    if (status == GWS_OK)
        status = gws_device_read(md->buffer[sums], 0, md->at.sums, (uint64_t)8 * MD_SUMS * md->at.steps, where);
    return status;
}

static bool has_ended(const struct gws_md_device *part)
{
    return part->at.steps == 0;
}

/* Ends a kernel that waits for tasks or for another device. */
static void stop(struct gws_md_device *part)
{
    if (part->queue) gws_host_queue_stop(part->queue);
    /* relaxed: the word carries no other data */
    if (part->stop.word) atomic_store_explicit(part->stop.word, 1, memory_order_relaxed);
}

static gws_status serve(struct gws_md_device *md, gws_host_queue_next *next, void *context,
                        struct gws_diagnostic *where)
{
    struct gws_host_queue *queue[GWS_MD_DEVICES];
    for (uint32_t d = 0; d < md->devices; d++) queue[d] = md->all[d]->queue;
    return gws_host_queue_serve(queue, md->devices, next, context, false, where);
}

/* No device gets commands while the kernel of another one waits for tasks: PoCL's devices share their threads. A
 * cancelled call waits for the kernels' end, because a launch that ended early would leave half of a step. */
gws_status gws__md_launch_all(struct gws_md_device *md, gws_host_queue_next *next, void *context,
                              struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    uint32_t begun = 0;
    for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++)
        if (!has_ended(md->all[d])) status = prepare(md->all[d], where);
    for (; begun < md->devices && status == GWS_OK; begun++)
        if (!has_ended(md->all[begun])) status = begin_launch(md->all[begun], where);
    if (status == GWS_OK && md->queue) status = serve(md, next, context, where);
    for (uint32_t d = 0; d < begun; d++) {
        if (has_ended(md->all[d])) continue;
        if (status != GWS_OK) stop(md->all[d]);
        gws_status ended = end_launch(md->all[d], status == GWS_OK ? where : NULL);
        if (status == GWS_OK) status = ended;
    }
    return status;
}

void gws__md_launch_add(const struct gws_md_device *part, struct gws__md_launch *total)
{
    const uint32_t steps = part->at.control[MD_STEPS];
    if (part->all) total->control[MD_REBUILDS] += part->at.control[MD_REBUILDS];
    total->control[MD_BROKEN] |= part->at.control[MD_BROKEN];
    if (steps > total->control[MD_STEPS]) total->control[MD_STEPS] = steps;
    for (uint32_t i = 0; i < MD_SUMS * steps; i++) total->sums[i] += part->at.sums[i];
}
