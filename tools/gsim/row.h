/* SPDX-License-Identifier: MIT */
/* The figures of a simulation. */
#ifndef TOOLS_GSIM_ROW_H
#define TOOLS_GSIM_ROW_H

#include <stdio.h>

#include "../../graphws.h"
#include "../common/json.h"

enum { SIM_MAX_ROWS = 64 };

/* struct gws_sim_result and shares that follow from it; NaN if no time passed. All members have 8 bytes. */
struct sim_row {
    uint64_t workers;
    double virtual_ms, termination_ms, termination_share;
    uint64_t tasks;
    double efficiency, work_efficiency;
    uint64_t stolen, steals, failed_steals, aborted_steals, probes, queue_high_water;
    double queue_mean, queue_spread;
    uint64_t started;
    double first_task_ms, last_start_ms;
    uint64_t events;
};

struct sim_row sim_row_of(uint32_t workers, const struct gws_sim_result *found);

/* Adds the figures to the open object. */
void sim_row_json(const struct sim_row *row, struct json *json);

/* Writes the rows of several numbers of workers: as a member "scaling", as lines of text, as a table. sim_rows_write()
 * returns -1, or the exit status. */
void sim_rows_json(const struct sim_row *row, uint32_t rows, struct json *json);
void sim_rows_print(const struct sim_row *row, uint32_t rows, FILE *out);
int sim_rows_write(const struct sim_row *row, uint32_t rows, struct gws_runtime *runtime, const char *path);

#endif
