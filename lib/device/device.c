/* SPDX-License-Identifier: MIT */
/* The calls of lib/device.h: what is wrong whatever the kind is refused here, the rest goes to the kind's table. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kind.h"

static const struct gws_device_kind *const kinds[] = {
    [GWS_DEVICE_OPENCL] = &gws__device_opencl, [GWS_DEVICE_CUDA] = &gws__device_cuda};

enum { kind_count = sizeof kinds / sizeof *kinds, most_devices = 64 };

/* ---- what there is ---- */

const char *gws_device_kind_at(uint32_t i, const char **about, const char **off)
{
    if (i >= kind_count) return NULL;
    if (about) *about = kinds[i]->about;
    if (off) *off = kinds[i]->off();
    return kinds[i]->name;
}

void gws_device_list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t room, uint32_t *count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < kind_count; i++) {
        uint32_t used = found < room ? found : room;
        found += kinds[i]->list(runtime, info + used, room - used);
    }
    *count = found;
}

const struct gws_device_info *gws_device_describe(const struct gws_device *device)
{
    return &device->info;
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
                                       .atomics = info->svm == GWS_SVM_ATOMICS && info->translates};
}

struct gws_device_sharing gws_device_sharing(const struct gws_device *device, const struct gws_device *other)
{
    if (!other) return sharing_with_host(&device->info);
    if (other == device) return (struct gws_device_sharing){true, true, true};
    if (other->info.api != device->info.api) return (struct gws_device_sharing){.memory = false};
    return device->call->sharing(device, other);
}

double gws_device_limit_ms(const struct gws_device *device)
{
    return device->limit_ms;
}

/* ---- opening ---- */

/* Parts "KIND:N"; index is UINT32_MAX where there is no N. NULL if it is neither. */
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

/* The device that was asked for, or the first usable one, of count in info. */
static gws_status choose(const char *address, const struct gws_device_info *info, uint32_t count, uint32_t *index,
                         struct gws_where *where)
{
    if (*index == UINT32_MAX) {
        for (uint32_t i = 0; i < count && *index == UINT32_MAX; i++)
            if (!info[i].unusable[0]) *index = i;
        if (*index != UINT32_MAX) return GWS_OK;
        return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "%s: there is no such device that can be used", address);
    }
    if (*index >= count)
        return gws_where_set(where, GWS_INVALID, NULL, 0, 0,
                             "%s: there is no such device, only %" PRIu32 " of its kind", address, count);
    if (!info[*index].unusable[0]) return GWS_OK;
    return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "%s: %s", address, info[*index].unusable);
}

static gws_status open_listed(struct gws_runtime *runtime, const struct gws_device_kind *kind, const char *address,
                              uint32_t index, struct gws_device_info *info, struct gws_device **device,
                              struct gws_where *where)
{
    uint32_t count = kind->list(runtime, info, most_devices);
    gws_status status = choose(address, info, count < most_devices ? count : most_devices, &index, where);
    return status == GWS_OK ? kind->open(runtime, index, &info[index], device, where) : status;
}

gws_status gws_device_open(struct gws_runtime *runtime, const char *address, const struct gws_device_options *options,
                           struct gws_device **device, struct gws_where *where)
{
    static const struct gws_device_options defaults;
    if (!options) options = &defaults;
    uint32_t index;
    const struct gws_device_kind *kind = parse(address, &index);
    if (!kind) return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "%s: not a device's name", address);
    const char *off = kind->off();
    if (off) return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: %s", address, off);
    struct gws_device_info *info = gws_allocate(runtime, most_devices, sizeof *info);
    if (!info) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
    gws_status status = open_listed(runtime, kind, address, index, info, device, where);
    gws_release(runtime, info, most_devices, sizeof *info);
    if (status != GWS_OK) return status;
    (*device)->owner = getpid();
    (*device)->limit_ms = options->limit_ms > 0 ? options->limit_ms : gws__device_limit_ms;
    gws__cache_folder((*device)->cache, options->cache ? options->cache : (*device)->keeps_programs ? "" : NULL);
    return GWS_OK;
}

/* In a child of the process that opened it a device is as good as lost: drivers do not survive a fork. */
static bool is_owner(struct gws_device *device)
{
    bool is = device->owner == getpid();
    if (!is) device->lost = true;
    return is;
}

/* GWS_OK unless the device was lost before. */
static gws_status alive(struct gws_device *device, struct gws_where *where)
{
    bool own = is_owner(device);
    if (!device->lost) return GWS_OK;
    return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "%s: the device %s", device->info.address,
                         own ? "was lost before" : "is of another process");
}

static void tell_lost(const struct gws_device *device)
{
    char line[128];
    snprintf(line, sizeof line, "%s: the device was lost: what its driver may still use is never freed",
             device->info.address);
    gws_report_log(device->runtime, line);
}

void gws_device_close(struct gws_device *device)
{
    if (!device) return;
    if (alive(device, NULL) == GWS_OK) (void)device->call->wait(device, NULL);
    if (device->lost && is_owner(device)) tell_lost(device);
    device->call->close(device);
}

/* ---- memory ---- */

gws_status gws_device_buffer_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                 struct gws_where *where)
{
    gws_status status = alive(device, where);
    if (status != GWS_OK) return status;
    if (bytes > device->info.max_buffer)
        return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                             "%s: a buffer of %" PRIu64 " bytes; it has at most %" PRIu64 " in one",
                             device->info.address, bytes, device->info.max_buffer);
    status = device->call->buffer_new(device, bytes, buffer, where);
    if (status != GWS_OK) return status;
    (*buffer)->held = true;
    device->held += bytes;
    return GWS_OK;
}

uint64_t gws_device_memory_held(const struct gws_device *device)
{
    return device->held;
}

gws_status gws_device_memory_left(struct gws_device *device, uint64_t *bytes, struct gws_where *where)
{
    gws_status status = alive(device, where);
    return status == GWS_OK ? device->call->memory_left(device, bytes, where) : status;
}

gws_status gws_device_shared_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                 void **host, struct gws_where *where)
{
    const struct gws_device_info *info = &device->info;
    gws_status status = alive(device, where);
    if (status != GWS_OK) return status;
    if (info->svm < GWS_SVM_FINE)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                             "%s: it shares no memory with the host while kernels run", info->address);
    if (bytes > info->max_shared)
        return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                             "%s: a shared buffer of %" PRIu64 " bytes; it has at most %" PRIu64 " in one",
                             info->address, bytes, info->max_shared);
    return device->call->shared_new(device, bytes, buffer, host, where);
}

void gws_device_buffer_free(struct gws_device_buffer *buffer)
{
    if (!buffer) return;
    (void)is_owner(buffer->device);
    if (buffer->held) buffer->device->held -= buffer->bytes;
    buffer->device->call->buffer_free(buffer);
}

uint64_t gws_device_buffer_bytes(const struct gws_device_buffer *buffer)
{
    return buffer->bytes;
}

void *gws_device_buffer_native(const struct gws_device_buffer *buffer)
{
    return buffer->native;
}

static gws_status check_range(const struct gws_device_buffer *buffer, uint64_t offset, uint64_t bytes,
                              struct gws_where *where)
{
    if (offset > buffer->bytes || bytes > buffer->bytes - offset)
        return gws_where_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0,
                             "%s: %" PRIu64 " bytes from %" PRIu64 " on are not within a buffer of %" PRIu64,
                             buffer->device->info.address, bytes, offset, buffer->bytes);
    return alive(buffer->device, where);
}

gws_status gws_device_write(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                            struct gws_where *where)
{
    gws_status status = check_range(buffer, offset, bytes, where);
    return status != GWS_OK || bytes == 0 ? status : buffer->device->call->write(buffer, offset, from, bytes, where);
}

gws_status gws_device_read(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                           struct gws_where *where)
{
    gws_status status = check_range(buffer, offset, bytes, where);
    return status != GWS_OK || bytes == 0 ? status : buffer->device->call->read(buffer, offset, to, bytes, where);
}

gws_status gws_device_fill(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                           struct gws_where *where)
{
    uint64_t most = UINT64_MAX / sizeof word; /* a product beyond is beyond any buffer, too */
    gws_status status = check_range(buffer, first < most ? first * sizeof word : UINT64_MAX,
                                    count < most ? count * sizeof word : UINT64_MAX, where);
    return status != GWS_OK || count == 0 ? status : buffer->device->call->fill(buffer, first, word, count, where);
}

/* ---- programs ---- */

gws_status gws_device_program_build(struct gws_device *device, const struct gws_device_source *source,
                                    struct gws_device_program **program, struct gws_where *where)
{
    gws_status status = alive(device, where);
    if (status != GWS_OK) return status;
    double began = gws_clock_ms();
    status = device->call->program_build(device, source, program, where);
    device->translate_ms += gws_clock_ms() - began;
    return status;
}

void gws_device_program_free(struct gws_device_program *program)
{
    if (!program) return;
    (void)is_owner(program->device);
    program->device->call->program_free(program);
}

double gws_device_translate_ms(const struct gws_device *device)
{
    return device->translate_ms;
}

bool gws_device_program_cached(const struct gws_device_program *program)
{
    return program->cached;
}

/* What must hold of a kernel's groups, however many there are. */
static gws_status check_group(struct gws_device *device, const struct gws_device_launch *launch,
                              struct gws_where *where)
{
    const struct gws_device_info *info = &device->info;
    if (launch->program->device != device)
        return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "%s: the program is of another device", launch->kernel);
    if (launch->group_size == 0 || launch->group_size > info->max_group_size)
        return gws_where_set(where, GWS_INVALID, NULL, 0, 0,
                             "%s: groups of %" PRIu64 "; from 1 to %" PRIu64 " fit into a group", launch->kernel,
                             launch->group_size, info->max_group_size);
    if (launch->cluster > info->max_cluster)
        return gws_where_set(where, GWS_INVALID, NULL, 0, 0,
                             "%s: clusters of %" PRIu32 " groups; the device has at most %" PRIu32, launch->kernel,
                             launch->cluster, info->max_cluster);
    return alive(device, where);
}

static gws_status check_arguments(const struct gws_device *device, const struct gws_device_launch *launch,
                                  struct gws_where *where)
{
    for (uint32_t i = 0; i < launch->arguments; i++)
        if (launch->argument[i].buffer && launch->argument[i].buffer->device != device)
            return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "%s: argument %" PRIu32 " is of another device",
                                 launch->kernel, i);
    return GWS_OK;
}

static gws_status check_launch(struct gws_device *device, const struct gws_device_launch *launch,
                               struct gws_where *where)
{
    gws_status status = check_group(device, launch, where);
    if (status != GWS_OK) return status;
    if (launch->groups == 0 || (launch->cluster && launch->groups % launch->cluster))
        return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "%s: %" PRIu64 " groups in clusters of %" PRIu32,
                             launch->kernel, launch->groups, launch->cluster);
    if (launch->groups > (uint64_t)PTRDIFF_MAX / launch->group_size)
        return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0, "%s: %" PRIu64 " groups are too many", launch->kernel,
                             launch->groups);
    return check_arguments(device, launch, where);
}

gws_status gws_device_resident(struct gws_device *device, const struct gws_device_launch *launch, uint64_t *groups,
                               struct gws_where *where)
{
    uint64_t local_bytes = 0;
    gws_status status = check_group(device, launch, where);
    for (uint32_t i = 0; i < launch->arguments; i++)
        if (!launch->argument[i].buffer && !launch->argument[i].value) local_bytes += launch->argument[i].bytes;
    return status == GWS_OK ? device->call->resident(device, launch, local_bytes, groups, where) : status;
}

static gws_status check_resident(struct gws_device *device, const struct gws_device_launch *launch,
                                 struct gws_where *where)
{
    uint64_t groups = 0;
    gws_status status = gws_device_resident(device, launch, &groups, where);
    if (status != GWS_OK || launch->groups <= groups) return status;
    return gws_where_set(where, GWS_INVALID, NULL, 0, 0,
                         "%s: %" PRIu64 " groups that wait for each other; %" PRIu64 " run at the same time",
                         launch->kernel, launch->groups, groups);
}

gws_status gws_device_run(struct gws_device *device, const struct gws_device_launch *launch, struct gws_where *where)
{
    gws_status status = check_launch(device, launch, where);
    if (status == GWS_OK && launch->resident) status = check_resident(device, launch, where);
    return status == GWS_OK ? device->call->run(device, launch, where) : status;
}

gws_status gws_device_wait(struct gws_device *device, struct gws_where *where)
{
    gws_status status = alive(device, where);
    return status == GWS_OK ? device->call->wait(device, where) : status;
}

gws_status gws_device_poll(struct gws_device *device, bool *done, struct gws_where *where)
{
    gws_status status = alive(device, where);
    return status == GWS_OK ? device->call->poll(device, done, where) : status;
}
