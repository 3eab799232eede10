/* SPDX-License-Identifier: MIT */
/* Tests a device's trace (lib/hetero/device_trace.h). Events like those of a kernel become slices of levels and
 * steals, in the host's time. A log that is too short reports the number of lost events. A runtime without a trace
 * logs nothing. The tests use only the memory of PoCL's device. */
#include "../../harness.h"

#include <string.h>

#include "../../../kernels/hetero/trace_words.h"
#include "../../../lib/hetero/device_trace.h"
#include "../../../lib/trace.h"
#include "../device/drivers.h"

enum { events = 9, max_slices = 64, log_bytes = 8 };

static struct gws__device_trace trace;

static struct gws_runtime *traced_runtime(uint64_t slices)
{
    struct gws_options options = {.threads = 1, .trace = slices};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

/* Fills the log as kernels do. count may exceed the number of events. */
static void log_events(const struct gws__trace_event *event, uint32_t number, uint32_t count)
{
    const uint32_t head[2] = {1 << 16, count};
    ck_assert_int_eq(gws__device_trace_begin(&trace, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_write(trace.log, 0, head, sizeof head, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_write(trace.log, log_bytes, event, number * sizeof *event, NULL), GWS_OK);
    ck_assert_int_eq(gws__device_trace_end(&trace, NULL), GWS_OK);
}

static const struct gws_slice *slices_of(const char *what, uint64_t *count, uint64_t *lost)
{
    char name[48];
    snprintf(name, sizeof name, "%.24s %s", gws_device_describe(trace.device)->address, what);
    for (uint32_t t = 1; t < gws_trace_tracks(trace.runtime); t++)
        if (strcmp(gws_trace_name(trace.runtime, t), name) == 0)
            return gws_runtime_trace(trace.runtime, t, count, lost);
    *count = *lost = 0;
    return NULL;
}

/* Logs two levels, and two steals in each level, out of order, as several groups would. */
static void check_events(uint32_t unit)
{
    const uint64_t at = UINT64_C(1) << 40;
    const struct gws__trace_event event[events] = {
        {at, GWS_TRACE_BEGIN, 0, unit, 0},    {at + 100, GWS_TRACE_PUSH, 0, 0, 5},
        {at + 500, GWS_TRACE_PULL, 0, 1, 7},  {at + 300, GWS_TRACE_STEAL, 2, 3, 11},
        {at + 200, GWS_TRACE_STEAL, 1, 2, 4}, {at + 700, GWS_TRACE_STEAL, 1, 0, 1},
        {at + 600, GWS_TRACE_STEAL, 3, 9, 2}, {at + 800, GWS_TRACE_END, 0, unit, 0},
    };
    uint64_t count, lost, begin = gws_trace_now(trace.runtime);
    log_events(event, 8, 8);
    const struct gws_slice *level = slices_of("levels", &count, &lost);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(lost, 0);
    ck_assert_uint_eq(level[0].level, 0);
    ck_assert_uint_eq(level[0].tasks, 5);
    ck_assert_uint_eq(level[0].direction, GWS_SLICE_PUSH);
    ck_assert_uint_eq(level[1].level, 1);
    ck_assert_uint_eq(level[1].direction, GWS_SLICE_PULL);
    ck_assert_uint_eq(level[0].end_ns, level[1].begin_ns);
    ck_assert_uint_ge(level[0].begin_ns, begin);
    ck_assert_uint_le(level[1].end_ns, gws_trace_now(trace.runtime));
    if (unit == GWS_TRACE_NS) ck_assert_uint_eq(level[0].end_ns - level[0].begin_ns, 400);
    const struct gws_slice *steal = slices_of("steals", &count, &lost);
    static const uint32_t group[] = {1, 2, 3, 1}, victim[] = {2, 3, 9, 0}, tasks[] = {4, 11, 2, 1};
    ck_assert_uint_eq(count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(steal[i].kind, GWS_SLICE_STEAL);
        ck_assert_uint_eq(steal[i].group, group[i]);
        ck_assert_uint_eq(steal[i].victim, victim[i]);
        ck_assert_uint_eq(steal[i].tasks, tasks[i]);
        ck_assert_uint_eq(steal[i].level, i / 2);
        ck_assert_uint_ge(steal[i].begin_ns, level[i / 2].begin_ns);
        ck_assert_uint_le(steal[i].end_ns, level[i / 2].end_ns);
    }
}

static bool open_trace(uint64_t slices)
{
    struct gws_device *device = NULL;
    struct gws_runtime *runtime = traced_runtime(slices);
    if (gws_device_open(runtime, "opencl", gws_test_cached(), &device, NULL) != GWS_OK) {
        printf("skipped: no device opencl\n");
        gws_runtime_close(runtime);
        return false;
    }
    ck_assert_int_eq(gws__device_trace_open(&trace, runtime, device, NULL), GWS_OK);
    return true;
}

static void close_trace(void)
{
    gws__device_trace_close(&trace);
    gws_device_close(trace.device);
    gws_runtime_close(trace.runtime);
}

START_TEST(events_become_slices)
{
    if (!open_trace(max_slices)) return;
    check_events((uint32_t)_i);
    close_trace();
}
END_TEST

/* Two workers without tasks at overlapping times, one of them for longer than 2^32 ns. */
START_TEST(idle_spans_become_slices)
{
    const uint64_t at = UINT64_C(1) << 40, length = (UINT64_C(3) << 32) + 5;
    uint64_t count, lost;
    if (!open_trace(max_slices)) return;
    gws__device_trace_tracks(&trace);
    const uint32_t tracks = gws_trace_tracks(trace.runtime);
    const struct gws__trace_event event[] = {{at, GWS_TRACE_BEGIN, 0, GWS_TRACE_TICKS, 0},
                                             {at + length - 100, GWS_TRACE_IDLE, 7, 60, 0},
                                             {at, GWS_TRACE_IDLE, 5, 5, 3},
                                             {at + length, GWS_TRACE_END, 0, GWS_TRACE_TICKS, 0}};
    log_events(event, 4, 4);
    ck_assert_uint_eq(gws_trace_tracks(trace.runtime), tracks);
    const struct gws_slice *idle = slices_of("idle", &count, &lost);
    ck_assert_uint_eq(count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(idle[i].kind, GWS_SLICE_IDLE);
        ck_assert_uint_eq(idle[i].group, i == 0 ? 5 : 7);
        ck_assert_uint_eq(idle[i].victim, GWS_TRACE_NONE);
    }
    ck_assert_uint_ge(idle[0].begin_ns, trace.began_ns);
    ck_assert_uint_le(idle[0].begin_ns, trace.began_ns + 1); /* times of a device are rounded */
    ck_assert_uint_ge(idle[0].end_ns, idle[1].end_ns);
    ck_assert_uint_ge(idle[1].end_ns, idle[1].begin_ns);
    ck_assert_uint_gt(idle[1].begin_ns, idle[0].begin_ns);
    (void)slices_of("steals", &count, &lost);
    ck_assert_uint_eq(count, 0);
    close_trace();
}
END_TEST

START_TEST(a_short_log_says_what_it_lost)
{
    uint64_t count, lost;
    if (!open_trace(max_slices)) return;
    struct gws__trace_event event = {1, GWS_TRACE_BEGIN, 0, 0, 0};
    log_events(&event, 1, (1 << 16) + 3);
    (void)slices_of("steals", &count, &lost);
    ck_assert_uint_eq(lost, 3);
    close_trace();
}
END_TEST

START_TEST(without_a_clock_there_are_no_slices)
{
    uint64_t count, lost;
    if (!open_trace(max_slices)) return;
    const struct gws__trace_event event[] = {{0, GWS_TRACE_PUSH, 0, 0, 1}, {0, GWS_TRACE_END, 0, 0, 0}};
    log_events(event, 2, 2);
    (void)slices_of("levels", &count, &lost);
    ck_assert_uint_eq(count, 0);
    close_trace();
}
END_TEST

START_TEST(nothing_is_logged_where_nothing_is_traced)
{
    if (!open_trace(0)) return;
    ck_assert_ptr_null(trace.log);
    ck_assert_int_eq(gws__device_trace_begin(&trace, NULL), GWS_OK);
    ck_assert_int_eq(gws__device_trace_end(&trace, NULL), GWS_OK);
    ck_assert_ptr_null(gws__device_trace_argument(&trace).buffer);
    close_trace();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{events_become_slices, 2},
                                    {a_short_log_says_what_it_lost, 1},
                                    {without_a_clock_there_are_no_slices, 1},
                                    {idle_spans_become_slices, 1},
                                    {nothing_is_logged_where_nothing_is_traced, 1},
                                    {0}};
    return gws_test_run("device trace", test);
}
