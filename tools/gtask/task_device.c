/* SPDX-License-Identifier: MIT */
#include "task_device.h"

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
    struct device_choice choice = {.cpu = false};
    if (!device->address || is_auto(device)) return -1;
    int status = device_choose(device->address, "run on", &choice);
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
