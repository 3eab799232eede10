/* SPDX-License-Identifier: MIT */
/* A device that is not there has an exit status of its own; one that cannot build what is asked for is misused. */
#include "device.h"

#include <string.h>

#include "../common/console.h"

/* ---- the name ---- */

static bool is_cpu(const struct settings *settings)
{
    return !settings->device || strcmp(settings->device, "cpu") == 0;
}

bool tree_device_wanted(const struct settings *settings)
{
    return !is_cpu(settings);
}

static bool is_word(const char *device)
{
    return strcmp(device, "cpu") == 0 || strcmp(device, "auto") == 0;
}

int tree_device_check(const struct settings *settings)
{
    const char *device = settings->device;
    const struct engine_settings *engine = &settings->engine;
    if (device && strcmp(device, "help") == 0) return device_name_help(DEVICE_ABOUT_AUTO);
    int status = device && !is_word(device) ? device_name_check(device) : -1;
    if (status >= 0) return status;
    const char *given = device_groups_given(&settings->groups);
    if (!given && settings->piece) given = "piece";
    status = device_option_check(device, given);
    if (status >= 0 || is_cpu(settings)) return status;
    status = device_groups_check(&settings->groups);
    if (status >= 0) return status;
    if (engine->chunk && strcmp(engine->policy, "chunked") != 0)
        return console_usage("--chunk: on devices the policy chunked alone has chunks, not %s", engine->policy);
    if (engine->victim || engine->amount)
        return console_usage("--%s is for the CPU's threads", engine->victim ? "victim" : "amount");
    if (engine->trace || engine->sample || engine->wait || engine->vote || engine->seed)
        return console_usage("--%s is for the CPU's threads", engine->trace    ? "trace"
                                                              : engine->seed   ? "seed"
                                                              : engine->sample ? "sample"
                                                              : engine->wait   ? "wait"
                                                                               : "termination");
    return -1;
}

/* ---- the device ---- */

static int open_builder(struct tree_device *device, struct gws_runtime *runtime, const struct settings *settings)
{
    struct gws_octree_device_options options = {.tree = settings_tree(settings),
                                                .groups = (uint32_t)settings->groups.groups,
                                                .group_size = (uint32_t)settings->groups.size,
                                                .chunk = (uint32_t)settings->engine.chunk,
                                                .piece = (uint32_t)settings->piece};
    struct gws_where where = {0};
    gws_status status = gws_octree_device_open(runtime, device->device, &options, &device->builder, &where);
    if (status == GWS_OK) {
        gws_octree_device_chosen(device->builder, &device->chosen);
        return -1;
    }
    return device_fail(status, &where);
}

int tree_device_open(struct tree_device *device, struct gws_runtime *runtime, const struct settings *settings)
{
    char address[DEVICE_ADDRESS];
    if (is_cpu(settings)) return -1;
    if (strcmp(settings->device, "auto") != 0)
        snprintf(address, sizeof address, "%s", settings->device);
    else if (!device_find_cuda(runtime, address))
        return -1;
    int failure = device_open(runtime, address, &device->device);
    return failure < 0 ? open_builder(device, runtime, settings) : failure;
}

void tree_device_close(struct tree_device *device)
{
    gws_octree_device_close(device->builder);
    gws_device_close(device->device);
    *device = (struct tree_device){0};
}
