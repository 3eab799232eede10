/* SPDX-License-Identifier: MIT */
/* Quicksort on a device (kernels/task/quicksort.cl). */
#include "quicksort_sides.h"

#include "../kernels/task/quicksort_words.h"
#include "../lib/parallel.h"

static const uint64_t max_keys = UINT64_C(1) << 31;

struct gws_quicksort_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_tasks *tasks;
};

/* ---- opening ---- */

static gws_status quicksort_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                        const struct gws_device_tasks_options *options,
                                        struct gws_quicksort_device **sort, struct gws_diagnostic *where)
{
    struct gws_device_source source;
    struct gws_device_tasks_options all = *options;
    struct gws_quicksort_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_quicksort_device){.runtime = runtime, .device = device};
    (void)gws_device_tasks_program("quicksort", &source);
    all.length = QUICK_LENGTH;
    gws_status status = gws_device_tasks_open(runtime, device, &source, &all, &made->tasks, where);
    if (status == GWS_OK)
        *sort = made;
    else
        gws_quicksort_device_close(made);
    return status;
}

gws_status gws_quicksort_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                     const struct gws_device_tasks_options *options, struct gws_quicksort_device **sort,
                                     struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, quicksort_device_open(runtime, device, options, sort, where));
}

void gws_quicksort_device_close(struct gws_quicksort_device *sort)
{
    if (!sort) return;
    gws_device_tasks_close(sort->tasks);
    gws_release(sort->runtime, sort, 1, sizeof *sort);
}

/* ---- sorting ---- */

/* Makes the buffers of the keys, and the parameters with empty records. */
static gws_status make_buffers(struct gws_quicksort_device *sort, const uint64_t *keys,
                               const uint32_t parameter[QUICK_RECORDS], struct gws_device_task_roots *roots,
                               struct gws_diagnostic *where)
{
    const uint64_t count = parameter[QUICK_COUNT];
    const uint64_t words = QUICK_RECORDS + (count / parameter[QUICK_CUTOFF] + 1) * QUICK_RECORD_WORDS;
    gws_status status = gws_device_buffer_new(sort->device, 2 * count * sizeof *keys, &roots->data, where);
    if (status == GWS_OK) status = gws_device_buffer_new(sort->device, words * sizeof *parameter, &roots->more, where);
    if (status == GWS_OK) status = gws_device_fill(roots->more, 0, 0, words, where);
    if (status == GWS_OK)
        status = gws_device_write(roots->more, 0, parameter, QUICK_RECORDS * sizeof *parameter, where);
    if (status == GWS_OK) status = gws_device_write(roots->data, 0, keys, count * sizeof *keys, where);
    return status;
}

/* The root is a range of depth -1 that is parted, with one part: all keys. */
static gws_status sort_keys(struct gws_quicksort_device *sort, const uint64_t *from, uint64_t *to,
                            const uint32_t *parameter, struct gws_device_tasks_result *stats,
                            struct gws_diagnostic *where)
{
    const uint32_t count = parameter[QUICK_COUNT];
    uint32_t root[QUICK_LENGTH + 1] = {[QUICK_KIND] = QUICK_PARTED, [QUICK_DEPTH] = UINT32_MAX, [QUICK_LENGTH] = 1};
    root[QUICK_END] = root[QUICK_FIRST] = root[QUICK_LAST] = count;
    struct gws_device_task_roots roots = {.task = root, .count = 1};
    gws_status status = make_buffers(sort, from, parameter, &roots, where);
    if (status == GWS_OK) status = gws_device_tasks_run(sort->tasks, &roots, stats, where);
    if (status == GWS_OK) status = gws_device_read(roots.data, 0, to, count * sizeof *to, where);
    gws_device_buffer_free(roots.data);
    gws_device_buffer_free(roots.more);
    return status;
}

static gws_status quicksort_on_device(struct gws_quicksort_device *sort, const uint64_t *from, uint64_t *to,
                                      uint64_t count, const struct gws_quicksort_options *options,
                                      struct gws_quicksort_result *result, struct gws_device_tasks_result *stats,
                                      struct gws_diagnostic *where)
{
    struct gws_device_tasks_result made = {.created = 0};
    uint64_t cutoff = options->cutoff > 0 ? options->cutoff : GWS_QUICKSORT_DEVICE_CUTOFF;
    if (count > max_keys)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "more than 2^31 keys on a device");
    const uint32_t parameter[QUICK_RECORDS] = {[QUICK_COUNT] = (uint32_t)count,
                                               [QUICK_CUTOFF] =
                                                   cutoff < max_keys ? (uint32_t)cutoff : (uint32_t)max_keys,
                                               [QUICK_SEED] = (uint32_t)(options->seed ^ options->seed >> 32)};
    gws_status status = count < 2 ? GWS_OK : sort_keys(sort, from, to, parameter, &made, where);
    if (count == 1) *to = *from;
    if (status != GWS_OK) return status;
    *result = (struct gws_quicksort_result){.tasks = count < 2 ? 1 : made.sum[QUICK_RANGES],
                                            .splits = made.sum[QUICK_SPLITS],
                                            .depth = made.max[QUICK_DEEPEST]};
    if (stats) *stats = made;
    return GWS_OK;
}

gws_status gws__quicksort_on_device(struct gws_quicksort_device *sort, const uint64_t *from, uint64_t *to,
                                    uint64_t count, const struct gws_quicksort_options *options,
                                    struct gws_quicksort_result *result, struct gws_device_tasks_result *stats,
                                    struct gws_diagnostic *where)
{
    return GWS_CALL(sort->runtime, where, quicksort_on_device(sort, from, to, count, options, result, stats, where));
}

gws_status gws_quicksort_on_device(struct gws_quicksort_device *sort, uint64_t *keys, uint64_t count,
                                   const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                   struct gws_device_tasks_result *stats, struct gws_diagnostic *where)
{
    return gws__quicksort_on_device(sort, keys, keys, count, options, result, stats, where);
}
