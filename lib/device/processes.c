/* SPDX-License-Identifier: MIT */
/* Memory of a device that other processes of the host map. */
#include <string.h>

#include "kind.h"

gws_status gws__device_buffer_name(struct gws_device_buffer *buffer, struct gws__device_name *name,
                                   struct gws_diagnostic *where)
{
    gws_status status = gws__device_alive(buffer->device, where);
    memset(name, 0, sizeof *name);
    return status == GWS_OK ? buffer->device->call->buffer_name(buffer, name, where) : status;
}

gws_status gws__device_buffer_map(struct gws_device *device, const struct gws__device_name *name,
                                  struct gws_device_buffer **buffer, struct gws_diagnostic *where)
{
    const uint64_t size = device->call->buffer_bytes;
    gws_status status = gws__device_alive(device, where);
    if (status != GWS_OK) return status;
    struct gws_device_buffer *made = gws__device_object(device->runtime, size, device->info.address, where);
    if (!made) return GWS_NO_MEMORY;
    made->device = device;
    made->foreign = true;
    status = device->call->buffer_map(made, name, where);
    if (status == GWS_OK)
        *buffer = made;
    else
        gws_release(device->runtime, made, size, 1);
    return status;
}

/* ---- kinds without such memory ---- */

gws_status gws__device_no_name(struct gws_device_buffer *buffer, struct gws__device_name *name,
                               struct gws_diagnostic *where)
{
    (void)buffer;
    (void)name;
    return gws_diagnostic_status(where, GWS_UNSUPPORTED);
}

gws_status gws__device_no_map(struct gws_device_buffer *buffer, const struct gws__device_name *name,
                              struct gws_diagnostic *where)
{
    (void)buffer;
    (void)name;
    return gws_diagnostic_status(where, GWS_UNSUPPORTED);
}
