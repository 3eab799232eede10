/* SPDX-License-Identifier: MIT */
/* Reports searches on a device. Shares are fractions of all tasks that all workers ran. A thief's row counts the stolen
 * tasks, separately for each side of the victim. */
#include "device.h"

#include <inttypes.h>

#include "../common/console.h"
#include "../common/workers.h"

typedef struct gws_bfs_device_stats stats;

/* Returns the busy fraction, at most 1: busy time and total time come from different clocks, which may differ slightly.
 */
static double busy(const stats *row)
{
    return row->did.busy_ms < row->ms ? row->did.busy_ms / row->ms : 1;
}

static uint64_t all_tasks(const stats *cpu, const stats *groups)
{
    return cpu->did.run + groups->did.run;
}

/* Writes a number, or "auto" for 0, into text. Returns text. */
static const char *number_or_auto(uint64_t number, char *text)
{
    if (number) return console_count(number, text);
    snprintf(text, CONSOLE_NUMBER, "auto");
    return text;
}

/* ---- text ---- */

/* Prints the row cache of a host-resident mesh. */
static void print_row_cache(const struct device_search *search, const struct gws_bfs_device_cached *cached, FILE *out)
{
    char searches[CONSOLE_NUMBER], slots[CONSOLE_NUMBER], brought[CONSOLE_NUMBER], missed[CONSOLE_NUMBER];
    fprintf(out, "rows of %" PRIu32 " words, without bounds\n", cached->row_words);
    if (cached->cache_rows)
        fprintf(out, "row cache %s slots for more rows; the last run prefetched %s rows and missed %s\n",
                console_count(cached->cache_rows, slots), console_count(cached->prefetched, brought),
                console_count(cached->missed, missed));
    if (search->cpu_searches)
        fprintf(out, "whole     %s searches ran on the threads, which were faster or were measured\n",
                console_count(search->cpu_searches, searches));
}

/* Prints the rows that the device caches if the arcs are on the host. */
static void print_cached(const struct device_search *search, FILE *out)
{
    struct gws_bfs_device_cached cached;
    char rows[CONSOLE_NUMBER], whole[CONSOLE_NUMBER], arcs[CONSOLE_NUMBER], bytes[CONSOLE_NUMBER];
    if (!gws_bfs_device_cached(search->search, &cached)) return;
    fprintf(out, "cached    %s arcs (%.1f %%) in %s bytes on the device, from %s rows, %s of them complete; ",
            console_count(cached.arcs, arcs), workers_share(cached.arcs, cached.all_arcs),
            console_count(cached.bytes, bytes), console_count(cached.rows, rows),
            console_count(cached.whole_rows, whole));
    if (cached.row_words)
        print_row_cache(search, &cached, out);
    else
        fprintf(out, "with bounds\n");
}

/* Prints the indexes that searches use and the memory held on the device. */
static void print_prepared(const struct device_search *search, FILE *out)
{
    struct gws_device_index_info info;
    char time[CONSOLE_NUMBER], bytes[CONSOLE_NUMBER];
    const char *before = "prepared  ";
    for (int i = 0; i < GWS_INDEXES; i++) {
        if (!gws_device_graph_index(search->graph, (enum gws_device_index)i, &info)) continue;
        fprintf(out, "%s%s of %s bytes in %s", before, info.name, console_count(info.bytes, bytes),
                console_time(info.prepare_ms, time));
        before = ", ";
    }
    fprintf(out, "%s%s bytes held on the device\n", before[0] == ',' ? "; " : "prepared  no index; ",
            console_count(gws_device_memory_held(search->device), bytes));
}

void device_report_print(const struct device_search *search, FILE *out)
{
    if (search->parted) {
        parted_print(search, out);
        return;
    }
    const struct gws_device_info *info = gws_device_describe(search->device);
    const struct gws_bfs_device_options *chosen = &search->chosen;
    char threshold[CONSOLE_NUMBER];
    fprintf(out, "device    %s: %s, %" PRIu32 " groups of %" PRIu32 "%s\n", info->address, info->name, chosen->groups,
            chosen->group_size, chosen->cpu ? ", beside the threads" : "");
    fprintf(out, "form      %s; steal %s, gpu-threshold %s, order %s\n",
            gws_bfs_form_name(gws_bfs_device_form(search->search)), device_steal_name[chosen->steal],
            number_or_auto(chosen->threshold, threshold), device_order_name[chosen->order]);
    print_prepared(search, out);
    print_cached(search, out);
}

void device_report_print_stolen(const struct device_search *search, FILE *out)
{
    stats cpu = device_search_side(search, false), groups = device_search_side(search, true);
    uint64_t tasks = all_tasks(&cpu, &groups);
    char text[CONSOLE_NUMBER];
    fprintf(out, "stolen    %.1f %% of %s tasks: %.1f %% by the CPU's threads, %.1f %% by groups\n",
            workers_share(gws_side_stolen(&cpu.did) + gws_side_stolen(&groups.did), tasks), console_count(tasks, text),
            workers_share(gws_side_stolen(&cpu.did), tasks), workers_share(gws_side_stolen(&groups.did), tasks));
}

static void print_row(FILE *out, const char *name, const stats *row)
{
    char text[CONSOLE_NUMBER];
    fprintf(out, "%-12s%15s", name, console_count(row->did.made, text));
    fprintf(out, "%15s", console_count(row->did.run, text));
    fprintf(out, "%15s", console_count(row->did.stolen_from_cpu, text));
    fprintf(out, "%15s", console_count(row->did.stolen_from_device, text));
    fprintf(out, "%7.1f %%", workers_share(gws_side_stolen(&row->did), row->did.run));
    fprintf(out, "%12s", console_count(row->did.steals, text));
    fprintf(out, "%12s", console_count(row->did.failed, text));
    if (row->ms > 0) fprintf(out, "%7.1f %%", 100 * busy(row));
    fprintf(out, "\n");
}

static void print_shares(FILE *out, const char *name, const stats *row, uint64_t tasks)
{
    fprintf(out, "%-12s%13.1f %%%13.1f %%%13.1f %%%13.1f %%\n", name, workers_share(row->did.run, tasks),
            workers_share(row->did.run - gws_side_stolen(&row->did), tasks),
            workers_share(row->did.stolen_from_cpu, tasks), workers_share(row->did.stolen_from_device, tasks));
}

void device_report_print_workers(const struct device_search *search, FILE *out)
{
    stats cpu = device_search_side(search, false), groups = device_search_side(search, true);
    fprintf(out, "%-12s%15s%15s%15s%15s%9s%12s%12s%s\n", "worker", "assigned", "ran", "from cpu", "from groups",
            "share", "steals", "failed", groups.ms > 0 ? "     busy" : "");
    for (uint32_t i = 0, number = 0; i < search->workers; i++, number++) {
        char name[24];
        if (i > 0 && search->sum[i].gpu != search->sum[i - 1].gpu) number = 0;
        snprintf(name, sizeof name, "%s %" PRIu32, search->sum[i].gpu ? "group" : "cpu", number);
        print_row(out, name, &search->sum[i]);
    }
    if (search->chosen.cpu) print_row(out, "all cpu", &cpu);
    print_row(out, "all groups", &groups);
    fprintf(out, "%-12s%15s%15s%15s%15s\n", "of tasks", "ran", "assigned", "from cpu", "from groups");
    if (search->chosen.cpu) print_shares(out, "cpu", &cpu, all_tasks(&cpu, &groups));
    print_shares(out, "groups", &groups, all_tasks(&cpu, &groups));
}

/* Prints the cost model of handoff and its counts. */
void device_report_print_model(const struct device_search *search, FILE *out)
{
    const struct gws_handoff_model *model = &search->model;
    char levels[CONSOLE_NUMBER], vertices[CONSOLE_NUMBER], handoffs[CONSOLE_NUMBER];
    if (!search->has_model) return;
    fprintf(out,
            "model     level: cpu %.3f + %.4f x work us, device %.3f + %.4f x work us; work is vertices and arcs\n",
            model->host_level_ns / 1e3, model->host_step_ns / 1e3, model->device_level_ns / 1e3,
            model->device_step_ns / 1e3);
    fprintf(out, "handoff   %s times, a round trip takes %.1f us; cpu ran %s levels, found %s vertices in %.3f ms\n",
            console_count(model->handoffs, handoffs), model->handoff_ns / 1e3,
            console_count(model->host_levels, levels), console_count(model->host_vertices, vertices), model->host_ms);
}

/* ---- JSON ---- */

static void model_json(const struct device_search *search, struct json *json)
{
    const struct gws_handoff_model *model = &search->model;
    json_open(json, "model", '{');
    json_number(json, "cpu_level_us", model->host_level_ns / 1e3);
    json_number(json, "cpu_step_us", model->host_step_ns / 1e3);
    json_number(json, "device_level_us", model->device_level_ns / 1e3);
    json_number(json, "device_step_us", model->device_step_ns / 1e3);
    json_number(json, "handoff_us", model->handoff_ns / 1e3);
    json_count(json, "handoffs", model->handoffs);
    json_count(json, "cpu_levels", model->host_levels);
    json_count(json, "cpu_vertices", model->host_vertices);
    json_number(json, "cpu_ms", model->host_ms);
    json_close(json, '}');
}

static void cached_json(const struct device_search *search, const struct gws_bfs_device_cached *cached,
                        struct json *json)
{
    json_open(json, "cached", '{');
    json_count(json, "rows", cached->rows);
    json_count(json, "whole_rows", cached->whole_rows);
    json_count(json, "arcs", cached->arcs);
    json_count(json, "bytes", cached->bytes);
    json_number(json, "share", workers_share(cached->arcs, cached->all_arcs) / 100);
    json_count(json, "bound_bytes", cached->bound_bytes);
    if (cached->row_words) json_count(json, "row_words", cached->row_words);
    if (cached->row_words) json_count(json, "cache_slots", cached->cache_rows);
    if (cached->row_words) json_count(json, "cpu_searches", search->cpu_searches);
    if (cached->cache_rows) {
        json_count(json, "prefetched_rows", cached->prefetched);
        json_count(json, "cache_misses", cached->missed);
    }
    json_close(json, '}');
}

static void prepared_json(const struct device_search *search, struct json *json)
{
    struct gws_device_index_info info;
    json_open(json, "prepared", '[');
    for (int i = 0; i < GWS_INDEXES; i++) {
        if (!gws_device_graph_index(search->graph, (enum gws_device_index)i, &info)) continue;
        json_open(json, NULL, '{');
        json_text(json, "name", info.name);
        json_number(json, "ms", info.prepare_ms);
        json_count(json, "bytes", info.bytes);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void workers_rows(const struct device_search *search, struct json *json)
{
    json_open(json, "workers", '[');
    for (uint32_t i = 0, number = 0; i < search->workers; i++, number++) {
        const stats *row = &search->sum[i];
        if (i > 0 && row->gpu != search->sum[i - 1].gpu) number = 0;
        json_open(json, NULL, '{');
        json_text(json, "device", row->gpu ? gws_device_describe(search->device)->address : "cpu");
        json_count(json, "worker", number);
        json_count(json, "assigned", row->did.made);
        json_count(json, "tasks", row->did.run);
        json_count(json, "stolen", gws_side_stolen(&row->did));
        json_count(json, "stolen_from_cpu", row->did.stolen_from_cpu);
        json_count(json, "stolen_from_device", row->did.stolen_from_device);
        json_count(json, "steals", row->did.steals);
        json_count(json, "failed_steals", row->did.failed);
        if (row->ms > 0) json_number(json, "busy", busy(row));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void share_json(struct json *json, const char *key, const stats *row, uint64_t tasks)
{
    json_open(json, key, '{');
    json_number(json, "assigned", workers_share(row->did.run - gws_side_stolen(&row->did), tasks) / 100);
    json_number(json, "from_cpu", workers_share(row->did.stolen_from_cpu, tasks) / 100);
    json_number(json, "from_device", workers_share(row->did.stolen_from_device, tasks) / 100);
    json_close(json, '}');
}

void device_report_json(const struct device_search *search, struct json *json)
{
    if (search->parted) {
        parted_json(search, json);
        return;
    }
    const struct gws_bfs_device_options *chosen = &search->chosen;
    stats cpu = device_search_side(search, false), groups = device_search_side(search, true);
    json_text(json, "device_name", gws_device_describe(search->device)->name);
    json_text(json, "form", gws_bfs_form_name(gws_bfs_device_form(search->search)));
    json_count(json, "groups", chosen->groups);
    json_count(json, "group_size", chosen->group_size);
    json_text(json, "steal", device_steal_name[chosen->steal]);
    json_count(json, "gpu_threshold", chosen->threshold);
    json_text(json, "order", device_order_name[chosen->order]);
    prepared_json(search, json);
    json_count(json, "device_bytes", gws_device_memory_held(search->device));
    struct gws_bfs_device_cached cached;
    if (gws_bfs_device_cached(search->search, &cached)) cached_json(search, &cached, json);
    if (search->has_model) model_json(search, json);
    workers_rows(search, json);
    json_open(json, "shares", '{');
    share_json(json, "cpu", &cpu, all_tasks(&cpu, &groups));
    share_json(json, "device", &groups, all_tasks(&cpu, &groups));
    json_close(json, '}');
}
