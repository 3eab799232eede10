/* SPDX-License-Identifier: MIT */
/* Listing the devices, and opening and closing a device. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/memory.h"
#include "kind.h"

static const struct gws_device_kind *const kinds[] = {
    [GWS_DEVICE_OPENCL] = &gws__device_opencl, [GWS_DEVICE_CUDA] = &gws__device_cuda};

enum { kind_count = sizeof kinds / sizeof *kinds, max_devices = 64 };

/* ---- listing devices ---- */

const char *gws_device_kind_at(uint32_t i, const char **about, const char **off)
{
    if (i >= kind_count) return NULL;
    if (about) *about = kinds[i]->about;
    if (off) *off = kinds[i]->off();
    return kinds[i]->name;
}

void gws_device_list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t capacity, uint32_t *count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < kind_count; i++) {
        uint32_t used = found < capacity ? found : capacity;
        if (kinds[i]->call) found += kinds[i]->list(runtime, info + used, capacity - used);
    }
    *count = found;
}

const struct gws_device_info *gws_device_describe(const struct gws_device *device)
{
    return &device->info;
}

bool gws_device_same(const struct gws_device *device, const struct gws_device *other)
{
    return device == other || (strcmp(device->info.address, other->info.address) == 0 && device->shares <= 1);
}

uint32_t gws_device_cores_left(const struct gws_device *device, uint32_t threads)
{
    if (device->info.type != GWS_DEVICE_CPU) return UINT32_MAX;
    uint32_t cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    return cores > threads ? cores - threads : 0;
}

static struct gws_device_sharing sharing_with_host(const struct gws_device_info *info)
{
    return (struct gws_device_sharing){.memory = info->unified,
                                       .fine_grained = info->svm >= GWS_SVM_FINE,
                                       .atomics = info->svm == GWS_SVM_ATOMICS && info->compiles};
}

struct gws_device_sharing gws_device_sharing(const struct gws_device *device, const struct gws_device *other)
{
    if (!other) return sharing_with_host(&device->info);
    if (other == device) return (struct gws_device_sharing){true, true, true};
    if (other->info.api != device->info.api) return (struct gws_device_sharing){.memory = false};
    return device->call->sharing(device, other);
}

void *gws_device_native(const struct gws_device *device)
{
    return device->native;
}

double gws_device_limit_ms(const struct gws_device *device)
{
    return device->limit_ms;
}

/* ---- opening ---- */

/* Parses "KIND:N" and returns the kind. Sets *index to UINT32_MAX if N is missing. Returns NULL if the syntax or the
 * kind is wrong. */
static const struct gws_device_kind *parse(const char *address, uint32_t *index)
{
    size_t length = strcspn(address, ":");
    const char *number = address + length;
    *index = UINT32_MAX;
    if (*number++ == ':') {
        size_t digits = strspn(number, "0123456789");
        if (digits < 1 || digits > 9 || number[digits]) return NULL;
        *index = (uint32_t)strtoul(number, NULL, 10);
    }
    for (uint32_t i = 0; i < kind_count; i++)
        if (strlen(kinds[i]->name) == length && memcmp(kinds[i]->name, address, length) == 0) return kinds[i];
    return NULL;
}

struct gws_device_peer gws_device_peer(const struct gws_device_info *device, const struct gws_device_info *other)
{
    uint32_t number, peer;
    const struct gws_device_kind *kind = parse(device->address, &number);
    bool same_kind = parse(other->address, &peer) == kind && kind && kind->call;
    return same_kind ? kind->call->peer(number, peer) : (struct gws_device_peer){.access = false};
}

/* Checks the requested device among the count devices in info, or chooses the first usable device. */
static gws_status choose(const char *address, const struct gws_device_info *info, uint32_t count, uint32_t *index,
                         struct gws_diagnostic *where)
{
    if (*index == UINT32_MAX) {
        for (uint32_t i = 0; i < count && *index == UINT32_MAX; i++)
            if (!info[i].unusable[0]) *index = i;
        if (*index != UINT32_MAX) return GWS_OK;
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: no usable device of this kind", address);
    }
    if (*index >= count)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: no such device; the kind has %" PRIu32, address,
                                  count);
    if (!info[*index].unusable[0]) return GWS_OK;
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: %s", address, info[*index].unusable);
}

void *gws__device_object(struct gws_runtime *runtime, uint64_t bytes, const char *subject, struct gws_diagnostic *where)
{
    void *object = gws__memory_zero(&runtime->allocator, bytes, 1);
    if (!object) (void)gws_diagnostic_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: out of memory", subject);
    return object;
}

static void device_free(struct gws_device *device)
{
    gws__device_staging_free(device);
    if (device->own) gws__stream_free(device->own);
    device->call->close(device);
    (void)pthread_mutex_destroy(&device->lock);
    gws_release(device->runtime, device, device->call->device_bytes, 1);
}

static gws_status open_number(struct gws_runtime *runtime, const struct gws_device_calls *call, uint32_t index,
                              const struct gws_device_info *info, struct gws_device **device,
                              struct gws_diagnostic *where)
{
    struct gws_device *made = gws__device_object(runtime, call->device_bytes, info->address, where);
    if (!made) return GWS_NO_MEMORY;
    made->call = call;
    made->runtime = runtime;
    made->info = *info;
    made->number = index;
    made->limit_ms = gws__device_limit_ms;
    made->owner = getpid();
    (void)pthread_mutex_init(&made->lock, NULL); /* never fails */
    gws_status status = call->open(made, index, where);
    if (status == GWS_OK) status = gws__stream_new(made, &made->own, where);
    if (status == GWS_OK)
        *device = made;
    else
        device_free(made);
    return status;
}

static gws_status open_listed(struct gws_runtime *runtime, const struct gws_device_kind *kind, const char *address,
                              uint32_t index, struct gws_device **device, struct gws_diagnostic *where)
{
    struct gws_device_info *info = gws__device_object(runtime, max_devices * sizeof *info, address, where);
    if (!info) return GWS_NO_MEMORY;
    uint32_t count = kind->list(runtime, info, max_devices);
    gws_status status = choose(address, info, count < max_devices ? count : max_devices, &index, where);
    if (status == GWS_OK) status = open_number(runtime, kind->call, index, &info[index], device, where);
    gws_release(runtime, info, max_devices, sizeof *info);
    return status;
}

gws_status gws_device_open(struct gws_runtime *runtime, const char *address, const struct gws_device_options *options,
                           struct gws_device **device, struct gws_diagnostic *where)
{
    static const struct gws_device_options defaults;
    if (!options) options = &defaults;
    uint32_t index;
    const struct gws_device_kind *kind = parse(address, &index);
    if (!kind) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: not a device name", address);
    const char *off = kind->off();
    if (off) return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: %s", address, off);
    gws_status status = open_listed(runtime, kind, address, index, device, where);
    if (status != GWS_OK) return status;
    (*device)->track = gws_trace_track(runtime, (*device)->info.address);
    if (options->limit_ms > 0) (*device)->limit_ms = options->limit_ms;
    (*device)->shares = kind == &gws__device_cuda ? options->shares : 1;
    gws__cache_folder((*device)->cache, options->cache ? options->cache : (*device)->caches_programs ? "" : NULL);
    return GWS_OK;
}

gws_status gws__device_alive(struct gws_device *device, struct gws_diagnostic *where)
{
    bool own = device->owner == getpid();
    if (!own) device->lost = true;
    if (!device->lost) return GWS_OK;
    return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "%s: the device %s", device->info.address,
                              own ? "was lost earlier" : "belongs to another process");
}

bool gws__device_addresses(const struct gws_device *device, const struct gws_device *other)
{
    return other == device || (other->info.api == device->info.api && device->reaches >> other->number & 1);
}

gws_status gws_device_reach(struct gws_device *device, struct gws_device *other, struct gws_diagnostic *where)
{
    gws_status status = gws__device_alive(device, where);
    if (status != GWS_OK || gws__device_addresses(device, other)) return status;
    if (!gws_device_peer(&device->info, &other->info).access)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s does not reach the memory of %s",
                                  device->info.address, other->info.address);
    status = device->call->reach(device, other->number, where);
    if (status == GWS_OK) device->reaches |= UINT64_C(1) << other->number;
    return status;
}

static void report_lost(const struct gws_device *device)
{
    char line[128];
    snprintf(line, sizeof line, "%s: the device is lost: memory that its driver may still use stays allocated",
             device->info.address);
    gws_report_log(device->runtime, line);
}

void gws_device_close(struct gws_device *device)
{
    if (!device) return;
    if (gws__device_alive(device, NULL) == GWS_OK) (void)gws__stream_wait(device->own, NULL);
    if (device->lost && device->owner == getpid()) report_lost(device);
    device_free(device);
}
