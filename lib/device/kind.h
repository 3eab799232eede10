/* SPDX-License-Identifier: MIT */
/* A kind of devices as a table of functions. Generic code has checked the arguments of the functions of struct
 * gws_device_calls. Ranges lie within buffers, sizes are within the device's limits, and the device is not lost. A
 * function that finds the device lost sets .lost. From then on the library neither frees memory that the driver may
 * still access nor calls the driver for this device. */
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
    uint32_t number;  /* of the kind's list() */
    uint64_t reaches; /* devices of the kind whose buffers kernels may address, a bit for each number */
    double limit_ms;
    uint32_t shares;   /* objects like this one share the device's groups; 0, 1: none does */
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
    _Atomic bool lost;            /* the flag publishes no other data */
    bool caches_programs;  /* the driver caches programs; the library then uses a cache only if the caller names one */
    _Atomic uint64_t held; /* bytes of the device's buffers, except shared buffers */
    double translate_ms;   /* total time of program builds */
    char cache[gws__cache_path]; /* the cache folder; empty: no cache */
};

enum {
    gws__staging_slots = 16 /* the maximum number of slots */,
    gws__staging_slot_bytes = 2 << 20 /* copies of smaller slots do not reach the bus's full speed */
};

/* Slots of pinned memory for large copies (staging.c). */
struct gws__staging {
    struct gws_device_buffer *pinned; /* the slots, consecutively */
    uint32_t slots;                   /* 2 .. gws__staging_slots */
    void *event[gws__staging_slots];  /* the event of the copy in progress in each slot */
};

/* Commands that run in order. Only one thread at a time uses a stream. The exceptions are poll() and the parameter
 * other of after(). */
struct gws_stream {
    struct gws_device *device;
    struct gws_stream *next; /* the next stream in .opened */
    void *native;
    _Atomic uint32_t *stop;        /* a wait sets this word once the call is cancelled; NULL: none (hetero/stop.h) */
    const _Atomic uint64_t *ended; /* or once this word is not 0; NULL: none */
};

struct gws_device_buffer {
    struct gws_device *device;
    uint64_t bytes;
    void *host;      /* the host address, which generic code uses; NULL: the host cannot address the buffer */
    bool pinned;     /* the buffer is for copies, not for kernels */
    bool by_workers; /* the allocation of pinned memory may run the runtime's loops */
    bool held;       /* .bytes is part of the device's .held */
    bool foreign;    /* the memory is another process's; .bytes is 0 */
    void *native;    /* the result of gws_device_buffer_native() */
};

/* Returns the size to request from a driver, which is 1 byte for an empty buffer. */
static inline uint64_t gws__device_buffer_capacity(const struct gws_device_buffer *buffer)
{
    return buffer->bytes ? buffer->bytes : 1;
}

/* What tells other processes of the host where a buffer is. */
struct gws__device_name {
    char device[32]; /* the same for all processes */
    uint64_t handle[8];
};

struct gws_device_program {
    struct gws_device *device;
    bool cached;
};

/* Generic code allocates and frees objects. Before a kind opens an object, the object's memory is zero except for the
 * base. Generic code frees this memory after the kind has closed the object. It also calls close() and program_free()
 * after a failed open() or program_build(). A function that fails to make any other object frees all driver resources
 * of that object. */
struct gws_device_calls {
    size_t device_bytes, stream_bytes, buffer_bytes, program_bytes; /* sizes of the kind's own structs */
    uint64_t part_bytes;                                            /* the largest size of one transfer() */
    /* Opens device number index of the kind's list(). The caller has set the device's description. Sets .native,
     * .wants_staging and .caches_programs. */
    gws_status (*open)(struct gws_device *device, uint32_t index, struct gws_diagnostic *where);
    void (*close)(struct gws_device *device); /* the device is idle or lost */
    struct gws_device_sharing (*sharing)(const struct gws_device *device, const struct gws_device *other);
    struct gws_device_peer (*peer)(uint32_t number, uint32_t other); /* numbers of the kind's list() */
    gws_status (*reach)(struct gws_device *device, uint32_t other, struct gws_diagnostic *where); /* a peer */
    gws_status (*memory_left)(struct gws_device *device, uint64_t *bytes, struct gws_diagnostic *where);
    /* Allocate memory for a buffer of .bytes and set .native. shared_new() and pinned_new() also set .host. Kernels
     * need not access pinned memory. */
    gws_status (*buffer_new)(struct gws_device_buffer *buffer, struct gws_diagnostic *where);
    gws_status (*shared_new)(struct gws_device_buffer *buffer, struct gws_diagnostic *where);
    gws_status (*pinned_new)(struct gws_device_buffer *buffer, struct gws_diagnostic *where);
    void (*buffer_free)(struct gws_device_buffer *buffer);
    /* name() describes memory from buffer_new(). map() maps memory that another process has named, and sets .native.
     * Kernels of both then share it, with atomics. Errors: only GWS_UNSUPPORTED, unless the device is lost. */
    gws_status (*buffer_name)(struct gws_device_buffer *buffer, struct gws__device_name *name,
                              struct gws_diagnostic *where);
    gws_status (*buffer_map)(struct gws_device_buffer *buffer, const struct gws__device_name *name,
                             struct gws_diagnostic *where);
    gws_status (*stream_open)(struct gws_stream *stream, struct gws_diagnostic *where); /* sets .native */
    void (*stream_close)(struct gws_stream *stream); /* the stream is idle, or the device is lost */
    gws_status (*after)(struct gws_stream *stream, struct gws_stream *other, struct gws_diagnostic *where);
    /* Copies between a buffer without .host, from offset on, and the host's memory. The source is `from`, or the target
     * is `to`. The unused pointer is NULL. The copy is complete on return. */
    gws_status (*transfer)(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                           const void *from, void *to, uint64_t bytes, struct gws_diagnostic *where);
    /* Fills a buffer that is not pinned. */
    gws_status (*fill)(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                       uint64_t count, struct gws_diagnostic *where);
    gws_status (*copy)(struct gws_stream *stream, struct gws_device_buffer *to, uint64_t to_offset,
                       struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                       struct gws_diagnostic *where);
    /* Sets *event to an event that follows all previous commands of the stream. */
    gws_status (*event_new)(struct gws_stream *stream, void **event, struct gws_diagnostic *where);
    /* If the commands before the event are complete, sets *done to true and frees the event. The caller sets .lost. */
    gws_status (*event_poll)(struct gws_device *device, void *event, bool *done, struct gws_diagnostic *where);
    gws_status (*program_build)(struct gws_device_program *program, const struct gws_device_source *source,
                                struct gws_diagnostic *where);
    void (*program_free)(struct gws_device_program *program);
    /* local_bytes: the local memory of all arguments together. *groups is 0 if not even one group fits. */
    gws_status (*resident)(struct gws_device *device, const struct gws_device_launch *launch, uint64_t local_bytes,
                           uint64_t *groups, struct gws_diagnostic *where);
    gws_status (*run)(struct gws_stream *stream, const struct gws_device_launch *launch, struct gws_diagnostic *where);
    gws_status (*poll)(struct gws_stream *stream, bool *done, struct gws_diagnostic *where);
};

struct gws_device_kind {
    const char *name, *about;
    /* Returns the reason why the kind has no devices (the build lacks the kind, or the machine has no driver), or
     * NULL. */
    const char *(*off)(void);
    /* Writes up to capacity descriptions to info. Returns the number of devices. */
    uint32_t (*list)(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t capacity);
    const struct gws_device_calls *call; /* .call and .list are NULL if this build lacks the kind */
};

/* lib/device/opencl and lib/device/cuda define the kinds, or lib/device/none if the build lacks a kind. */
extern const struct gws_device_kind gws__device_opencl, gws__device_cuda;

/* Returns zeroed memory for an object. The caller frees the memory with gws_release() as one item of `bytes` bytes. If
 * memory is short, returns NULL with a message about subject in *where. */
void *gws__device_object(struct gws_runtime *runtime, uint64_t bytes, const char *subject,
                         struct gws_diagnostic *where);

/* Makes a buffer with memory from make(), one of the kind's three functions. */
gws_status gws__device_buffer_new(struct gws_device *device, uint64_t bytes, bool by_workers,
                                  gws_status (*make)(struct gws_device_buffer *buffer, struct gws_diagnostic *where),
                                  struct gws_device_buffer **buffer, struct gws_diagnostic *where);
void gws__device_buffer_free(struct gws_device_buffer *buffer);

/* Share a buffer of gws_device_buffer_new() with kernels of other processes of this host. name() describes it for
 * map() in another process, whose result is no argument of other functions than gws_device_buffer_native() and
 * gws_device_buffer_free(). The other processes free theirs first. Errors: GWS_UNSUPPORTED (the kind of device, the
 * system or the path between two devices does not allow it), GWS_NO_MEMORY, GWS_DEVICE. */
gws_status gws__device_buffer_name(struct gws_device_buffer *buffer, struct gws__device_name *name,
                                   struct gws_diagnostic *where);
gws_status gws__device_buffer_map(struct gws_device *device, const struct gws__device_name *name,
                                  struct gws_device_buffer **buffer, struct gws_diagnostic *where);

/* buffer_name() and buffer_map() of kinds without such memory. */
gws_status gws__device_no_name(struct gws_device_buffer *buffer, struct gws__device_name *name,
                               struct gws_diagnostic *where);
gws_status gws__device_no_map(struct gws_device_buffer *buffer, const struct gws__device_name *name,
                              struct gws_diagnostic *where);

/* Make and free a stream that is not in .opened. */
gws_status gws__stream_new(struct gws_device *device, struct gws_stream **stream, struct gws_diagnostic *where);
void gws__stream_free(struct gws_stream *stream);

/* Returns the total local memory of a launch's arguments. */
uint64_t gws__launch_local_bytes(const struct gws_device_launch *launch);

/* Returns GWS_OK unless the device is lost or belongs to another process. Marks a device of another process as lost. */
gws_status gws__device_alive(struct gws_device *device, struct gws_diagnostic *where);

/* Returns whether the device's commands can address the other device's buffers. */
bool gws__device_addresses(const struct gws_device *device, const struct gws_device *other);

/* Copies between a buffer, from offset on, and the host's memory. The source is `from`, or the target is `to`. The
 * unused pointer is NULL. Waits for the default stream's commands, then uses all workers and the device's staging
 * buffers. The staging buffers must exist. In a loop's body only the calling thread copies. */
gws_status gws__staging_copy(struct gws_device_buffer *buffer, uint64_t offset, const void *from, void *to,
                             uint64_t bytes, struct gws_diagnostic *where);

/* Frees the staging buffers, if any. The device must be idle or lost. */
void gws__device_staging_free(struct gws_device *device);

/* Returns the number of staging slots for the runtime's workers. */
uint32_t gws__staging_slots_of(const struct gws_runtime *runtime);

/* Clears fresh memory with all workers. */
void gws__staging_touch(struct gws_runtime *runtime, char *memory, uint64_t bytes);

/* gws__stream_launched() records a launch on the stream in the trace. gws__stream_done() records the completion of all
 * commands of the stream. */
bool gws__stream_is_traced(const struct gws_stream *stream);
void gws__stream_launched(struct gws_stream *stream);
void gws__stream_done(struct gws_stream *stream);

/* Polls the stream until all its commands are complete, within the device's limit. After an error the device is
 * lost. */
gws_status gws__stream_wait(struct gws_stream *stream, struct gws_diagnostic *where);

/* Waits for all streams, like gws__stream_wait(), before the caller frees objects that commands may use. */
void gws__device_wait_for_all(struct gws_device *device);

/* ---- compiled programs on disk (cache.c) ----
 *
 * A file's name is a key, which is a hash of all inputs of the compilation. A defective file or folder counts as
 * missing. The next store replaces a defective file. */

/* Sets path to folder (from a device's options), or to the environment's cache folder if folder is NULL. If that path
 * is too long, sets path to the empty string. */
void gws__cache_folder(char path[gws__cache_path], const char *folder);

struct gws__cache_key {
    uint64_t low, high;
};

/* Returns the key of the strings in this order, combined with an earlier key ({0, 0}: none). The boundaries between the
 * strings affect the key. */
struct gws__cache_key gws__cache_key_of(struct gws__cache_key earlier, const char *const *piece, uint32_t pieces);

/* Loads the data with this key into *bytes bytes of memory from the runtime's allocator. Sets *data to NULL if the
 * cache has no such data, or if the folder's name is empty. Errors: GWS_NO_MEMORY. */
gws_status gws__cache_load(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, void **data,
                           uint64_t *bytes);

/* Makes the folder if it is missing. Replaces the file atomically, even if other processes store the same file. */
void gws__cache_store(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, const void *data,
                      uint64_t bytes);

#endif
