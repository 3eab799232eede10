/* SPDX-License-Identifier: MIT */
#include "task_sides.h"

#include <inttypes.h>
#include <string.h>

#include "../common/console.h"

#define FIELD(name) offsetof(struct task_sides, name)

const struct option_row task_sides_row[TASK_SIDES_ROWS] = {
    {TEXT(
        "device", "LIST|auto|help", FIELD(given),
        "run the tasks on cpu (the default), on KIND[:N], or on several, such\nas cpu,cuda:0,1 or cuda:all; auto uses "
        "the first CUDA device, if there\nis one; help lists the kinds, gdevices the devices")},
};

static bool is_auto(const struct task_sides *sides)
{
    return strcmp(sides->given, "auto") == 0;
}

int task_sides_check(struct task_sides *sides, const char *cpu_option)
{
    if (sides->given && strcmp(sides->given, "help") == 0) return device_name_help(DEVICE_ABOUT_AUTO);
    int status = device_option_check(sides->given, device_groups_given(&sides->groups));
    sides->workers = !sides->given;
    if (status >= 0 || !sides->given || is_auto(sides)) return status;
    status = device_choices_parse(sides->given, &sides->list);
    if (status >= 0) return status;
    sides->devices = sides->list.count;
    sides->workers = sides->list.cpu;
    if (!sides->workers && cpu_option)
        return console_usage("--%s requires the CPU, and --device names only a device", cpu_option);
    return status;
}

/* ---- opening ---- */

/* Makes kinds without a number stand for all of their devices. */
static void widen(struct device_choices *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        char *address = list->address[i];
        const size_t length = strlen(address);
        if (!strchr(address, ':')) snprintf(address + length, DEVICE_ADDRESS - length, ":all");
    }
}

/* Keeps the device of this rank. */
static void choose_device(struct device_choices *list, const struct gws_ranks *ranks)
{
    const uint32_t own = gws_transport_rank_here(ranks->transport) % list->count;
    memmove(list->address[0], list->address[own], DEVICE_ADDRESS);
    list->count = 1;
}

static int resolve(struct task_sides *sides, struct gws_runtime *runtime)
{
    struct device_choices *list = &sides->list;
    if (sides->given && is_auto(sides)) {
        list->count = device_find_cuda(runtime, list->address[0]);
        sides->workers = list->count == 0;
        if (list->count > 0 && sides->ranks) *strchr(list->address[0], ':') = '\0';
    }
    if (list->count == 0) return -1;
    if (sides->ranks) widen(list);
    int status = device_choices_resolve(runtime, list);
    if (status < 0 && sides->ranks) choose_device(list, sides->ranks);
    return status;
}

/* Refuses a device that is open already, under whatever name. */
static int check_new(const struct task_sides *sides, uint32_t device)
{
    for (uint32_t i = 0; i < device; i++)
        if (gws_device_same(sides->device[i], sides->device[device]))
            return console_usage("--device: %s is named twice", gws_device_describe(sides->device[i])->address);
    return -1;
}

/* A runtime of a device. Its workers copy: all CPUs but those that work beside them. */
static int open_runtime(struct task_sides *sides, struct gws_runtime *tool, struct gws_runtime **runtime)
{
    const uint32_t threads = sides->workers ? 1 : gws_runtime_workers(tool) / sides->list.count;
    const struct gws_options options = {.threads = threads ? threads : 1, .log = console_log};
    gws_status status = interrupts_open_runtime(&options, runtime);
    return status == GWS_OK ? -1 : console_fail("cannot start the workers: %s", gws_status_text(status));
}

static int open_device(struct task_sides *sides, uint32_t device, struct gws_runtime *tool)
{
    const bool apart = sides->threaded && (sides->ranks || sides->list.count + sides->workers > 1);
    int status = apart ? open_runtime(sides, tool, &sides->runtime[device]) : -1;
    if (status >= 0) return status;
    return device_open(apart ? sides->runtime[device] : tool, sides->list.address[device],
                       device_shares(&sides->list, device), &sides->device[device]);
}

int task_sides_open(struct task_sides *sides, struct gws_runtime *runtime)
{
    int status = resolve(sides, runtime);
    char *text = sides->text;
    sides->devices = 0;
    for (uint32_t i = 0; i < sides->list.count && status < 0; i++) {
        const char *address = sides->list.address[i];
        text += sprintf(text, "%s%s", i > 0 ? "," : "", address);
        status = open_device(sides, i, runtime);
        if (status < 0) sides->devices++;
        if (status < 0) status = check_new(sides, i);
    }
    return status;
}

void task_sides_close(struct task_sides *sides)
{
    for (uint32_t i = 0; i < DEVICE_CHOICES_MAX; i++) {
        gws_device_close(sides->device[i]);
        gws_runtime_close(sides->runtime[i]);
        sides->device[i] = NULL;
        sides->runtime[i] = NULL;
    }
}

const char *task_sides_address(const void *state, bool *cpu)
{
    const struct task_sides *sides = state;
    bool is_unknown = sides->given && is_auto(sides) && !sides->workers; /* before task_sides_open() */
    *cpu = sides->workers;
    if (sides->text[0]) return sides->text;
    return sides->devices > 0 || is_unknown ? sides->given : NULL;
}

int task_sides_opened(gws_status status, const struct gws_diagnostic *where)
{
    return status == GWS_OK ? -1 : device_fail(status, where);
}

struct gws_device_tasks_options task_sides_options(const struct task_sides *sides)
{
    return (struct gws_device_tasks_options){.groups = (uint32_t)sides->groups.groups};
}

/* ---- output ---- */

uint32_t task_sides_count(const struct task_sides *sides)
{
    return sides->devices + sides->workers;
}

static void print_device(const struct gws_device_info *info, const struct gws_device_tasks_result *stats, FILE *out)
{
    char steals[CONSOLE_NUMBER], failed[CONSOLE_NUMBER], stolen[CONSOLE_NUMBER], spilled[CONSOLE_NUMBER];
    fprintf(out, "device    %s: %s, %" PRIu32 " workers in %" PRIu32 " groups; %" PRIu64 " launch%s\n", info->address,
            info->name, stats->workers, stats->groups, stats->launches, stats->launches == 1 ? "" : "es");
    fprintf(out, "stolen    %s blocks in %s steal%s; %s failed; idle %.1f %%\n", console_count(stats->stolen, stolen),
            console_count(stats->steals, steals), stats->steals == 1 ? "" : "s", console_count(stats->failed, failed),
            100 * stats->idle);
    if (stats->spilled > 0) fprintf(out, "spilled   %s tasks to the host\n", console_count(stats->spilled, spilled));
}

const char *task_sides_name(const struct task_sides *sides, uint32_t side)
{
    return side < sides->devices ? gws_device_describe(sides->device[side])->address : "cpu";
}

static void print_side(const struct task_sides *sides, uint32_t side, uint64_t all, FILE *out)
{
    const struct gws_device_task_side_result *found = &sides->found[side];
    char created[CONSOLE_NUMBER], taken[CONSOLE_NUMBER], takes[CONSOLE_NUMBER], given[CONSOLE_NUMBER],
        gives[CONSOLE_NUMBER], idle[CONSOLE_NUMBER];
    fprintf(out, "side      %s: %s tasks created, %.1f %% of all; took %s in %s, gave %s in %s; idle %s\n",
            task_sides_name(sides, side), console_count(found->created, created), workers_share(found->created, all),
            console_count(found->taken, taken), console_count(found->takes, takes), console_count(found->given, given),
            console_count(found->gives, gives), console_time(found->idle_ms, idle));
}

void task_sides_print_devices(const struct task_sides *sides, FILE *out)
{
    for (uint32_t i = 0; i < sides->devices; i++)
        print_device(gws_device_describe(sides->device[i]), &sides->found[i].device, out);
}

void task_sides_use_ranks(void *state, const struct gws_ranks *ranks)
{
    struct task_sides *sides = state;
    sides->ranks = ranks;
}

void task_sides_add_device(const void *state, struct rank_row *row)
{
    const struct task_sides *sides = state;
    if (sides->devices == 0) return;
    snprintf(row->device, sizeof row->device, "%.*s", (int)sizeof row->device - 1, task_sides_name(sides, 0));
    row->on_device += sides->found[0].created;
}

void task_sides_print(const void *state, FILE *out)
{
    const struct task_sides *sides = state;
    uint64_t all = 0;
    if (sides->ranks) return;
    task_sides_print_devices(sides, out);
    for (uint32_t i = 0; i < task_sides_count(sides); i++) all += sides->found[i].created;
    for (uint32_t i = 0; i < task_sides_count(sides) && task_sides_count(sides) > 1; i++)
        print_side(sides, i, all, out);
}

/* ---- the table ---- */

/* Prints a number right-aligned, or "-" if only devices have it. */
static void print_cell(int width, bool has, uint64_t value, FILE *out)
{
    char text[CONSOLE_NUMBER];
    fprintf(out, "%*s", width, has ? console_count(value, text) : "-");
}

static void print_table_head(const struct task_sides *sides, FILE *out)
{
    const uint32_t count = task_sides_count(sides);
    fprintf(out, "%-10s%8s%8s%15s%9s%12s%12s%12s%9s", "side", "groups", "workers", "tasks", "share", "steals", "across",
            "failed", "idle");
    for (uint32_t i = 0; i < count && count > 1; i++) {
        char name[DEVICE_ADDRESS + 8];
        snprintf(name, sizeof name, "from %s", task_sides_name(sides, i));
        fprintf(out, "%15s", name);
    }
    if (count > 1) fprintf(out, "%12s%12s", "given", "requests");
    fprintf(out, "%12s%12s\n", "spilled", "in host");
}

static uint64_t created_on(const struct task_sides *sides, uint32_t side)
{
    return side < sides->devices ? sides->found[side].device.created : sides->found[side].created;
}

/* The CPU's steals and times are in the table by worker. */
static void print_table_row(const struct task_sides *sides, uint32_t side, uint64_t all, FILE *out)
{
    const struct gws_device_task_side_result *found = &sides->found[side];
    const struct gws_device_tasks_result *device = &found->device;
    const uint32_t count = task_sides_count(sides);
    const bool is_device = side < sides->devices;
    fprintf(out, "%-10s", task_sides_name(sides, side));
    print_cell(8, is_device, device->groups, out);
    print_cell(8, is_device, device->workers, out);
    print_cell(15, true, created_on(sides, side), out);
    fprintf(out, "%7.1f %%", workers_share(created_on(sides, side), all));
    print_cell(12, is_device, device->steals, out);
    print_cell(12, is_device, device->across, out);
    print_cell(12, is_device, device->failed, out);
    if (is_device)
        fprintf(out, "%7.1f %%", 100 * device->idle);
    else
        print_cell(9, false, 0, out);
    for (uint32_t i = 0; i < count && count > 1; i++) print_cell(15, true, found->from[i], out);
    if (count > 1) print_cell(12, true, found->given, out);
    if (count > 1) print_cell(12, is_device, found->requests, out);
    print_cell(12, is_device, device->spilled, out);
    print_cell(12, is_device, device->high_water, out);
    fputc('\n', out);
}

void task_sides_table(const void *state, FILE *out)
{
    const struct task_sides *sides = state;
    uint64_t all = 0;
    if (sides->devices == 0 || sides->ranks) return;
    for (uint32_t i = 0; i < task_sides_count(sides); i++) all += created_on(sides, i);
    print_table_head(sides, out);
    for (uint32_t i = 0; i < task_sides_count(sides); i++) print_table_row(sides, i, all, out);
}
