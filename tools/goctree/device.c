/* SPDX-License-Identifier: MIT */
/* A device that is not there has an exit status of its own; one that cannot build what is asked for is misused. */
#include "goctree.h"

#include <string.h>

/* ---- what is asked for ---- */

int tree_device_choose(struct settings *settings)
{
    const char *devices = settings->devices;
    if (devices && strcmp(devices, "help") == 0) return device_name_help(DEVICE_ABOUT_AUTO);
    settings->choice = (struct device_choice){.cpu = !devices, .automatic = devices && strcmp(devices, "auto") == 0};
    return devices && !settings->choice.automatic ? device_choose(devices, "built on", &settings->choice) : -1;
}

bool tree_device_wanted(const struct settings *settings)
{
    return settings->choice.automatic || settings->choice.address[0];
}

/* An option of which nothing comes without a device; NULL if none is given. */
static const char *given(const struct settings *settings)
{
    if (device_groups_given(&settings->groups)) return device_groups_given(&settings->groups);
    if (settings->form >= 0) return "form";
    return settings->piece ? "piece" : NULL;
}

/* What the CPU's threads alone know. */
static const char *given_to_threads(const struct engine_settings *engine)
{
    if (engine->victim) return "victim";
    if (engine->amount) return "amount";
    if (engine->seed) return "seed";
    if (engine->sample) return "sample";
    if (engine->wait) return "wait";
    return engine->vote ? "termination" : NULL;
}

int tree_device_check(const struct settings *settings)
{
    const struct engine_settings *engine = &settings->engine;
    int status = device_option_check(settings->devices, given(settings));
    if (status >= 0 || !tree_device_wanted(settings)) return status;
    status = device_groups_check(&settings->groups);
    if (status >= 0) return status;
    if (settings->form > GWS_OCTREE_FORM_DEVICE && !settings->choice.cpu)
        return console_usage("--form: there is one side only; --device cpu,opencl has two");
    if (engine->chunk && strcmp(engine->policy, "chunked") != 0)
        return console_usage("--chunk: on devices the policy chunked alone has chunks, not %s", engine->policy);
    const char *name = given_to_threads(engine);
    return name ? console_usage("--%s is for the CPU's threads alone", name) : -1;
}

/* ---- the device ---- */

static int open_builder(struct tree_device *device, struct gws_runtime *runtime, const struct settings *settings)
{
    struct gws_octree_device_options options = {.tree = settings_tree(settings),
                                                .cpu = settings->choice.cpu,
                                                .form = settings->form < 0 ? GWS_OCTREE_FORM_AUTO
                                                                           : (enum gws_octree_form)settings->form,
                                                .groups = (uint32_t)settings->groups.groups,
                                                .group_size = (uint32_t)settings->groups.size,
                                                .chunk = (uint32_t)settings->engine.chunk,
                                                .piece = (uint32_t)settings->piece};
    struct gws_diagnostic where = {0};
    double began = gws_clock_ms();
    gws_status status = gws_octree_device_open(runtime, device->device, &options, &device->builder, &where);
    device->open_ms = gws_clock_ms() - began - gws_device_translate_ms(device->device);
    if (status == GWS_OK) {
        gws_octree_device_chosen(device->builder, &device->chosen);
        return -1;
    }
    return device_fail(status, &where);
}

int tree_device_open(struct tree_device *device, struct gws_runtime *runtime, const struct settings *settings)
{
    char address[DEVICE_ADDRESS];
    memcpy(address, settings->choice.address, sizeof address);
    if (!tree_device_wanted(settings)) return -1;
    if (settings->choice.automatic && !device_find_cuda(runtime, address)) return -1;
    int failure = device_open(runtime, address, &device->device);
    return failure < 0 ? open_builder(device, runtime, settings) : failure;
}

void tree_device_close(struct tree_device *device)
{
    gws_octree_device_close(device->builder);
    gws_device_close(device->device);
    *device = (struct tree_device){0};
}
