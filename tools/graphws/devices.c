/* SPDX-License-Identifier: MIT */
/* Opens the devices of --device, and reports the parts of a graph that is parted among several. */
#include <math.h>

#include "../common/console.h"
#include "algorithm.h"

int algorithm_devices_open(struct algorithm_report *report)
{
    struct gws_runtime *runtime = report->session.runtime;
    struct device_choices found = report->settings->devices;
    if (report->settings->automatic) found.count = device_find_cuda(runtime, found.address[0]) ? 1 : 0;
    int failure = device_choices_resolve(runtime, &found);
    if (failure < 0 && found.count > ALGORITHM_DEVICES)
        failure = console_usage("--device: more than %d devices", ALGORITHM_DEVICES);
    for (uint32_t d = 0; d < found.count && failure < 0; d++) {
        failure = device_open(runtime, found.address[d], device_shares(&found, d), &report->opened[d]);
        if (failure < 0) report->devices++;
    }
    report->device = report->opened[0];
    return failure;
}

void algorithm_devices_select(struct algorithm_report *report)
{
    const struct gws_graph *graph = report->session.graph;
    if (report->devices < 2 || !parting_may_be_one(&report->settings->devices) ||
        !parting_one_is_faster(report->algorithm->parting, report->device, graph))
        return;
    while (report->devices > 1) gws_device_close(report->opened[--report->devices]);
    parting_describe(report->device, graph, report->selected, sizeof report->selected);
}

void algorithm_devices_close(struct algorithm_report *report)
{
    for (uint32_t d = 0; d < report->devices; d++) gws_device_close(report->opened[d]);
    report->devices = 0;
    report->device = NULL;
}

/* ---- the report ---- */

const char *algorithm_devices_text(const struct algorithm_report *report, char *text)
{
    int length = snprintf(text, DEVICE_ADDRESS, "%s", gws_device_describe(report->device)->address);
    for (uint32_t d = 1; d < report->devices; d++)
        length += snprintf(text + length, DEVICE_ADDRESS, ",%.*s", DEVICE_ADDRESS - 2,
                           gws_device_describe(report->opened[d])->address);
    return text;
}

double algorithm_devices_translate_ms(const struct algorithm_report *report)
{
    double ms = 0;
    for (uint32_t d = 0; d < report->devices; d++) ms += gws_device_translate_ms(report->opened[d]);
    return ms;
}

double algorithm_devices_upload_ms(const struct algorithm_report *report)
{
    double ms = 0;
    if (report->input.on_device) return gws_device_graph_describe(report->input.on_device)->upload_ms;
    for (uint32_t d = 0; d < report->input.devices; d++) ms += report->algorithm->part(report->state, d).upload_ms;
    return ms;
}

void algorithm_parts_print(const struct algorithm_report *report, FILE *out)
{
    device_print_links(report->opened, report->input.devices, out);
    fprintf(out, "%-12s%15s%17s%17s%17s%9s\n", "part", "vertices", "arcs", "bytes", "bytes sent", "idle");
    for (uint32_t d = 0; d < report->input.devices; d++) {
        const struct algorithm_part part = report->algorithm->part(report->state, d);
        char text[CONSOLE_NUMBER];
        fprintf(out, "%-12s%15s", gws_device_describe(report->opened[d])->address, console_count(part.vertices, text));
        fprintf(out, "%17s", console_count(part.arcs, text));
        fprintf(out, "%17s", console_count(part.bytes, text));
        fprintf(out, "%17s", console_count(part.sent_bytes, text));
        if (isnan(part.idle))
            fprintf(out, "%9s\n", "-");
        else
            fprintf(out, "%7.1f %%\n", 100 * part.idle);
    }
}

void algorithm_parts_json(const struct algorithm_report *report, struct json *json)
{
    json_open(json, "workers", '[');
    for (uint32_t d = 0; d < report->input.devices; d++) {
        const struct algorithm_part part = report->algorithm->part(report->state, d);
        json_open(json, NULL, '{');
        json_text(json, "device", gws_device_describe(report->opened[d])->address);
        json_count(json, "vertices", part.vertices);
        json_count(json, "arcs", part.arcs);
        json_count(json, "bytes", part.bytes);
        json_count(json, "sent_bytes", part.sent_bytes);
        json_number(json, "idle", part.idle);
        json_close(json, '}');
    }
    json_close(json, ']');
}
