/* SPDX-License-Identifier: MIT */
#include "stop.h"

#include "../base/services.h"
#include "../device/kind.h"

gws_status gws__stop_open(struct gws__stop *stop, struct gws_runtime *runtime, struct gws_device *device,
                          struct gws_diagnostic *where)
{
    void *word = NULL;
    const bool needed = !runtime || runtime->cancel;
    const bool shares = needed && gws_device_describe(device)->max_shared >= sizeof *stop->word;
    *stop = (struct gws__stop){.buffer = NULL};
    if (!shares) return GWS_OK;
    gws_status status = gws_device_shared_new(device, sizeof *stop->word, &stop->buffer, &word, where);
    stop->word = word;
    if (status == GWS_OK) atomic_init(stop->word, 0);
    return status;
}

void gws__stop_close(struct gws__stop *stop)
{
    gws_device_buffer_free(stop->buffer);
    *stop = (struct gws__stop){.buffer = NULL};
}

struct gws_device_argument gws__stop_argument(const struct gws__stop *stop)
{
    if (stop->buffer) return (struct gws_device_argument){.buffer = stop->buffer};
    return (struct gws_device_argument){.value = &stop->none, .bytes = sizeof stop->none};
}

gws_status gws__stop_wait(struct gws__stop *stop, struct gws_device *device, struct gws_diagnostic *where)
{
    device->own->stop = stop->word;
    gws_status status = gws_device_wait(device, where);
    device->own->stop = NULL;
    /* relaxed, here and in gws__stream_wait(): the word carries no other data, and the kernel has ended. */
    if (status != GWS_OK || !stop->word || atomic_load_explicit(stop->word, memory_order_relaxed) == 0) return status;
    atomic_store_explicit(stop->word, 0, memory_order_relaxed);
    return gws_diagnostic_status(where, GWS_CANCELLED);
}
