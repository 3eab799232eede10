/* SPDX-License-Identifier: MIT */
/* gbfs on several devices: opens them, parts the graph, and reports the parts. */
#include <inttypes.h>
#include <string.h>

#include "../common/console.h"
#include "../common/parting.h"
#include "../common/workers.h"
#include "device.h"

int parted_devices(struct device_search *search, struct gws_runtime *runtime, const struct device_choices *list)
{
    struct device_choices found = *list;
    int failure = device_choices_resolve(runtime, &found);
    if (failure < 0 && found.count > GWS_BFS_DEVICES)
        failure = console_usage("--device: more than %d devices", GWS_BFS_DEVICES);
    if (failure < 0) failure = device_open(runtime, found.address[0], device_shares(&found, 0), &search->device);
    for (uint32_t d = 1; d < found.count && failure < 0; d++) {
        failure = device_open(runtime, found.address[d], device_shares(&found, d), &search->other[d - 1]);
        if (failure < 0) search->others++;
    }
    search->may_be_one = parting_may_be_one(list);
    return failure;
}

static void close_others(struct device_search *search)
{
    for (uint32_t d = 0; d < search->others; d++) gws_device_close(search->other[d]);
    search->others = 0;
}

void parted_close(struct device_search *search)
{
    gws_bfs_devices_close(search->parted);
    search->parted = NULL;
    close_others(search);
}

/* ---- opening ---- */

gws_status parted_open(struct device_search *search, struct session *session,
                       const struct gws_device_graph_options *placing, enum gws_bfs_direction direction,
                       struct gws_diagnostic *where)
{
    const struct gws_bfs_devices_options options = {.direction = direction, .without = placing->without};
    struct gws_device *device[GWS_BFS_DEVICES] = {search->device};
    struct gws_bfs_devices_part part;
    if (search->may_be_one && parting_one_is_faster(PARTING_BFS, search->device, session->graph)) {
        close_others(search);
        parting_describe(search->device, session->graph, search->selected, sizeof search->selected);
        return GWS_OK;
    }
    memcpy(device + 1, search->other, search->others * sizeof *device);
    const double begin = gws_clock_ms();
    gws_status status = gws_bfs_devices_open(session->runtime, device, search->others + 1, session->graph, &options,
                                             &search->parted, where);
    if (status != GWS_OK) return status;
    search->prepare_ms = gws_clock_ms() - begin;
    for (uint32_t d = 0; d <= search->others; d++) {
        gws_bfs_devices_describe(search->parted, d, &part);
        search->upload_ms += part.upload_ms;
        search->prepare_ms -= part.upload_ms + gws_device_translate_ms(device[d]);
    }
    if (search->prepare_ms < 0) search->prepare_ms = 0;
    return GWS_OK;
}

/* ---- the report ---- */

const char *parted_addresses(const struct device_search *search, char *text)
{
    int length = snprintf(text, DEVICE_ADDRESS, "%s", gws_device_describe(search->device)->address);
    for (uint32_t d = 0; d < search->others; d++)
        length += snprintf(text + length, DEVICE_ADDRESS, ",%.*s", DEVICE_ADDRESS - 2,
                           gws_device_describe(search->other[d])->address);
    return text;
}

void parted_print(const struct device_search *search, FILE *out)
{
    char text[PARTED_ADDRESSES], bytes[CONSOLE_NUMBER];
    struct gws_bfs_devices_part part;
    uint64_t held = 0, groups = 0;
    for (uint32_t d = 0; d <= search->others; d++) {
        gws_bfs_devices_describe(search->parted, d, &part);
        held += part.bytes;
        groups += part.groups;
    }
    fprintf(out, "device    %s: %s, %" PRIu64 " groups of %" PRIu64 "\n", parted_addresses(search, text),
            gws_device_describe(search->device)->name, groups, part.group_size);
    fprintf(out, "form      parted; %s bytes held on the devices\n", console_count(held, bytes));
}

void parted_print_parts(const struct device_search *search, FILE *out)
{
    struct gws_bfs_devices_part part;
    struct gws_device *device[GWS_BFS_DEVICES] = {search->device};
    memcpy(device + 1, search->other, search->others * sizeof *device);
    device_print_links(device, search->others + 1, out);
    fprintf(out, "%-12s%15s%17s%17s%15s%15s%15s%9s\n", "part", "vertices", "arcs", "bytes", "reached", "bytes sent",
            "gathered", "idle");
    for (uint32_t d = 0; d <= search->others; d++) {
        char text[CONSOLE_NUMBER];
        gws_bfs_devices_describe(search->parted, d, &part);
        fprintf(out, "%-12s%15s", gws_device_describe(part.device)->address, console_count(part.vertices, text));
        fprintf(out, "%17s", console_count(part.arcs, text));
        fprintf(out, "%17s", console_count(part.bytes, text));
        fprintf(out, "%15s", console_count(part.reached, text));
        fprintf(out, "%15s", console_count(part.sent_bytes, text));
        fprintf(out, "%15s%7.1f %%\n", console_count(part.gathered_bytes, text), 100 * part.idle);
    }
}

static void part_json(const struct gws_bfs_devices_part *part, struct json *json)
{
    json_open(json, NULL, '{');
    json_text(json, "device", gws_device_describe(part->device)->address);
    json_count(json, "vertices", part->vertices);
    json_count(json, "arcs", part->arcs);
    json_count(json, "bytes", part->bytes);
    json_count(json, "reached", part->reached);
    json_count(json, "sent_bytes", part->sent_bytes);
    json_count(json, "gathered_bytes", part->gathered_bytes);
    json_number(json, "idle", part->idle);
    json_close(json, '}');
}

void parted_json(const struct device_search *search, struct json *json)
{
    struct gws_bfs_devices_part part;
    json_text(json, "form", "parted");
    json_open(json, "workers", '[');
    for (uint32_t d = 0; d <= search->others; d++) {
        gws_bfs_devices_describe(search->parted, d, &part);
        part_json(&part, json);
    }
    json_close(json, ']');
}
