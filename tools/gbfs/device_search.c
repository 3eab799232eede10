/* SPDX-License-Identifier: MIT */
/* Searches on a device: opens it, runs searches, and sums the statistics of its workers. */
#include "device.h"

#include <stdlib.h>

#include "../common/console.h"

int device_search_device(struct device_search *search, struct gws_runtime *runtime, const struct device_choice *choice,
                         const struct device_choices *list)
{
    if (list->count > 0) return parted_devices(search, runtime, list);
    return choice->address[0] ? device_open(runtime, choice->address, 1, &search->device) : -1;
}

static gws_status open_search(struct device_search *search, struct session *session,
                              const struct gws_device_graph_options *placing,
                              const struct gws_bfs_device_options *options, struct gws_diagnostic *where)
{
    gws_status status =
        gws_device_graph_open(session->runtime, search->device, session->graph, placing, &search->graph, where);
    double begin = gws_clock_ms();
    if (status == GWS_OK) status = gws_bfs_device_open(search->graph, options, &search->search, where);
    search->prepare_ms = gws_clock_ms() - begin - gws_device_translate_ms(search->device);
    if (status != GWS_OK) return status;
    gws_bfs_device_chosen(search->search, &search->chosen);
    search->workers = gws_bfs_device_workers(search->search);
    search->now = calloc(search->workers, sizeof *search->now);
    search->sum = calloc(search->workers, sizeof *search->sum);
    return search->now && search->sum ? GWS_OK : GWS_NO_MEMORY;
}

int device_search_open(struct device_search *search, struct session *session,
                       const struct gws_device_graph_options *placing, const struct gws_bfs_device_options *options)
{
    if (!search->device) return -1;
    struct gws_diagnostic where = {0};
    gws_status status = GWS_OK;
    if (search->others > 0) status = parted_open(search, session, placing, options->direction, &where);
    if (status == GWS_OK && !search->parted) status = open_search(search, session, placing, options, &where);
    return status == GWS_OK ? -1 : device_fail(status, &where);
}

gws_status device_search_try(struct device_search *search, struct session *session, const char *address,
                             const struct gws_bfs_device_options *options, struct gws_diagnostic *where)
{
    gws_status status = gws_device_open(session->runtime, address, NULL, &search->device, where);
    return status == GWS_OK ? open_search(search, session, NULL, options, where) : status;
}

int device_search_poison(struct device_search *search)
{
    struct gws_diagnostic where = {0};
    gws_status status =
        search->parted ? gws_bfs_devices_poison(search->parted, &where) : gws_bfs_device_poison(search->search, &where);
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

int device_search_run(struct device_search *search, uint32_t source, struct gws_bfs_result *result)
{
    struct gws_diagnostic where = {0};
    double begin = gws_clock_ms();
    gws_status status = search->parted ? gws_bfs_devices_run(search->parted, source, result, &where)
                                       : gws_bfs_device_run(search->search, source, result, &where);
    if (status == GWS_OK)
        status = search->parted ? gws_bfs_devices_fetch(search->parted, search->parts, result, &where)
                                : gws_bfs_device_fetch(search->search, search->parts, result, &where);
    search->fetch_ms = gws_clock_ms() - begin - result->ms;
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

void device_search_close(struct device_search *search)
{
    gws_bfs_device_close(search->search);
    gws_device_graph_close(search->graph);
    parted_close(search);
    gws_device_close(search->device);
    free(search->now);
    free(search->sum);
    *search = (struct device_search){0};
}

/* ---- statistics ---- */

void device_search_start(struct device_search *search)
{
    if (!search->parted) gws_bfs_device_stats_reset(search->search);
}

static void add(struct gws_bfs_device_stats *sum, const struct gws_bfs_device_stats *part)
{
    sum->gpu = part->gpu;
    gws_side_add(&sum->did, &part->did);
    sum->ms += part->ms;
}

void device_search_stop(struct device_search *search)
{
    if (search->parted) return;
    gws_bfs_device_stats(search->search, search->now);
    for (uint32_t i = 0; i < search->workers; i++) add(&search->sum[i], &search->now[i]);
    struct gws_handoff_model now, before = search->model;
    struct gws_bfs_device_cached cached;
    if (gws_bfs_device_cached(search->search, &cached)) search->cpu_searches += cached.cpu_searches;
    search->has_model = gws_bfs_device_model(search->search, &now);
    if (!search->has_model) return;
    search->model = now;
    search->model.handoffs += before.handoffs;
    search->model.host_levels += before.host_levels;
    search->model.host_vertices += before.host_vertices;
    search->model.host_ms += before.host_ms;
}

struct gws_bfs_device_stats device_search_side(const struct device_search *search, bool gpu)
{
    struct gws_bfs_device_stats side = {0};
    for (uint32_t i = 0; i < search->workers; i++)
        if (search->sum[i].gpu == gpu) add(&side, &search->sum[i]);
    return side;
}
