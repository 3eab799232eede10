/* SPDX-License-Identifier: MIT */
/* The figures of a simulation, as members of JSON, as columns of a table, and as lines of text for several numbers of
 * workers. None of them depends on the machine that simulates. */
#include "row.h"

#include <math.h>
#include <string.h>

#include "../common/console.h"

#define FIGURE(name) JSON_FIELD(struct sim_row, name, #name)
static const struct json_field field[] = {{FIGURE(workers)},
                                          {FIGURE(virtual_ms)},
                                          {FIGURE(termination_ms)},
                                          {FIGURE(termination_share)},
                                          {FIGURE(tasks)},
                                          {FIGURE(efficiency)},
                                          {FIGURE(work_efficiency)},
                                          {FIGURE(stolen)},
                                          {FIGURE(steals)},
                                          {FIGURE(failed_steals)},
                                          {FIGURE(aborted_steals)},
                                          {FIGURE(probes)},
                                          {FIGURE(queue_high_water)},
                                          {FIGURE(queue_mean)},
                                          {FIGURE(queue_spread)},
                                          {FIGURE(started)},
                                          {FIGURE(first_task_ms)},
                                          {FIGURE(last_start_ms)},
                                          {FIGURE(events)}};

enum { FIGURES = sizeof field / sizeof *field };

static double quotient(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

struct sim_row sim_row_of(uint32_t workers, const struct gws_sim_result *found)
{
    const double whole = found->virtual_ms * workers;
    return (struct sim_row){.workers = workers,
                            .virtual_ms = found->virtual_ms,
                            .termination_ms = found->termination_ms,
                            .termination_share = quotient(found->termination_ms, found->virtual_ms),
                            .tasks = found->tasks,
                            .efficiency = quotient(found->busy_ms, whole),
                            .work_efficiency = quotient(found->work_ms, whole),
                            .stolen = found->stolen,
                            .steals = found->steals,
                            .failed_steals = found->failed_steals,
                            .aborted_steals = found->aborted_steals,
                            .probes = found->probes,
                            .queue_high_water = found->queue_high_water,
                            .queue_mean = found->queue_mean,
                            .queue_spread = found->queue_spread,
                            .started = found->started,
                            .first_task_ms = found->first_task_ms,
                            .last_start_ms = found->last_start_ms,
                            .events = found->events};
}

void sim_row_json(const struct sim_row *row, struct json *json)
{
    for (size_t i = 0; i < FIGURES; i++) {
        const char *figure = (const char *)row + field[i].offset;
        if (field[i].kind == JSON_REAL)
            json_exact(json, field[i].key, *(const double *)figure);
        else
            json_count(json, field[i].key, *(const uint64_t *)figure);
    }
}

void sim_rows_json(const struct sim_row *row, uint32_t rows, struct json *json)
{
    json_open(json, "scaling", '[');
    for (uint32_t i = 0; i < rows; i++) {
        json_open(json, NULL, '{');
        sim_row_json(&row[i], json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void sim_rows_print(const struct sim_row *row, uint32_t rows, FILE *out)
{
    char workers[CONSOLE_NUMBER], time[CONSOLE_NUMBER], steals[CONSOLE_NUMBER];
    fprintf(out, "\n%12s%12s%14s%12s%16s\n", "workers", "time", "efficiency", "at work", "steals");
    for (; rows > 0; row++, rows--)
        fprintf(out, "%12s%12s%12.1f %%%10.1f %%%16s\n", console_count(row->workers, workers),
                console_time(row->virtual_ms, time), 100 * row->efficiency, 100 * row->work_efficiency,
                console_count(row->steals, steals));
}

int sim_rows_write(const struct sim_row *row, uint32_t rows, struct gws_runtime *runtime, const char *path)
{
    static char data[FIGURES][SIM_MAX_ROWS][sizeof(double)];
    struct gws_column column[FIGURES];
    for (size_t i = 0; i < FIGURES; i++) {
        for (uint32_t k = 0; k < rows; k++)
            memcpy(data[i][k], (const char *)&row[k] + field[i].offset, sizeof data[i][k]);
        column[i] =
            (struct gws_column){field[i].key, field[i].kind == JSON_REAL ? GWS_COLUMN_F64 : GWS_COLUMN_U64, data[i]};
    }
    const struct gws_table table = {.rows = rows, .columns = FIGURES, .column = column};
    struct gws_diagnostic where = {0};
    gws_status status = gws_table_write(runtime, &table, path, &where);
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}
