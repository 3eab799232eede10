/* SPDX-License-Identifier: MIT */
#include "batch.h"

#include "../common/console.h"

struct seen {
    struct bfs_report *report;
    bool counts;
    int (*judge)(struct bfs_report *report);
    int failure;
    double apart_ms; /* of the call: searches, and what is done with their results */
};

/* The result's arrays are the library's: the report has them for this call only. */
static gws_status see(void *context, uint64_t index, const struct gws_bfs_result *result)
{
    struct seen *seen = context;
    double begin = gws_clock_ms();
    (void)index;
    if (!seen->counts) return GWS_OK;
    seen->report->result = *result;
    bfs_report_note(seen->report);
    if (seen->judge) seen->failure = seen->judge(seen->report);
    seen->report->result = (struct gws_bfs_result){0};
    seen->apart_ms += result->ms + gws_clock_ms() - begin;
    return seen->failure < 0 ? GWS_OK : GWS_WRONG_RESULT;
}

static int search_some(struct seen *seen, const uint32_t *source, uint64_t count)
{
    struct gws_diagnostic where = {0};
    struct bfs_report *report = seen->report;
    struct device_search *device = report->device;
    uint64_t before = report->runs;
    seen->apart_ms = 0;
    int failure = seen->judge ? device_search_poison(device) : -1;
    if (failure >= 0) return failure;
    device_search_start(device);
    double begin = gws_clock_ms();
    gws_status status = gws_bfs_device_run_many(device->search, source, count, see, seen, &where);
    double fetch_ms = (gws_clock_ms() - begin - seen->apart_ms) / (double)count;
    if (seen->failure >= 0) return seen->failure;
    if (status != GWS_OK) return console_fail_at(status, &where);
    if (!seen->counts) return -1;
    device_search_stop(device);
    while (before < report->runs) report->run[before++].fetch_ms = fetch_ms;
    return -1;
}

static int search_all(struct seen *seen, const uint32_t *source, uint64_t count, uint64_t many)
{
    int failure = -1;
    for (uint64_t i = 0; i < count && failure < 0; i += many) {
        if (i > 0) console_progress(NULL, "searching", i, count);
        failure = search_some(seen, source + i, count - i < many ? count - i : many);
    }
    return failure;
}

/* Sources that are fewer than the warm-up's searches come again. */
static int warm_up(struct seen *seen, const uint32_t *source, uint64_t count, uint64_t many, uint64_t warmup)
{
    int failure = -1;
    for (uint64_t left = warmup; left > 0 && failure < 0;) {
        uint64_t now = left < count ? left : count;
        failure = search_all(seen, source, now, many);
        left -= now;
    }
    return failure;
}

int batch_search(struct bfs_report *report, const uint32_t *source, uint64_t count, uint64_t many, uint64_t warmup,
                 int (*judge)(struct bfs_report *report))
{
    struct seen seen = {.report = report, .judge = judge, .failure = -1};
    if (count < 2) return console_usage("--batch: there is one search; --repeat or a list of sources gives more");
    if (!gws_bfs_device_has_batches(report->device->search))
        return console_usage("--batch: searches from several sources in one call do not go with these options");
    int failure = warm_up(&seen, source, count, many, warmup);
    seen.counts = true;
    if (failure < 0) failure = search_all(&seen, source, count, many);
    if (failure < 0 && judge) failure = device_search_poison(report->device);
    if (failure < 0) failure = device_search_run(report->device, source[count - 1], &report->result);
    return failure < 0 && judge ? judge(report) : failure;
}
