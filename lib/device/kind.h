/* SPDX-License-Identifier: MIT */
/* A kind of devices as a table of functions. Those of struct gws_device_calls get arguments that lib/device/device.c
 * has checked: ranges within buffers, sizes within the device's limits, a device that is not lost. Whoever finds a
 * device lost sets .lost: from then on nothing that its driver may still touch is freed, and nothing is asked of it. */
#ifndef GWS_DEVICE_KIND_H
#define GWS_DEVICE_KIND_H

#include <pthread.h>
#include <sys/types.h>

#include "../base/services.h"
#include "../stream.h"
#include "../trace.h"

enum { gws__device_limit_ms = 60000, gws__cache_path = 4096 };

/* What every kind's own struct begins with. */
struct gws_device {
    const struct gws_device_calls *call;
    struct gws_runtime *runtime;
    struct gws_device_info info;
    double limit_ms;
    uint32_t track;    /* its own stream's, lib/trace.h; GWS_TRACE_NONE: none */
    uint64_t since_ns; /* when the first launch began that was not yet waited for there, 0: there is none */
    uint32_t launches; /* since then */
    uint64_t label;    /* the runtime's at that time */
    pid_t owner;       /* the process that opened it */
    void *native;      /* gws_device_native() */
    struct gws_stream *own;
    pthread_mutex_t lock;         /* for .opened and .translate_ms */
    struct gws_stream *opened;    /* streams beside its own */
    struct gws__staging *staging; /* for large copies on its own stream; NULL: there is none */
    bool wants_staging;           /* one is to be made when it is first of use */
    _Atomic bool lost;            /* nothing else is read by it */
    bool caches_programs;         /* its driver does itself, so that only a cache asked for by name is used */
    _Atomic uint64_t held;        /* bytes of its buffers, without shared ones */
    double translate_ms;          /* building programs */
    char cache[gws__cache_path];  /* a folder; empty: none */
};

enum {
    gws__staging_slots = 16 /* at most */,
    gws__staging_slot_bytes = 2 << 20 /* smaller ones keep the bus from its speed */
};

/* Slots of pinned memory by which large copies go (stage.c). */
struct gws__staging {
    struct gws_device_buffer *pinned; /* the slots, one behind the other */
    uint32_t slots;                   /* 2 .. gws__staging_slots */
    void *event[gws__staging_slots];  /* of the copy that is under way in that slot */
};

/* Commands that run in order. Those of one thread at a time, but for poll() and, as other, after(). */
struct gws_stream {
    struct gws_device *device;
    struct gws_stream *next; /* in .opened */
    void *native;
};

struct gws_device_buffer {
    struct gws_device *device;
    uint64_t bytes;
    void *host;      /* where the host finds it, NULL if it does not: generic code reads and writes there */
    bool pinned;     /* kernels do not take it */
    bool by_workers; /* pinned memory: who makes it may run the runtime's loops */
    bool held;       /* its bytes count as the device's */
    void *native;    /* gws_device_buffer_native() */
};

/* Bytes to ask a driver for: none gives a buffer of none. */
static inline uint64_t gws__device_buffer_capacity(const struct gws_device_buffer *buffer)
{
    return buffer->bytes ? buffer->bytes : 1;
}

struct gws_device_program {
    struct gws_device *device;
    bool cached;
};

/* Objects are made and freed by generic code: their memory, zero but for what each begins with, is there before a kind
 * opens one, and goes after it has closed it. close() and program_free() are due also where opening or building failed;
 * where another object could not be made, nothing of the driver's is left. */
struct gws_device_calls {
    size_t device_bytes, stream_bytes, buffer_bytes, program_bytes; /* of the kind's own structs */
    uint64_t part_bytes;                                            /* the most that one transfer() is asked for */
    /* Opens the number index of the kind's list(), whose description is there. Sets .native, .wants_staging and
     * .caches_programs. */
    gws_status (*open)(struct gws_device *device, uint32_t index, struct gws_where *where);
    void (*close)(struct gws_device *device); /* nothing runs there, unless it is lost */
    struct gws_device_sharing (*sharing)(const struct gws_device *device, const struct gws_device *other);
    gws_status (*memory_left)(struct gws_device *device, uint64_t *bytes, struct gws_where *where);
    /* Memory for a buffer of .bytes, and .native: on the device; shared, at .host; or pinned, at .host, which kernels
     * need not reach. */
    gws_status (*buffer_new)(struct gws_device_buffer *buffer, struct gws_where *where);
    gws_status (*shared_new)(struct gws_device_buffer *buffer, struct gws_where *where);
    gws_status (*pinned_new)(struct gws_device_buffer *buffer, struct gws_where *where);
    void (*buffer_free)(struct gws_device_buffer *buffer);
    gws_status (*stream_open)(struct gws_stream *stream, struct gws_where *where); /* sets .native */
    void (*stream_close)(struct gws_stream *stream); /* nothing runs there, unless the device is lost */
    gws_status (*after)(struct gws_stream *stream, struct gws_stream *other, struct gws_where *where);
    /* Copies between a buffer without .host, from offset on, and the host: from `from`, or to `to`; the other one is
     * NULL. Done when it returns. */
    gws_status (*transfer)(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                           const void *from, void *to, uint64_t bytes, struct gws_where *where);
    /* Of a buffer that is not pinned. */
    gws_status (*fill)(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                       uint64_t count, struct gws_where *where);
    gws_status (*copy)(struct gws_stream *stream, struct gws_device_buffer *to, uint64_t to_offset,
                       struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes, struct gws_where *where);
    /* Into *event: what tells when the stream's commands so far are done. */
    gws_status (*event_new)(struct gws_stream *stream, void **event, struct gws_where *where);
    /* Into *done: are they? Frees the event if so. Only looks at the device: who calls says that it is lost. */
    gws_status (*event_poll)(struct gws_device *device, void *event, bool *done, struct gws_where *where);
    gws_status (*program_build)(struct gws_device_program *program, const struct gws_device_source *source,
                                struct gws_where *where);
    void (*program_free)(struct gws_device_program *program);
    /* local_bytes: of all arguments together. */
    gws_status (*resident)(struct gws_device *device, const struct gws_device_launch *launch, uint64_t local_bytes,
                           uint64_t *groups, struct gws_where *where);
    gws_status (*run)(struct gws_stream *stream, const struct gws_device_launch *launch, struct gws_where *where);
    gws_status (*poll)(struct gws_stream *stream, bool *done, struct gws_where *where);
};

struct gws_device_kind {
    const char *name, *about;
    /* Why there are none of it: the build has no code for it, or the machine no driver; NULL if neither. */
    const char *(*off)(void);
    /* The first capacity of the devices into info; how many there are. */
    uint32_t (*list)(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t capacity);
    const struct gws_device_calls *call; /* NULL, as .list, where the build has no code for it */
};

/* From lib/device/opencl and lib/device/cuda, or from lib/device/none where the build leaves one out. */
extern const struct gws_device_kind gws__device_opencl, gws__device_cuda;

/* Zeroed memory for an object, freed by gws_release() as one item of so many bytes; NULL where memory is short, which
 * *where then says of subject. */
void *gws__device_object(struct gws_runtime *runtime, uint64_t bytes, const char *subject, struct gws_where *where);

/* A buffer to which make(), one of the kind's three, gives its memory. */
gws_status gws__device_buffer_new(struct gws_device *device, uint64_t bytes, bool by_workers,
                                  gws_status (*make)(struct gws_device_buffer *buffer, struct gws_where *where),
                                  struct gws_device_buffer **buffer, struct gws_where *where);
void gws__device_buffer_free(struct gws_device_buffer *buffer);

/* A stream that is not in .opened. */
gws_status gws__stream_new(struct gws_device *device, struct gws_stream **stream, struct gws_where *where);
void gws__stream_free(struct gws_stream *stream);

/* Bytes of local memory that a launch asks for. */
uint64_t gws__launch_local_bytes(const struct gws_device_launch *launch);

/* GWS_OK unless the device was lost before, or is of another process: then it is marked as lost. */
gws_status gws__device_alive(struct gws_device *device, struct gws_where *where);

/* Copies between a buffer, from offset on, and the host's memory: from `from`, or to `to`; the other one is NULL. By
 * all workers and the device's stage, which is there, after all commands so far on the device's own stream; by the
 * caller alone where it is in a loop's body. */
gws_status gws__staging_copy(struct gws_device_buffer *buffer, uint64_t offset, const void *from, void *to,
                             uint64_t bytes, struct gws_where *where);

/* Frees the stage, if there is one; nothing runs on the device, or it is lost. */
void gws__device_staging_free(struct gws_device *device);

/* How many slots serve a runtime's workers. */
uint32_t gws__staging_slots_of(const struct gws_runtime *runtime);

/* Has fresh memory cleared, by all workers. */
void gws__staging_touch(struct gws_runtime *runtime, char *memory, uint64_t bytes);

/* A launch on the stream, and that all its commands are known to be done: for the trace. */
bool gws__stream_is_traced(const struct gws_stream *stream);
void gws__stream_launched(struct gws_stream *stream);
void gws__stream_done(struct gws_stream *stream);

/* Polls the stream until all its commands are done, at most as long as the device may take. Loses the device on an
 * error. */
gws_status gws__stream_wait(struct gws_stream *stream, struct gws_where *where);

/* The same for all streams: for who frees what commands may use. */
void gws__device_wait_for_all(struct gws_device *device);

/* ---- translated programs on disk (cache.c) ----
 *
 * A file is named by a key: a hash of everything the translation depends on. Whatever is wrong with the folder or a
 * file counts as not found; the file is then written anew. */

/* The folder that was asked for (a device's options say how), or NULL: where the environment has caches. Too long a
 * path is none. */
void gws__cache_folder(char path[gws__cache_path], const char *asked);

struct gws__cache_key {
    uint64_t low, high;
};

/* The key of these pieces in this order, after those of an earlier key ({0, 0}: none). Where one ends counts, too. */
struct gws__cache_key gws__cache_key_of(struct gws__cache_key earlier, const char *const *piece, uint32_t pieces);

/* What was stored under the key, bytes of it from the runtime's allocator, or NULL if nothing was found (an empty
 * folder is none). Errors: GWS_NO_MEMORY. */
gws_status gws__cache_load(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, void **data,
                           uint64_t *bytes);

/* Makes the folder if need be, and the file whole or not at all, whoever else writes it. */
void gws__cache_store(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, const void *data,
                      uint64_t bytes);

#endif
