/* SPDX-License-Identifier: MIT */
#include "task_device.h"

#include <inttypes.h>
#include <string.h>

#include "../common/console.h"

#define FIELD(name) offsetof(struct task_device, name)

const struct option_row task_device_row[TASK_DEVICE_ROWS] = {
    {TEXT("device", "NAME|auto|help", FIELD(address),
          "run the tasks on cpu (the default) or on KIND[:N]; auto uses the first\nCUDA device, if there is one; help "
          "lists the kinds, gdevices the devices")},
};

static bool is_auto(const struct task_device *device)
{
    return strcmp(device->address, "auto") == 0;
}

int task_device_check(struct task_device *device, const char *cpu_option)
{
    if (device->address && strcmp(device->address, "help") == 0) return device_name_help(DEVICE_ABOUT_AUTO);
    int status = device_option_check(device->address, device_groups_given(&device->groups));
    struct device_choice choice = {.cpu = false};
    if (status >= 0 || !device->address || is_auto(device)) return status;
    status = device_choose(device->address, "run on", &choice);
    if (status >= 0) return status;
    memcpy(device->found, choice.address, sizeof device->found);
    device->address = *device->found ? device->found : NULL;
    if (device->address && choice.cpu)
        return console_usage("--device: the tasks run on the CPU or on a device, not on both");
    if (device->address && cpu_option)
        return console_usage("--%s requires the CPU, and --device names only a device", cpu_option);
    return status;
}

int task_device_open(struct task_device *device, struct gws_runtime *runtime)
{
    if (device->address && is_auto(device))
        device->address = device_find_cuda(runtime, device->found) ? device->found : NULL;
    return device->address ? device_open(runtime, device->address, &device->device) : -1;
}

void task_device_close(struct task_device *device)
{
    gws_device_close(device->device);
    device->device = NULL;
}

const char *task_device_address(const struct task_device *device, bool *cpu)
{
    *cpu = !device->address;
    return device->address;
}

int task_device_opened(gws_status status, const struct gws_diagnostic *where)
{
    return status == GWS_OK ? -1 : device_fail(status, where);
}

struct gws_device_tasks_options task_device_options(const struct task_device *device)
{
    return (struct gws_device_tasks_options){.groups = (uint32_t)device->groups.groups};
}

/* ---- output ---- */

void task_device_print(const struct task_device *device, FILE *out)
{
    if (!device->address) return;
    const struct gws_device_info *info = gws_device_describe(device->device);
    const struct gws_device_tasks_result *stats = &device->stats;
    char steals[CONSOLE_NUMBER], failed[CONSOLE_NUMBER], stolen[CONSOLE_NUMBER], spilled[CONSOLE_NUMBER];
    fprintf(out, "device    %s: %s, %" PRIu32 " workers in %" PRIu32 " groups; %" PRIu64 " launch%s\n", info->address,
            info->name, stats->workers, stats->groups, stats->launches, stats->launches == 1 ? "" : "es");
    fprintf(out, "stolen    %s blocks in %s steal%s; %s failed; idle %.1f %%\n", console_count(stats->stolen, stolen),
            console_count(stats->steals, steals), stats->steals == 1 ? "" : "s", console_count(stats->failed, failed),
            100 * stats->idle);
    if (stats->spilled > 0) fprintf(out, "spilled   %s tasks to the host\n", console_count(stats->spilled, spilled));
}

void task_device_json(const struct task_device *device, struct json *json)
{
    const struct gws_device_tasks_result *stats = &device->stats;
    if (!device->address) {
        json_null(json, "on_device");
        return;
    }
    json_open(json, "on_device", '{');
    json_count(json, "groups", stats->groups);
    json_count(json, "group_size", stats->group_size);
    json_count(json, "workers", stats->workers);
    json_number(json, "translate_ms", gws_device_translate_ms(device->device));
    json_number(json, "kernel_ms", stats->ms);
    json_count(json, "launches", stats->launches);
    json_count(json, "steps", stats->steps);
    json_count(json, "pushes", stats->pushes);
    json_count(json, "listed", stats->listed);
    json_count(json, "steals", stats->steals);
    json_count(json, "failed_steals", stats->failed);
    json_count(json, "stolen", stats->stolen);
    json_count(json, "spilled", stats->spilled);
    json_number(json, "idle", stats->idle);
    json_close(json, '}');
}
