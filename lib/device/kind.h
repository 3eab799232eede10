/* SPDX-License-Identifier: MIT */
/* A kind of devices as a table of functions. Those of struct gws_device_calls get arguments that lib/device/device.c
 * has checked: ranges within buffers, sizes within the device's limits, a device that is not lost. Whoever finds a
 * device lost sets .lost: from then on nothing that its driver may still touch is freed, and nothing is asked of it. */
#ifndef GWS_DEVICE_KIND_H
#define GWS_DEVICE_KIND_H

#include <sys/types.h>

#include "../base/services.h"
#include "../device.h"
#include "cache.h"

enum { gws__device_limit_ms = 60000 };

/* What every kind's own struct begins with. */
struct gws_device {
    const struct gws_device_calls *call;
    struct gws_runtime *runtime;
    struct gws_device_info info;
    double limit_ms;
    pid_t owner; /* the process that opened it */
    bool lost;
    bool keeps_programs;         /* its driver does itself, so that only a cache asked for by name is used */
    uint64_t held;               /* bytes of its buffers, without shared ones */
    double translate_ms;         /* building programs */
    char cache[gws__cache_path]; /* a folder; empty: none */
};

struct gws_device_buffer {
    struct gws_device *device;
    uint64_t bytes;
    void *native; /* gws_device_buffer_native() */
    bool held;    /* its bytes count as the device's */
};

struct gws_device_program {
    struct gws_device *device;
    bool cached;
};

struct gws_device_calls {
    void (*close)(struct gws_device *device); /* nothing runs there, unless it is lost */
    struct gws_device_sharing (*sharing)(const struct gws_device *device, const struct gws_device *other);
    gws_status (*buffer_new)(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                             struct gws_where *where);
    gws_status (*shared_new)(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer, void **host,
                             struct gws_where *where);
    gws_status (*memory_left)(struct gws_device *device, uint64_t *bytes, struct gws_where *where);
    void (*buffer_free)(struct gws_device_buffer *buffer);
    gws_status (*write)(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                        struct gws_where *where);
    gws_status (*read)(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                       struct gws_where *where);
    gws_status (*fill)(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                       struct gws_where *where);
    gws_status (*program_build)(struct gws_device *device, const struct gws_device_source *source,
                                struct gws_device_program **program, struct gws_where *where);
    void (*program_free)(struct gws_device_program *program);
    /* local_bytes: of all arguments together. */
    gws_status (*resident)(struct gws_device *device, const struct gws_device_launch *launch, uint64_t local_bytes,
                           uint64_t *groups, struct gws_where *where);
    gws_status (*run)(struct gws_device *device, const struct gws_device_launch *launch, struct gws_where *where);
    gws_status (*wait)(struct gws_device *device, struct gws_where *where);
    gws_status (*poll)(struct gws_device *device, bool *done, struct gws_where *where);
};

struct gws_device_kind {
    const char *name, *about;
    /* Why there are none of it: the build has no code for it, or the machine no driver; NULL if neither. */
    const char *(*off)(void);
    /* The first room of the devices into info; how many there are. */
    uint32_t (*list)(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t room);
    /* Opens the device that info, from list(), describes as usable. Fills all of struct gws_device but .limit_ms,
     * .owner and .cache. */
    gws_status (*open)(struct gws_runtime *runtime, uint32_t index, const struct gws_device_info *info,
                       struct gws_device **device, struct gws_where *where);
};

/* From lib/device/opencl and lib/device/cuda, or from lib/device/none where the build leaves one out. */
extern const struct gws_device_kind gws__device_opencl, gws__device_cuda;

#endif
