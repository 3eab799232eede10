/* SPDX-License-Identifier: MIT */
/* gdevices: lists all devices but the CPU's threads. A line has the name that gws_device_open() accepts, and the
 * properties that matter for sharing work with the CPU. */
#include <inttypes.h>

#include "../graphws.h"
#include "common/console.h"
#include "common/json.h"
#include "common/options.h"
#include "common/ranks.h"
#include "common/runtime_options.h"

enum { MAX_DEVICES = 64 };

static const char *const type_name[] = {"other", "cpu", "gpu"};                   /* indexed by enum gws_device_type */
static const char *const svm_name[] = {"none", "coarse", "fine", "fine+atomics"}; /* indexed by enum gws_svm */
static const char *const scope_name[] = {"none", "group", "device",
                                         "all-devices"}; /* indexed by enum gws_atomic_scope */
static const char *const order_name[] = {"none", "relaxed", "acq_rel",
                                         "seq_cst"}; /* indexed by enum gws_atomic_order */

static const char closing[] =
    "Columns\n"
    "  units     compute units; for CUDA multiprocessors\n"
    "  groups    work-groups that are certain to run concurrently\n"
    "  svm       memory shared with the host: none, coarse, fine, fine+atomics\n"
    "  atomics   widest scope and strongest order\n"
    "  scan      the language has work-group scans\n"
    "  unified   device and host share one memory\n"
    "  coop      the driver supports cooperative launches\n"
    "  reaches   a matrix, if there are several devices: whether the row's kernels can access\n"
    "            the column's memory, with atomics, and the link's rank (0: the fastest)\n"
    "\n"
    "Exit status\n"
    "  0 success, even without devices; 1 memory ran out; 2 wrong usage\n";

/* ---- output ---- */

struct device_list {
    struct gws_device_info info[MAX_DEVICES];
    uint32_t count;
};

static const char *yes(bool value)
{
    return value ? "yes" : "no";
}

static void print_row(const struct gws_device_info *info)
{
    char memory[CONSOLE_NUMBER], atomics[64];
    snprintf(atomics, sizeof atomics, "%s/%s", scope_name[info->scope], order_name[info->order]);
    printf("%-10s %-5s %6" PRIu32 " %6" PRIu32 " %9s  %-12s  %-19s  %-4s  %-7s  %-4s  %s (%s, %s)\n", info->address,
           type_name[info->type], info->units, info->groups, console_bytes(info->memory, memory), svm_name[info->svm],
           atomics, yes(info->collectives), yes(info->unified), yes(info->cooperative), info->name, info->vendor,
           info->driver);
    if (info->unusable[0]) printf("%-10s cannot be used: %s\n", "", info->unusable);
}

/* Prints which device reaches the memory of which other device. */
static void print_peers(const struct gws_device_info *info, uint32_t count)
{
    printf("\n%-10s", "reaches");
    for (uint32_t to = 0; to < count; to++) printf("  %-10s", info[to].address);
    for (uint32_t from = 0; from < count; from++) {
        printf("\n%-10s", info[from].address);
        for (uint32_t to = 0; to < count; to++) {
            const struct gws_device_peer peer = gws_device_peer(&info[from], &info[to]);
            char cell[32] = "no";
            if (peer.access) snprintf(cell, sizeof cell, "%s %" PRIu32, peer.atomics ? "atomics" : "access", peer.rank);
            printf("  %-10s", from == to ? "-" : cell);
        }
    }
    putchar('\n');
}

/* Prints a line for each device. For each kind without a device, prints a line with the reason. If there are several
 * devices, prints the matrix of peers. */
static void print_table(const struct gws_device_info *info, uint32_t count)
{
    if (count > 0)
        printf("%-10s %-5s %6s %6s %9s  %-12s  %-19s  %-4s  %-7s  %-4s  %s\n", "device", "type", "units", "groups",
               "memory", "svm", "atomics", "scan", "unified", "coop", "name");
    uint32_t kinds = 0; /* a bit for each kind that has a device */
    for (uint32_t i = 0; i < count; i++) {
        print_row(&info[i]);
        kinds |= UINT32_C(1) << info[i].api;
    }
    const char *name, *off;
    for (uint32_t i = 0; (name = gws_device_kind_at(i, NULL, &off)); i++)
        if (!(kinds >> i & 1)) printf("no %s device: %s\n", name, off ? off : "its drivers list none");
    if (count > 1) print_peers(info, count);
}

static void peers_json(struct json *json, const struct device_list *list, const struct gws_device_info *info)
{
    json_open(json, "peers", '[');
    for (uint32_t i = 0; i < list->count; i++) {
        const struct gws_device_peer peer = gws_device_peer(info, &list->info[i]);
        if (&list->info[i] == info) continue;
        json_open(json, NULL, '{');
        json_text(json, "device", list->info[i].address);
        json_bool(json, "access", peer.access);
        json_bool(json, "atomics", peer.atomics);
        json_count(json, "rank", peer.rank);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void device_json(struct json *json, const struct device_list *list, const struct gws_device_info *info)
{
    json_open(json, NULL, '{');
    json_text(json, "device", info->address);
    json_text(json, "name", info->name);
    json_text(json, "vendor", info->vendor);
    json_text(json, "driver", info->driver);
    json_text(json, "type", type_name[info->type]);
    json_name(json, "unusable", info->unusable[0] ? info->unusable : NULL);
    json_count(json, "language", info->version);
    json_count(json, "units", info->units);
    json_count(json, "groups", info->groups);
    json_count(json, "max_group_size", info->max_group_size);
    json_count(json, "max_cluster", info->max_cluster);
    json_count(json, "memory_bytes", info->memory);
    json_count(json, "max_buffer_bytes", info->max_buffer);
    json_count(json, "max_shared_bytes", info->max_shared);
    json_count(json, "local_memory_bytes", info->local_memory);
    json_count(json, "cache_bytes", info->cache);
    json_text(json, "svm", svm_name[info->svm]);
    json_text(json, "atomic_scope", scope_name[info->scope]);
    json_text(json, "atomic_order", order_name[info->order]);
    json_bool(json, "collectives", info->collectives);
    json_bool(json, "unified_memory", info->unified);
    json_bool(json, "cooperative", info->cooperative);
    peers_json(json, list, info);
    json_close(json, '}');
}

static void kinds_json(struct json *json)
{
    const char *name, *about, *off;
    json_open(json, "kinds", '[');
    for (uint32_t i = 0; (name = gws_device_kind_at(i, &about, &off)); i++) {
        json_open(json, NULL, '{');
        json_text(json, "name", name);
        json_text(json, "about", about);
        json_name(json, "off", off);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void list_json(const void *data, struct json *json)
{
    const struct device_list *list = data;
    json_open(json, "devices", '[');
    for (uint32_t i = 0; i < list->count; i++) device_json(json, list, &list->info[i]);
    json_close(json, ']');
    kinds_json(json);
    json_text(json, "version", gws_version());
}

/* ---- main ---- */

static int run(bool as_json)
{
    static struct device_list list;
    struct gws_options options = {.threads = 1, .log = console_log};
    struct gws_runtime *runtime = NULL;
    gws_status status = gws_runtime_open(&options, &runtime);
    if (status != GWS_OK) return console_fail("%s", gws_status_text(status));
    gws_device_list(runtime, list.info, MAX_DEVICES, &list.count);
    gws_runtime_close(runtime);
    if (list.count > MAX_DEVICES) list.count = MAX_DEVICES;
    int failure = -1;
    if (as_json)
        failure = json_print(list_json, &list);
    else
        print_table(list.info, list.count);
    return failure < 0 ? console_finish() : failure;
}

int main(int argc, char **argv)
{
    struct runtime_options settings = {0};
    /* The group has only --json, because --quiet would have no effect. */
    const struct option_group group[] = {
        {"Output", runtime_output_row, 1, &settings},
    };
    const struct command_line line = {.name = "gdevices",
                                      .synopsis = "[--json]",
                                      .about = "Lists the devices besides the CPU, by the names that --device accepts.",
                                      .closing = closing,
                                      .group = group,
                                      .groups = sizeof group / sizeof *group};
    int first = argc, status = ranks_refuse("gdevices");
    if (status < 0) status = options_parse(&line, argc, argv, &first);
    if (status >= 0) return status;
    if (first < argc) return console_usage("expected no operands, got '%s'", argv[first]);
    return run(settings.json);
}
