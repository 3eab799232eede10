/* SPDX-License-Identifier: MIT */
/* Searches on a device from several sources in one call (--batch). */
#include "gbfs.h"

#include "../common/console.h"

struct batch_run {
    struct bfs_report *report;
    bool measured;
    int (*verify)(struct bfs_report *report);
    int failure;
    double apart_ms; /* time of the searches of a call, and of the use of their results */
};

/* Hook of the library for each result. The library owns the result's arrays; the report may use them during this call
 * only. */
static gws_status add_result(void *context, uint64_t index, const struct gws_bfs_result *result)
{
    struct batch_run *batch = context;
    double begin = gws_clock_ms();
    (void)index;
    if (!batch->measured) return GWS_OK;
    batch->report->result = *result;
    bfs_report_add_run(batch->report);
    if (batch->verify) batch->failure = batch->verify(batch->report);
    batch->report->result = (struct gws_bfs_result){0};
    batch->apart_ms += result->ms + gws_clock_ms() - begin;
    return batch->failure < 0 ? GWS_OK : GWS_WRONG_RESULT;
}

static int search_batch(struct batch_run *batch, const uint32_t *source, uint64_t count)
{
    struct gws_diagnostic where = {0};
    struct bfs_report *report = batch->report;
    struct device_search *device = report->device;
    uint64_t before = report->runs;
    batch->apart_ms = 0;
    int failure = batch->verify ? device_search_poison(device) : -1;
    if (failure >= 0) return failure;
    device_search_start(device);
    double begin = gws_clock_ms();
    gws_status status = gws_bfs_device_run_many(device->search, source, count, add_result, batch, &where);
    double fetch_ms = (gws_clock_ms() - begin - batch->apart_ms) / (double)count;
    if (batch->failure >= 0) return batch->failure;
    if (status != GWS_OK) return console_fail_at(status, &where);
    if (!batch->measured) return -1;
    device_search_stop(device);
    while (before < report->runs) report->run[before++].fetch_ms = fetch_ms;
    return -1;
}

static int search_all(struct batch_run *batch, const uint32_t *source, uint64_t count, uint64_t size)
{
    int failure = -1;
    for (uint64_t i = 0; i < count && failure < 0; i += size) {
        if (i > 0) console_progress(NULL, "searching", i, count);
        failure = search_batch(batch, source + i, count - i < size ? count - i : size);
    }
    return failure;
}

/* Runs the warm-up. It repeats the sources if it has more searches than sources. */
static int warm_up(struct batch_run *batch, const uint32_t *source, uint64_t count, uint64_t size, uint64_t warmup)
{
    int failure = -1;
    for (uint64_t left = warmup; left > 0 && failure < 0;) {
        uint64_t now = left < count ? left : count;
        failure = search_all(batch, source, now, size);
        left -= now;
    }
    return failure;
}

int batch_search(struct bfs_report *report, const uint32_t *source, uint64_t count, uint64_t size, uint64_t warmup,
                 int (*verify)(struct bfs_report *report))
{
    struct batch_run batch = {.report = report, .verify = verify, .failure = -1};
    if (count < 2) return console_usage("--batch: there is only one search; --repeat or a list of sources gives more");
    if (!gws_bfs_device_has_batches(report->device->search))
        return console_usage("--batch: these options do not support searches from several sources in one call");
    int failure = warm_up(&batch, source, count, size, warmup);
    batch.measured = true;
    if (failure < 0) failure = search_all(&batch, source, count, size);
    if (failure < 0 && verify) failure = device_search_poison(report->device);
    if (failure < 0) failure = device_search_run(report->device, source[count - 1], &report->result);
    return failure < 0 && verify ? verify(report) : failure;
}
