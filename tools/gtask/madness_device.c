/* SPDX-License-Identifier: MIT */
/* gtask madness on a device: options, runs, comparison with the CPU, report. */
#include "madness_state.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../common/console.h"

/* ---- options ---- */

int madness_device_check(struct madness_device *device)
{
    const char *given = device->sides.given;
    uint32_t rank, ranks;
    int status = task_sides_check(&device->sides, NULL);
    struct device_choice choice = {.cpu = false};
    if (status >= 0 || device->sides.devices == 0 || gws_transport_launched(&rank, &ranks)) return status;
    return device_choose(given, "computed on", &choice);
}

/* ---- running ---- */

int madness_device_open(struct madness_device *device, struct gws_runtime *runtime, uint32_t order)
{
    struct task_sides *sides = &device->sides;
    int failure = task_sides_open(sides, runtime);
    if (failure >= 0 || sides->devices == 0) return failure;
    struct gws_diagnostic where = {0};
    const struct gws_madness_device_options options = {
        .cpu = sides->workers, .groups = (uint32_t)sides->groups.groups, .group_size = (uint32_t)sides->groups.size};
    double began = gws_clock_ms();
    gws_status status = gws_madness_device_open(runtime, sides->device[0], order, &options, &device->builder, &where);
    device->open_ms = gws_clock_ms() - began - gws_device_translate_ms(sides->device[0]);
    return task_sides_opened(status, &where);
}

void madness_device_close(struct madness_device *device)
{
    gws_madness_device_close(device->builder);
    device->builder = NULL;
    task_sides_close(&device->sides);
}

gws_status madness_device_run(struct madness_device *device, const struct gws_madness_problem *problem,
                              struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    double began = gws_clock_ms();
    gws_status status = gws_madness_device_build_on_ranks(device->builder, device->sides.ranks, problem, tree, where);
    device->call_ms = gws_clock_ms() - began;
    gws_madness_device_stats(device->builder, &device->stats);
    device->sides.found[0].created = device->stats.device.run;
    return status;
}

/* ---- comparison with the CPU's tree ---- */

static bool same_numbers(const struct gws_madness_family *a, const struct gws_madness_family *b, uint64_t entries,
                         double norm)
{
    const double tolerance = 1e-12 * sqrt(b->square) + 1e-14 * norm;
    for (uint64_t e = 0; e < entries; e++)
        if (!(fabs(a->coefficient[e] - b->coefficient[e]) <= tolerance)) return false;
    return true;
}

static gws_status compare(const struct gws_madness_tree *tree, const struct gws_madness_tree *other,
                          struct gws_diagnostic *where)
{
    const uint64_t k = tree->order, box = offsetof(struct gws_madness_family, at) + sizeof tree->family->at;
    bool same = tree->families == other->families;
    for (uint64_t i = 0; i < tree->families && same; i++) same = memcmp(&tree->family[i], &other->family[i], box) == 0;
    if (!same)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "%" PRIu64 " leaves differ from the %" PRIu64 " of the CPU", tree->leaves,
                                  other->leaves);
    for (uint64_t i = 0; i < tree->families; i++)
        if (!same_numbers(&tree->family[i], &other->family[i], 8 * k * k * k,
                          other->part[other->family[i].function].norm))
            return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                      "a coefficient of family %" PRIu64 " differs from the CPU's", i);
    return GWS_OK;
}

gws_status madness_device_compare(const struct madness_device *device, struct gws_runtime *runtime,
                                  const struct gws_madness_problem *problem, const struct gws_madness_tree *tree,
                                  struct gws_diagnostic *where)
{
    struct gws_madness_tree *other = NULL;
    if (device->stats.near_tolerance > 0) return GWS_OK; /* rounding decides boxes at the tolerance */
    gws_status status = gws_madness_build(runtime, problem, &other, where);
    if (status == GWS_OK) status = compare(tree, other, where);
    gws_madness_destroy(other);
    return status;
}

/* ---- output ---- */

/* Converts the statistics. Each steal by the device counts as a batch; without threads there are no steals. */
static struct hybrid_stats hybrid_stats_of(const struct gws_madness_device_stats *stats)
{
    return (struct hybrid_stats){stats->cpu, stats->device, stats->device.steals, stats->device.stolen_from_cpu};
}

/* Returns the times of the last run. */
static struct device_times device_times_of(const struct madness_device *device)
{
    const struct gws_madness_device_stats *stats = &device->stats;
    double other_ms = device->call_ms - stats->upload_ms - stats->ms - stats->fetch_ms;
    return (struct device_times){.translate_ms = gws_device_translate_ms(device->sides.device[0]),
                                 .upload_ms = stats->upload_ms,
                                 .prepare_ms = device->open_ms + other_ms,
                                 .run_ms = stats->ms,
                                 .fetch_ms = stats->fetch_ms};
}

static void print_device(const struct madness_device *device, FILE *out)
{
    const struct gws_device_info *info = gws_device_describe(device->sides.device[0]);
    const struct gws_madness_device_stats *stats = &device->stats;
    fprintf(out,
            "device    %s: %s, %" PRIu32 " groups of %" PRIu32 "; %" PRIu64 " to %" PRIu64 " boxes each; %" PRIu64
            " launch%s\n",
            info->address, info->name, stats->groups, stats->group_size, stats->min_boxes, stats->max_boxes,
            stats->launches, stats->launches == 1 ? "" : "es");
    struct device_times times = device_times_of(device);
    device_times_print(&times, "kernels", out);
    const struct hybrid_stats hybrid = hybrid_stats_of(stats);
    if (device->sides.workers) hybrid_stats_print(&hybrid, "boxes", out);
}

void madness_device_print(const struct madness_device *device, FILE *out)
{
    if (device->builder && !device->sides.ranks) print_device(device, out);
    if (device->stats.near_tolerance > 0)
        fprintf(out, "near      %" PRIu64 " boxes are within rounding of the tolerance: the CPU's tree may differ\n",
                device->stats.near_tolerance);
}

void madness_device_json(const struct madness_device *device, struct json *json)
{
    const struct gws_madness_device_stats *stats = &device->stats;
    if (!device->builder || device->sides.ranks) {
        json_null(json, "on_device");
        return;
    }
    json_open(json, "on_device", '{');
    json_count(json, "groups", stats->groups);
    json_count(json, "group_size", stats->group_size);
    struct device_times times = device_times_of(device);
    device_times_json(&times, json);
    json_count(json, "launches", stats->launches);
    json_count(json, "min_boxes", stats->min_boxes);
    json_count(json, "max_boxes", stats->max_boxes);
    json_count(json, "polls", stats->polls);
    json_count(json, "near_tolerance", stats->near_tolerance);
    const struct hybrid_stats hybrid = hybrid_stats_of(stats);
    hybrid_stats_json(&hybrid, device->sides.workers, gws_device_describe(device->sides.device[0])->address, json);
    json_close(json, '}');
}
