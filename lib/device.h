/* SPDX-License-Identifier: MIT */
/* Devices beside the CPU's threads: which there are, memory on one, programs for it, and launching their kernels.
 *
 * A device is named "KIND" or "KIND:N": "opencl:1" is the second that OpenCL knows, counted over all its platforms in
 * the loader's order; "opencl" is its first that can be used; "cuda:N" is the driver's number N. Kinds are rows of a
 * table; one that this build has no code for stays in the table and says so.
 *
 * Commands run in the order in which they are given. These calls are for one thread at a time; lib/stream.h has more
 * streams of commands, for several threads and for copies that do not wait.
 * Nothing waits for ever: what does not end within the limit of gws_device_options is an error, and the device is then
 * lost: every later call on it fails.
 *
 * Memory that a driver may still touch is never freed, nor used for anything else. The driver never gets the caller's
 * memory: copies go through memory that is the driver's or the device's own, and what a call returns is copied to the
 * caller once the driver has said that it is done. So after any failure the caller may free all that is its own. What
 * is on a lost device (buffers, shared ones among them, programs, the pinned memory of copies) stays until the process
 * ends, though the calls that free it are made as ever; closing it says so to the runtime's log.
 *
 * In a child of fork() a device counts as lost: drivers do not survive that. The child may free and close what is on
 * it, which leaves the driver alone, or nothing. */
#ifndef GWS_DEVICE_H
#define GWS_DEVICE_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_device;
struct gws_device_buffer;
struct gws_device_program;

/* ---- what there is ---- */

/* What drives a device: the rows of the table of kinds, in its order. */
enum gws_device_api { GWS_DEVICE_OPENCL, GWS_DEVICE_CUDA };

enum gws_device_type { GWS_DEVICE_OTHER, GWS_DEVICE_CPU, GWS_DEVICE_GPU };

/* Memory that host and device both address, by rising worth. */
enum gws_svm {
    GWS_SVM_NONE,
    GWS_SVM_COARSE, /* the one that uses a buffer has to map it */
    GWS_SVM_FINE,   /* both use it at once, though each word has one writer and atomics hold for their own side only */
    GWS_SVM_ATOMICS /* ... and atomics of one hold against the other's */
};

/* The widest scope and the strongest order that the device's atomics have. */
enum gws_atomic_scope { GWS_ATOMIC_SCOPE_NONE, GWS_ATOMIC_GROUP, GWS_ATOMIC_DEVICE, GWS_ATOMIC_ALL_DEVICES };
enum gws_atomic_order { GWS_ATOMIC_ORDER_NONE, GWS_ATOMIC_RELAXED, GWS_ATOMIC_ACQ_REL, GWS_ATOMIC_SEQ_CST };

struct gws_device_info {
    char address[32]; /* "opencl:0" */
    char name[128];
    char vendor[128];
    char driver[128];   /* its platform and version */
    char unusable[128]; /* why it cannot be opened, empty if it can */
    enum gws_device_api api;
    enum gws_device_type type;
    enum gws_svm svm;
    enum gws_atomic_scope scope;
    enum gws_atomic_order order;
    bool collectives; /* the language's scans and reductions over a work-group */
    bool unified;     /* shares the host's memory */
    bool translates;  /* programs are translated here, with the options that are asked for; false: they are images */
    bool cooperative; /* the driver promises that the groups of a resident launch run at the same time */
    uint32_t version; /* of the language, 100 x major + 10 x minor: 300 for OpenCL 3.0, 900 for CUDA's compute
                       * capability 9.0 */
    uint32_t warp;    /* items in a warp whose collectives our kernels may use: 32 on NVIDIA's devices; 1: none */
    uint32_t units;   /* compute units, CUDA's multiprocessors */
    uint32_t groups; /* work-groups that run at the same time whatever they do: one a unit. How many of a certain kernel
                      * do, gws_device_resident() says */
    uint32_t max_cluster;                      /* groups in a cluster, at most; 0: it has no clusters */
    uint64_t max_group_size;                   /* work-items in a group, at most; a kernel may allow fewer */
    uint64_t memory, max_buffer, local_memory; /* bytes; local_memory: for a group without asking for more */
    uint64_t max_shared;                       /* bytes in one buffer that host and device share; 0: none */
    uint64_t cache;                            /* bytes of the last cache before the memory; 0: not known */
};

/* The table of kinds: the name of row i, an enum gws_device_api; NULL past the end; one sentence in *about, and in *off
 * why there are none of it: this build lacks it, or this machine its driver; NULL if neither. Each may be NULL. Static
 * storage. */
GWS_API const char *gws_device_kind_at(uint32_t i, const char **about, const char **off);

/* Describes the devices of every kind: the first capacity of them into info, and how many there are into *count. A
 * machine without drivers has none; a driver that fails has none either, and says why to the runtime's log. The first
 * call loads the drivers, which takes a fraction of a second. */
GWS_API void gws_device_list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t capacity,
                             uint32_t *count);

/* ---- one device ---- */

struct gws_device_options {
    double limit_ms;   /* the longest that one wait may last; 0: 60000 */
    const char *cache; /* the folder for translated programs, made if need be; "": none; NULL: $XDG_CACHE_HOME/graphws,
                        * otherwise ~/.cache/graphws; none for PoCL, which keeps translations itself */
};

/* Opens the device of that address. options may be NULL; runtime must outlive the device. Errors, with a message in
 * *where (may be NULL, here and below): GWS_INVALID (no such kind, number or usable device), GWS_UNSUPPORTED (not in
 * this build, or no driver), GWS_NO_MEMORY, GWS_DEVICE (what the driver said). */
GWS_API gws_status gws_device_open(struct gws_runtime *runtime, const char *address,
                                   const struct gws_device_options *options, struct gws_device **device,
                                   struct gws_where *where);

/* Frees the device; NULL is allowed. Its buffers and programs go first. Waits for what is still running, within the
 * limit. */
GWS_API void gws_device_close(struct gws_device *device);

GWS_API const struct gws_device_info *gws_device_describe(const struct gws_device *device);

/* How many groups of one item find a core beside so many threads of the host's; UINT32_MAX where the device is not this
 * processor. */
GWS_API uint32_t gws_device_cores_left(const struct gws_device *device, uint32_t threads);

/* What a pair can do: a device and the host, or two devices. */
struct gws_device_sharing {
    bool memory;       /* the memory of both is one: nothing has to be copied */
    bool fine_grained; /* kernels address memory of the other side while it is in use there: of the host what
                        * gws_device_shared_new() gives, of a device its buffers (CUDA's peer access) */
    bool atomics; /* ... and atomics of both sides hold against each other there, so deques may be shared. Images for
                   * CUDA have no atomics against the host's, wherever the machine has */
};

/* Of the device and another one, or the host where other is NULL. */
GWS_API struct gws_device_sharing gws_device_sharing(const struct gws_device *device, const struct gws_device *other);

/* The longest that one wait may last; for who waits for words of shared memory himself. */
GWS_API double gws_device_limit_ms(const struct gws_device *device);

/* ---- memory ---- */

/* bytes of memory on the device, not cleared; 0 gives a valid buffer. Errors: GWS_TOO_LARGE (over max_buffer),
 * GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_buffer_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                         struct gws_where *where);

/* The same of memory that host and device both address while kernels run: OpenCL's fine-grained buffers, CUDA's pinned
 * and mapped memory (it lies with the host: the device reads it over the bus). It is a buffer like any other; *host is
 * where the host finds it, aligned to 64 bytes. Where .svm is GWS_SVM_FINE, a word has one writer and crosses by its
 * release stores and the other's acquire loads; atomics of both sides on one word need GWS_SVM_ATOMICS. Words that a
 * kernel shares with the host are atomic there, and of the scope of all devices where the language has one. Errors:
 * GWS_UNSUPPORTED (.svm below GWS_SVM_FINE), GWS_TOO_LARGE (over max_shared), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_shared_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                         void **host, struct gws_where *where);

/* Frees a buffer; NULL is allowed. Where it is shared, waits for all commands so far. Of a lost device its memory
 * stays, for kernels may still use it; the host must not. */
GWS_API void gws_device_buffer_free(struct gws_device_buffer *buffer);
GWS_API uint64_t gws_device_buffer_bytes(const struct gws_device_buffer *buffer);

/* The driver's own name of a buffer, for kernels that are not launched by this library: CUDA's device pointer, which is
 * the primary context's, or OpenCL's cl_mem, which knows its context (CL_MEM_CONTEXT), and for a shared buffer the SVM
 * pointer. It stays the buffer's. Commands of this library are done with it after gws_device_wait(). */
GWS_API void *gws_device_buffer_native(const struct gws_device_buffer *buffer);

/* Into *bytes: how much of its memory is free now. OpenCL does not tell: all of it. Errors: GWS_DEVICE. */
GWS_API gws_status gws_device_memory_left(struct gws_device *device, uint64_t *bytes, struct gws_where *where);

/* How many bytes its buffers have now, without shared ones: those lie with the host. */
GWS_API uint64_t gws_device_memory_held(const struct gws_device *device);

/* Copy bytes between the host and the buffer from offset on, after all commands so far; done when they return. CUDA,
 * and OpenCL to a GPU with memory of its own, copy a MiB and more by the runtime's workers, by way of pinned memory: 2
 * MiB for each of at most 16, beside what the runtime's allocator gives, which the device keeps from the first such
 * copy on; where that is not to be had, CUDA a MiB after the other, OpenCL as the driver maps it. So
 * the caller is the thread that the runtime serves, or in a body of its loops or tasks: there a copy is the caller's
 * own work, and slower. Errors: GWS_OUT_OF_RANGE (the range is not within the buffer), GWS_NO_MEMORY, GWS_DEVICE. Of a
 * read that failed, the memory's content is not known; nothing is written there later. */
GWS_API gws_status gws_device_write(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                                    struct gws_where *where);
GWS_API gws_status gws_device_read(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                                   struct gws_where *where);

/* Sets count 32-bit words from the word number first on; does not wait. Errors: GWS_OUT_OF_RANGE, GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_device_fill(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                                   struct gws_where *where);

/* ---- programs ---- */

struct gws_device_source {
    const char *name;        /* for messages, such as "bfs.cl" */
    const char *const *text; /* texts pieces, read as one */
    uint32_t texts;
    const char *options; /* such as "-DCHUNK=64", NULL for none; the language's version is added */
    const void *image; /* the program translated before, a CUDA fatbin of image_bytes; it must stay until the program is
                        * freed. NULL: none */
    uint64_t image_bytes;
};

/* Makes a program of what its source has for the device's kind. OpenCL takes the text and the options: it translates
 * them, or takes the translation from the cache, where a file is named by a hash of the source, the options, the device
 * and its driver; a cache that is broken or cannot be written is no error. CUDA takes the image. Errors: GWS_INVALID
 * (it does not compile: the first mistake is in *where, the whole build log goes to the runtime's log; or the image is
 * broken), GWS_UNSUPPORTED (the source has nothing for this kind, or the image nothing for this device), GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_device_program_build(struct gws_device *device, const struct gws_device_source *source,
                                            struct gws_device_program **program, struct gws_where *where);
GWS_API void gws_device_program_free(struct gws_device_program *program);

/* How long the device's programs took to build so far, all together: their translation, or reading and loading what was
 * translated before. */
GWS_API double gws_device_translate_ms(const struct gws_device *device);

/* True if the program came from the cache. */
GWS_API bool gws_device_program_cached(const struct gws_device_program *program);

/* One argument of a kernel: a buffer, or a value (copied by the launch) of bytes, or, where both are NULL, that many
 * bytes of local memory for each group. For CUDA the latter is no parameter of the kernel: their sum is its dynamic
 * shared memory. */
struct gws_device_argument {
    struct gws_device_buffer *buffer;
    const void *value;
    uint64_t bytes;
};

struct gws_device_launch {
    struct gws_device_program *program;
    const char *kernel;
    uint64_t groups, group_size; /* work-groups, and work-items in each */
    const struct gws_device_argument *argument;
    uint32_t arguments;
    bool resident;    /* its groups wait for each other, so they have to run at the same time: with CUDA it is a
                       * cooperative launch */
    bool early;       /* its groups may begin before those of the launch before it end, once all of that have begun and
                       * say so (PTX: griddepcontrol.launch_dependents) or have ended. What it needs of them, it waits
                       * for itself (griddepcontrol.wait), and always before it ends, so that later commands find all
                       * done. For CUDA from compute capability 9.0 on; elsewhere nothing begins early */
    uint32_t cluster; /* groups in a cluster, of which .groups is a multiple; 0: no clusters */
};

/* Into *groups: how many groups of this launch (its .groups is not looked at) surely run at the same time on an
 * otherwise idle device. OpenCL: one a compute unit; CUDA: what fits, in whole clusters. 0: not even one fits. Errors:
 * GWS_INVALID (no such kernel, no or too large a group or cluster), GWS_DEVICE. */
GWS_API gws_status gws_device_resident(struct gws_device *device, const struct gws_device_launch *launch,
                                       uint64_t *groups, struct gws_where *where);

/* Starts a kernel and returns at once. Errors: GWS_INVALID (no such kernel, other arguments than it takes as far as the
 * driver knows, no group or too large a one, a buffer of another device, a resident launch of more groups than
 * gws_device_resident() says, a cluster that does not divide the groups or is over max_cluster), GWS_TOO_LARGE (groups
 * x group_size overflows), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_run(struct gws_device *device, const struct gws_device_launch *launch,
                                  struct gws_where *where);

/* Returns when all commands so far are done. Errors: GWS_DEVICE (one failed or took too long; the device is lost). */
GWS_API gws_status gws_device_wait(struct gws_device *device, struct gws_where *where);

/* Into *done: are all commands so far done? Never waits, and knows no limit. Errors: GWS_DEVICE (one failed). */
GWS_API gws_status gws_device_poll(struct gws_device *device, bool *done, struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
