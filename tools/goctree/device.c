/* SPDX-License-Identifier: MIT */
/* goctree on a device. A missing device has its own exit status. If the device cannot build the requested tree, the
 * exit status is that of misuse. */
#include "goctree.h"

#include <string.h>

/* ---- options ---- */

int tree_device_choose(struct tree_settings *settings)
{
    const char *devices = settings->devices;
    if (devices && strcmp(devices, "help") == 0) return device_name_help(DEVICE_ABOUT_AUTO);
    settings->choice = (struct device_choice){.cpu = !devices, .automatic = devices && strcmp(devices, "auto") == 0};
    return devices && !settings->choice.automatic ? device_choose(devices, "built on", &settings->choice) : -1;
}

bool tree_device_given(const struct tree_settings *settings)
{
    return settings->choice.automatic || settings->choice.address[0];
}

/* Returns an option that needs a device, or NULL if none is given. */
static const char *given(const struct tree_settings *settings)
{
    if (device_groups_given(&settings->groups)) return device_groups_given(&settings->groups);
    if (settings->form >= 0) return "form";
    return settings->tile ? "tile" : NULL;
}

/* Returns an option that only the CPU's threads support, or NULL if none is given. */
static const char *threads_only_option(const struct runtime_options *options)
{
    if (options->victim) return "victim";
    if (options->amount) return "amount";
    if (options->seed) return "seed";
    if (options->sample) return "sample";
    if (options->wait) return "wait";
    return options->vote ? "termination" : NULL;
}

int tree_device_check(const struct tree_settings *settings)
{
    const struct runtime_options *options = &settings->options;
    int status = device_option_check(settings->devices, given(settings));
    if (status >= 0 || !tree_device_given(settings)) return status;
    status = device_groups_check(&settings->groups);
    if (status >= 0) return status;
    if (settings->form > GWS_OCTREE_FORM_DEVICE && !settings->choice.cpu)
        return console_usage("--form: this form needs the threads and a device, such as --device cpu,opencl");
    if (options->chunk && strcmp(options->policy, "chunked") != 0)
        return console_usage("--chunk: on a device only the policy chunked has chunks, not %s", options->policy);
    const char *name = threads_only_option(options);
    return name ? console_usage("--%s requires --device cpu: only the CPU's threads support it", name) : -1;
}

/* ---- the device ---- */

static int open_builder(struct tree_device *device, struct gws_runtime *runtime, const struct tree_settings *settings)
{
    struct gws_octree_device_options options = {.tree = settings_tree(settings),
                                                .cpu = settings->choice.cpu,
                                                .form = settings->form < 0 ? GWS_OCTREE_FORM_AUTO
                                                                           : (enum gws_octree_form)settings->form,
                                                .groups = (uint32_t)settings->groups.groups,
                                                .group_size = (uint32_t)settings->groups.size,
                                                .chunk = (uint32_t)settings->options.chunk,
                                                .piece = (uint32_t)settings->tile};
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

int tree_device_open(struct tree_device *device, struct gws_runtime *runtime, const struct tree_settings *settings)
{
    char address[DEVICE_ADDRESS];
    memcpy(address, settings->choice.address, sizeof address);
    if (!tree_device_given(settings)) return -1;
    if (settings->choice.automatic && !device_find_cuda(runtime, address)) return -1;
    int failure = device_open(runtime, address, 1, &device->device);
    return failure < 0 ? open_builder(device, runtime, settings) : failure;
}

void tree_device_close(struct tree_device *device)
{
    gws_octree_device_close(device->builder);
    gws_device_close(device->device);
    *device = (struct tree_device){0};
}
