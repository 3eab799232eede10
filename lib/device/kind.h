/* SPDX-License-Identifier: MIT */
/* A kind of devices as a table of functions. lib/device/device.c has checked the arguments of the functions of
 * struct gws_device_calls: ranges lie within buffers, sizes within the device's limits, and the device is not lost.
 * A function that finds the device lost sets .lost. From then on the library neither frees memory that the driver
 * may still access nor calls the driver for this device. */
#ifndef GWS_DEVICE_KIND_H
#define GWS_DEVICE_KIND_H

#include <pthread.h>
#include <sys/types.h>

#include "../base/services.h"
#include "../stream.h"
#include "../trace.h"

enum { gws__device_limit_ms = 60000, gws__cache_path = 4096 };

/* The base of every kind's own struct. */
struct gws_device {
    const struct gws_device_calls *call;
    struct gws_runtime *runtime;
    struct gws_device_info info;
    double limit_ms;
    uint32_t track;    /* the default stream's track, lib/trace.h; GWS_TRACE_NONE: none */
    uint64_t since_ns; /* start of the first launch since the last wait */
    uint32_t launches; /* launches since the last wait */
    uint64_t label;    /* the runtime's label at since_ns */
    pid_t owner;       /* the process that opened the device */
    void *native;      /* the result of gws_device_native() */
    struct gws_stream *own;
    pthread_mutex_t lock;         /* protects .opened and .translate_ms */
    struct gws_stream *opened;    /* streams except the default stream */
    struct gws__staging *staging; /* for large copies on the default stream; NULL: none */
    bool wants_staging;           /* the first large copy allocates .staging */
    _Atomic bool lost;            /* publishes no other data */
    bool caches_programs;  /* the driver caches programs itself, so the library uses a cache only if the caller names it
                            */
    _Atomic uint64_t held; /* bytes of the device's buffers, without shared ones */
    double translate_ms;   /* total time of program builds */
    char cache[gws__cache_path]; /* a folder; empty: none */
};

enum {
    gws__staging_slots = 16 /* the maximum */,
    gws__staging_slot_bytes = 2 << 20 /* smaller slots do not reach the bus's full speed */
};

/* Slots of pinned memory for large copies (staging.c). */
struct gws__staging {
    struct gws_device_buffer *pinned; /* the slots, consecutively */
    uint32_t slots;                   /* 2 .. gws__staging_slots */
    void *event[gws__staging_slots];  /* for the copy in progress in each slot */
};

/* Commands that run in order. One thread at a time uses a stream, except for poll() and for the other stream of
 * after(). */
struct gws_stream {
    struct gws_device *device;
    struct gws_stream *next; /* in .opened */
    void *native;
};

struct gws_device_buffer {
    struct gws_device *device;
    uint64_t bytes;
    void *host;      /* the host address, NULL if the host cannot address it: generic code accesses it there */
    bool pinned;     /* for copies only, not for kernels */
    bool by_workers; /* pinned memory: its allocation may run the runtime's loops */
    bool held;       /* .bytes is part of the device's .held */
    void *native;    /* the result of gws_device_buffer_native() */
};

/* The size to request from a driver: 1 byte for an empty buffer. */
static inline uint64_t gws__device_buffer_capacity(const struct gws_device_buffer *buffer)
{
    return buffer->bytes ? buffer->bytes : 1;
}

struct gws_device_program {
    struct gws_device *device;
    bool cached;
};

/* Generic code allocates and frees objects. Before a kind opens an object, its memory is zero except for the base;
 * generic code frees it after the kind has closed the object. close() and program_free() also follow a failed open()
 * or program_build(). A function that fails to make any other object frees all driver resources of it. */
struct gws_device_calls {
    size_t device_bytes, stream_bytes, buffer_bytes, program_bytes; /* sizes of the kind's own structs */
    uint64_t part_bytes;                                            /* the largest size of one transfer() */
    /* Opens device number index of the kind's list(); its description is set. Sets .native, .wants_staging and
     * .caches_programs. */
    gws_status (*open)(struct gws_device *device, uint32_t index, struct gws_diagnostic *where);
    void (*close)(struct gws_device *device); /* the device is idle or lost */
    struct gws_device_sharing (*sharing)(const struct gws_device *device, const struct gws_device *other);
    gws_status (*memory_left)(struct gws_device *device, uint64_t *bytes, struct gws_diagnostic *where);
    /* Allocate memory for a buffer of .bytes and set .native: device memory; shared memory with .host; pinned memory
     * with .host, which kernels need not access. */
    gws_status (*buffer_new)(struct gws_device_buffer *buffer, struct gws_diagnostic *where);
    gws_status (*shared_new)(struct gws_device_buffer *buffer, struct gws_diagnostic *where);
    gws_status (*pinned_new)(struct gws_device_buffer *buffer, struct gws_diagnostic *where);
    void (*buffer_free)(struct gws_device_buffer *buffer);
    gws_status (*stream_open)(struct gws_stream *stream, struct gws_diagnostic *where); /* sets .native */
    void (*stream_close)(struct gws_stream *stream); /* the stream is idle, or the device lost */
    gws_status (*after)(struct gws_stream *stream, struct gws_stream *other, struct gws_diagnostic *where);
    /* Copies between a buffer without .host, from offset on, and the host: from `from`, or to `to`; the other
     * pointer is NULL. Complete on return. */
    gws_status (*transfer)(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                           const void *from, void *to, uint64_t bytes, struct gws_diagnostic *where);
    /* For a buffer that is not pinned. */
    gws_status (*fill)(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                       uint64_t count, struct gws_diagnostic *where);
    gws_status (*copy)(struct gws_stream *stream, struct gws_device_buffer *to, uint64_t to_offset,
                       struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                       struct gws_diagnostic *where);
    /* *event becomes an event after all previous commands of the stream. */
    gws_status (*event_new)(struct gws_stream *stream, void **event, struct gws_diagnostic *where);
    /* Sets *done to true, and frees the event, if its commands are complete. Does not set .lost: the caller does. */
    gws_status (*event_poll)(struct gws_device *device, void *event, bool *done, struct gws_diagnostic *where);
    gws_status (*program_build)(struct gws_device_program *program, const struct gws_device_source *source,
                                struct gws_diagnostic *where);
    void (*program_free)(struct gws_device_program *program);
    /* local_bytes: the total of all arguments. */
    gws_status (*resident)(struct gws_device *device, const struct gws_device_launch *launch, uint64_t local_bytes,
                           uint64_t *groups, struct gws_diagnostic *where);
    gws_status (*run)(struct gws_stream *stream, const struct gws_device_launch *launch, struct gws_diagnostic *where);
    gws_status (*poll)(struct gws_stream *stream, bool *done, struct gws_diagnostic *where);
};

struct gws_device_kind {
    const char *name, *about;
    /* The reason why the kind has no devices: not in this build, or no driver on this machine; otherwise NULL. */
    const char *(*off)(void);
    /* Writes up to capacity descriptions to info; returns the number of devices. */
    uint32_t (*list)(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t capacity);
    const struct gws_device_calls *call; /* NULL, like .list, if this build lacks the kind */
};

/* From lib/device/opencl and lib/device/cuda, or from lib/device/none in builds without them. */
extern const struct gws_device_kind gws__device_opencl, gws__device_cuda;

/* Zeroed memory for an object, to be freed by gws_release() as one item of that many bytes; NULL, with a message
 * about subject in *where, if memory is short. */
void *gws__device_object(struct gws_runtime *runtime, uint64_t bytes, const char *subject,
                         struct gws_diagnostic *where);

/* Makes a buffer with memory from make(), one of the kind's three functions. */
gws_status gws__device_buffer_new(struct gws_device *device, uint64_t bytes, bool by_workers,
                                  gws_status (*make)(struct gws_device_buffer *buffer, struct gws_diagnostic *where),
                                  struct gws_device_buffer **buffer, struct gws_diagnostic *where);
void gws__device_buffer_free(struct gws_device_buffer *buffer);

/* Make and free a stream that is not in .opened. */
gws_status gws__stream_new(struct gws_device *device, struct gws_stream **stream, struct gws_diagnostic *where);
void gws__stream_free(struct gws_stream *stream);

/* The total local memory of a launch's arguments. */
uint64_t gws__launch_local_bytes(const struct gws_device_launch *launch);

/* GWS_OK unless the device is lost or belongs to another process; then marks it as lost. */
gws_status gws__device_alive(struct gws_device *device, struct gws_diagnostic *where);

/* Copies between a buffer, from offset on, and the host's memory: from `from`, or to `to`; the other pointer is
 * NULL. Waits for the default stream's commands, then uses all workers and the device's staging buffers, which
 * exist. In a loop's body the caller copies alone. */
gws_status gws__staging_copy(struct gws_device_buffer *buffer, uint64_t offset, const void *from, void *to,
                             uint64_t bytes, struct gws_diagnostic *where);

/* Frees the staging buffers, if any; the device is idle or lost. */
void gws__device_staging_free(struct gws_device *device);

/* The number of slots for a runtime's workers. */
uint32_t gws__staging_slots_of(const struct gws_runtime *runtime);

/* Clears fresh memory with all workers. */
void gws__staging_touch(struct gws_runtime *runtime, char *memory, uint64_t bytes);

/* For the trace: a launch on the stream, and the completion of all its commands. */
bool gws__stream_is_traced(const struct gws_stream *stream);
void gws__stream_launched(struct gws_stream *stream);
void gws__stream_done(struct gws_stream *stream);

/* Polls the stream until all its commands are complete, within the device's limit. An error loses the device. */
gws_status gws__stream_wait(struct gws_stream *stream, struct gws_diagnostic *where);

/* Waits for all streams, like gws__stream_wait(), before the caller frees objects that commands may use. */
void gws__device_wait_for_all(struct gws_device *device);

/* ---- compiled programs on disk (cache.c) ----
 *
 * A file's name is a key: a hash of all inputs of the compilation. A file or folder with any defect counts as not
 * found; the file is then replaced. */

/* Sets path to folder (from a device's options), or if folder is NULL to the environment's cache folder. Too long a
 * path becomes empty. */
void gws__cache_folder(char path[gws__cache_path], const char *folder);

struct gws__cache_key {
    uint64_t low, high;
};

/* The key of these strings in this order, combined with an earlier key ({0, 0}: none). String boundaries matter. */
struct gws__cache_key gws__cache_key_of(struct gws__cache_key earlier, const char *const *piece, uint32_t pieces);

/* Loads the data with that key, *bytes of memory from the runtime's allocator; NULL if there is none, or if the
 * folder is empty. Errors: GWS_NO_MEMORY. */
gws_status gws__cache_load(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, void **data,
                           uint64_t *bytes);

/* Makes the folder if missing, and replaces the file atomically, even if other processes write it, too. */
void gws__cache_store(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, const void *data,
                      uint64_t bytes);

#endif
