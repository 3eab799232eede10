/* SPDX-License-Identifier: MIT */
/* The report of gtask quicksort on devices, and on several sides. found: what each of several sides did. */
#ifndef TOOLS_GTASK_QUICKSORT_REPORT_H
#define TOOLS_GTASK_QUICKSORT_REPORT_H

#include "../../workloads/quicksort.h"
#include "task_sides.h"

void quicksort_report_print(const struct task_sides *sides, const struct gws_quicksort_side_result *found, FILE *out);

/* Prints the table of --stats: a row for each side. */
void quicksort_report_table(const struct task_sides *sides, const struct gws_quicksort_side_result *found, FILE *out);

/* The members on_device and sides. */
void quicksort_report_json(const struct task_sides *sides, const struct gws_quicksort_side_result *found,
                           struct json *json);

#endif
