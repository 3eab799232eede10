/* SPDX-License-Identifier: MIT */
/* What there is to say of searches on a device besides what is said of any: for people and as JSON. */
#ifndef TOOLS_GBFS_DEVICE_REPORT_H
#define TOOLS_GBFS_DEVICE_REPORT_H

#include "../common/json.h"
#include "device_search.h"

/* The lines of the summary that say how it ran, and who stole. */
void device_report_print(const struct device_search *search, FILE *out);
void device_report_print_stolen(const struct device_search *search, FILE *out);

/* The tables of --stats: by worker, and the shares of the thesis's Figure 4.1. */
void device_report_print_workers(const struct device_search *search, FILE *out);

/* ... and, where searches are passed from one side to the other, why. */
void device_report_print_model(const struct device_search *search, FILE *out);

/* Adds its members to the object that is open: "workers" among them. */
void device_report_json(const struct device_search *search, struct json *json);

#endif
