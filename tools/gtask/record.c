/* SPDX-License-Identifier: MIT */
/* gtask --record. */
#include "record.h"

#include "../common/console.h"

const struct option_row record_row[RECORD_ROWS] = {
    {TEXT("record", "FILE", offsetof(struct record_options, path),
          "write the last run's tasks to FILE, with parents and times, for\ngsim recorded")},
};

int record_check(const char *path, const struct workload *workload, const void *state, const struct ranks *ranks)
{
    bool cpu;
    if (!path) return -1;
    if (output_is_stdout(path)) return console_usage("--record: expected the name of a file, got '-'");
    if (ranks->count > 1) return console_usage("--record requires one process");
    if (workload_device(workload, state, &cpu))
        return console_usage("--record requires the CPU alone, without --device");
    return output_check(path);
}

static int report(gws_status status, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return -1;
    if (*where->file) return console_fail_at(status, where);
    return console_fail("--record: %s", *where->message ? where->message : gws_status_text(status));
}

int record_begin(const char *path, struct gws_runtime *runtime)
{
    struct gws_diagnostic where = {0};
    const gws_status status = gws_tasks_record(runtime, path, &where);
    return report(status, &where);
}

int record_end(struct gws_runtime *runtime)
{
    struct gws_diagnostic where = {0};
    const gws_status status = gws_tasks_record_end(runtime, NULL, &where);
    return report(status, &where);
}
