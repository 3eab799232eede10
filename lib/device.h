/* SPDX-License-Identifier: MIT */
/* Devices besides the CPU's threads: listing them, memory on a device, programs for it, and kernel launches.
 *
 * A device is named "KIND" or "KIND:N". "opencl:1" is the second OpenCL device, counted over all platforms in the
 * loader's order. "opencl" is the first usable OpenCL device. "cuda:N" has the driver's number N. Kinds are rows of a
 * table; a kind that this build lacks stays in the table with the reason.
 *
 * Commands run in the order of the calls. One thread at a time may make these calls; lib/stream.h has further command
 * streams, for several threads and for asynchronous copies.
 * No call waits for ever: a wait that exceeds the limit of gws_device_options is an error. The device is then lost:
 * every later call on it fails.
 *
 * The library never frees or reuses memory that a driver may still access. The driver never gets the caller's memory:
 * copies go through memory of the driver or of the device, and the library copies results to the caller after the
 * driver has reported completion. So after any failure the caller may free all memory that it owns. The memory of a
 * lost device (buffers, shared buffers, programs, the pinned memory of copies) stays allocated until the process ends,
 * although the caller makes the freeing calls as usual; gws_device_close() reports this to the runtime's log.
 *
 * In a child of fork() a device counts as lost, since drivers do not survive fork(). The child may free the device's
 * objects and close it; these calls do not involve the driver. */
#ifndef GWS_DEVICE_H
#define GWS_DEVICE_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_device;
struct gws_device_buffer;
struct gws_device_program;

/* ---- listing devices ---- */

/* The interface that drives a device: the rows of the table of kinds, in its order. */
enum gws_device_api { GWS_DEVICE_OPENCL, GWS_DEVICE_CUDA };

enum gws_device_type { GWS_DEVICE_OTHER, GWS_DEVICE_CPU, GWS_DEVICE_GPU };

/* Memory that host and device both address, from least to most capable. */
enum gws_svm {
    GWS_SVM_NONE,
    GWS_SVM_COARSE, /* each side maps a buffer before it uses it */
    GWS_SVM_FINE, /* both sides use it concurrently; each word has one writer, and atomics hold within one side only */
    GWS_SVM_ATOMICS /* ... and atomics of host and device hold against each other */
};

/* The widest scope and the strongest order of the device's atomics. */
enum gws_atomic_scope { GWS_ATOMIC_SCOPE_NONE, GWS_ATOMIC_GROUP, GWS_ATOMIC_DEVICE, GWS_ATOMIC_ALL_DEVICES };
enum gws_atomic_order { GWS_ATOMIC_ORDER_NONE, GWS_ATOMIC_RELAXED, GWS_ATOMIC_ACQ_REL, GWS_ATOMIC_SEQ_CST };

struct gws_device_info {
    char address[32]; /* "opencl:0" */
    char name[128];
    char vendor[128];
    char driver[128];   /* the driver's platform and version */
    char unusable[128]; /* why the device cannot be opened; empty if it can */
    enum gws_device_api api;
    enum gws_device_type type;
    enum gws_svm svm;
    enum gws_atomic_scope scope;
    enum gws_atomic_order order;
    bool collectives; /* scans and reductions over a work-group, as the language has them */
    bool unified;     /* host and device share one memory */
    bool compiles;    /* programs are compiled at run time, with the caller's options; false: programs are precompiled
                       * images */
    bool cooperative; /* the driver guarantees that the groups of a resident launch run concurrently */
    uint32_t version; /* of the language, 100 x major + 10 x minor: 300 for OpenCL 3.0, 900 for CUDA's compute
                       * capability 9.0 */
    uint32_t warp;    /* work-items in a warp whose collectives our kernels may use: 32 on NVIDIA's devices; 1: none */
    uint32_t units;   /* compute units, in CUDA multiprocessors */
    uint32_t groups; /* work-groups that always run concurrently: one a unit. gws_device_resident() gives the number for
                      * a kernel */
    uint32_t max_cluster;                      /* the largest cluster, in groups; 0: no clusters */
    uint64_t max_group_size;                   /* the largest group, in work-items; a kernel may allow fewer */
    uint64_t memory, max_buffer, local_memory; /* in bytes; local_memory: for a group, without an explicit request */
    uint64_t max_shared;                       /* the largest buffer that host and device share, in bytes; 0: none */
    uint64_t cache;                            /* bytes of the last-level cache; 0: unknown */
};

/* The table of kinds: the name of row i, an enum gws_device_api; NULL past the end. *about receives one sentence,
 * *off the reason why the kind has no devices (this build lacks it, or this machine has no driver for it), or NULL.
 * Both may be NULL. Static storage. */
GWS_API const char *gws_device_kind_at(uint32_t i, const char **about, const char **off);

/* Describes the devices of every kind: writes up to capacity descriptions to info and the number of devices to
 * *count. A machine without drivers has no devices. A driver that fails contributes no devices either, and the
 * runtime's log receives the reason. The first call loads the drivers, which takes a fraction of a second. */
GWS_API void gws_device_list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t capacity,
                             uint32_t *count);

/* ---- one device ---- */

struct gws_device_options {
    double limit_ms;   /* the longest single wait; 0: 60000 */
    const char *cache; /* the folder for compiled programs, created if missing; "": none; NULL: $XDG_CACHE_HOME/graphws,
                        * otherwise ~/.cache/graphws; none for PoCL, which has a cache of its own */
};

/* Opens the device of that address. options may be NULL; runtime must outlive the device. Errors, with a message in
 * *where (may be NULL, here and below): GWS_INVALID (no such kind, number or usable device), GWS_UNSUPPORTED (not in
 * this build, or no driver), GWS_NO_MEMORY, GWS_DEVICE (an error of the driver). */
GWS_API gws_status gws_device_open(struct gws_runtime *runtime, const char *address,
                                   const struct gws_device_options *options, struct gws_device **device,
                                   struct gws_diagnostic *where);

/* Frees the device; NULL is allowed. Free its buffers and programs first. Waits for running commands, within the
 * limit. */
GWS_API void gws_device_close(struct gws_device *device);

GWS_API const struct gws_device_info *gws_device_describe(const struct gws_device *device);

/* The number of cores that remain for the device's work-groups (of one work-item each) beside that many host
 * threads; UINT32_MAX unless the device is this processor. */
GWS_API uint32_t gws_device_cores_left(const struct gws_device *device, uint32_t threads);

/* What two devices, or a device and the host, share. */
struct gws_device_sharing {
    bool memory;       /* one memory for both: no copies are needed */
    bool fine_grained; /* kernels address memory of the other side while that side uses it: host memory from
                        * gws_device_shared_new(), or another device's buffers (CUDA's peer access) */
    bool atomics; /* ... and atomics of both sides hold against each other, so they may share deques. CUDA images have
                   * no atomics against the host's, even if the machine supports them */
};

/* Of the device and another device, or of the device and the host if other is NULL. */
GWS_API struct gws_device_sharing gws_device_sharing(const struct gws_device *device, const struct gws_device *other);

/* The longest single wait, for callers that poll words of shared memory. */
GWS_API double gws_device_limit_ms(const struct gws_device *device);

/* ---- memory ---- */

/* Allocates bytes of device memory, not cleared; 0 gives a valid buffer. Errors: GWS_TOO_LARGE (over max_buffer),
 * GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_buffer_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                         struct gws_diagnostic *where);

/* Allocates memory that host and device both address while kernels run: OpenCL's fine-grained buffers, CUDA's pinned
 * and mapped memory (in host memory: the device reads it over the bus). It is an ordinary buffer; *host receives its
 * host address, aligned to 64 bytes. With GWS_SVM_FINE each word has one writer, and a value crosses by the writer's
 * release store and the reader's acquire load; atomics of both sides on one word need GWS_SVM_ATOMICS. In kernels,
 * words that are shared with the host are atomic, with the scope of all devices if the language has it. Errors:
 * GWS_UNSUPPORTED (.svm below GWS_SVM_FINE), GWS_TOO_LARGE (over max_shared), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_shared_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                         void **host, struct gws_diagnostic *where);

/* Frees a buffer; NULL is allowed. Freeing a shared buffer waits for all previous commands. On a lost device the
 * memory stays allocated, since kernels may still use it; the host must not. */
GWS_API void gws_device_buffer_free(struct gws_device_buffer *buffer);
GWS_API uint64_t gws_device_buffer_bytes(const struct gws_device_buffer *buffer);

/* The driver's handle of a buffer, for kernels that another library launches: CUDA's device pointer (of the primary
 * context), or OpenCL's cl_mem (CL_MEM_CONTEXT gives its context), or for a shared buffer the SVM pointer. The
 * buffer owns it. After gws_device_wait() no command of this library uses it. */
GWS_API void *gws_device_buffer_native(const struct gws_device_buffer *buffer);

/* Sets *bytes to the device's free memory. OpenCL has no such query: the result is then all of its memory. Errors:
 * GWS_DEVICE. */
GWS_API gws_status gws_device_memory_left(struct gws_device *device, uint64_t *bytes, struct gws_diagnostic *where);

/* The number of bytes in the device's buffers now, without shared buffers, which lie in host memory. */
GWS_API uint64_t gws_device_memory_held(const struct gws_device *device);

/* Copy bytes between the host and the buffer, from offset on, after all previous commands; they return when the copy
 * is complete. The runtime's workers perform copies of a MiB and more for CUDA, and for OpenCL GPUs with memory of
 * their own, through pinned memory: 2 MiB for each of at most 16 slots, beside the memory of the runtime's
 * allocator. The device allocates them at the first such copy and keeps them. If that fails, CUDA copies one MiB at
 * a time, and OpenCL maps the buffer. So the caller must be the thread that owns the runtime, or a body of its loops
 * or tasks; in a body the caller copies alone, which is slower. Errors: GWS_OUT_OF_RANGE (the range exceeds the
 * buffer), GWS_NO_MEMORY, GWS_DEVICE. After a failed read the content of the caller's memory is undefined; nothing
 * writes to it later. */
GWS_API gws_status gws_device_write(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                                    struct gws_diagnostic *where);
GWS_API gws_status gws_device_read(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                                   struct gws_diagnostic *where);

/* Sets count 32-bit words from word number first on, asynchronously. Errors: GWS_OUT_OF_RANGE, GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_device_fill(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                                   struct gws_diagnostic *where);

/* ---- programs ---- */

struct gws_device_source {
    const char *name;        /* for messages, such as "bfs.cl" */
    const char *const *part; /* source code in `parts` strings, compiled as their concatenation */
    uint32_t parts;
    const char
        *options; /* compiler options such as "-DCHUNK=64", NULL for none; the library adds the language's version */
    const void
        *image; /* the compiled program: a CUDA fatbin of image_bytes, which must outlive the program; NULL: none */
    uint64_t image_bytes;
};

/* Makes a program from the part of its source for the device's kind. OpenCL compiles the text with the
 * options, or loads the compiled program from the cache; a hash of the source, the options, the device and its
 * driver names the file. A damaged or read-only cache is not an error. CUDA loads the image. Errors: GWS_INVALID
 * (the source does not compile: *where receives the first error, the runtime's log the whole build log; or the image
 * is damaged), GWS_UNSUPPORTED (the source has no part for this kind, or the image none for this device),
 * GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_program_build(struct gws_device *device, const struct gws_device_source *source,
                                            struct gws_device_program **program, struct gws_diagnostic *where);
GWS_API void gws_device_program_free(struct gws_device_program *program);

/* The total time of the device's program builds so far: compiling, or reading and loading compiled programs. */
GWS_API double gws_device_translate_ms(const struct gws_device *device);

/* True if the program came from the cache. */
GWS_API bool gws_device_program_cached(const struct gws_device_program *program);

/* One argument of a kernel: a buffer; or a value of bytes, which the launch copies; or, if both are NULL, bytes of
 * local memory for each group. For CUDA local memory is no parameter of the kernel: the sum of all such arguments is
 * its dynamic shared memory. */
struct gws_device_argument {
    struct gws_device_buffer *buffer;
    const void *value;
    uint64_t bytes;
};

struct gws_device_launch {
    struct gws_device_program *program;
    const char *kernel;
    uint64_t groups, group_size; /* work-groups, and work-items in each group */
    const struct gws_device_argument *argument;
    uint32_t arguments;
    bool resident; /* the groups wait for each other, so they must run concurrently: a cooperative launch with CUDA */
    bool early;    /* groups may start before the previous launch has ended, once all of its groups have started and
                    * signalled it (PTX: griddepcontrol.launch_dependents) or have ended. The kernel itself waits for the
                    * previous launch (griddepcontrol.wait), at the latest before it ends, so that later commands find both
                    * complete. CUDA from compute capability 9.0 on; elsewhere launches do not overlap */
    uint32_t cluster; /* groups in a cluster; .groups is a multiple of it; 0: no clusters */
};

/* Sets *groups to the number of groups of this launch (ignoring its .groups) that are sure to run concurrently on an
 * otherwise idle device. OpenCL: one a compute unit; CUDA: the occupancy, in whole clusters. 0: not even one fits.
 * Errors: GWS_INVALID (no such kernel, an empty or too large group, too large a cluster), GWS_DEVICE. */
GWS_API gws_status gws_device_resident(struct gws_device *device, const struct gws_device_launch *launch,
                                       uint64_t *groups, struct gws_diagnostic *where);

/* Starts a kernel and returns at once. Errors: GWS_INVALID (no such kernel; arguments that do not match, as far as
 * the driver knows; an empty or too large group; a buffer of another device; a resident launch of more groups than
 * gws_device_resident() gives; a cluster that does not divide the groups or exceeds max_cluster), GWS_TOO_LARGE
 * (groups x group_size overflows), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_run(struct gws_device *device, const struct gws_device_launch *launch,
                                  struct gws_diagnostic *where);

/* Returns when all previous commands are complete. Errors: GWS_DEVICE (a command failed or took too long; the device
 * is lost). */
GWS_API gws_status gws_device_wait(struct gws_device *device, struct gws_diagnostic *where);

/* Sets *done to true if all previous commands are complete. Never waits; has no time limit. Errors: GWS_DEVICE (a
 * command failed). */
GWS_API gws_status gws_device_poll(struct gws_device *device, bool *done, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
