/* SPDX-License-Identifier: MIT */
/* Devices besides the CPU's threads: listing them, memory on a device, programs for it, and kernel launches.
 *
 * The name of a device is "KIND" or "KIND:N". "opencl:1" is the second OpenCL device, counted over all platforms in the
 * loader's order. "opencl" is the first usable OpenCL device. "cuda:N" is the device with the driver's number N. Kinds
 * are rows of a table. A kind that this build lacks stays in the table with the reason.
 *
 * Commands run in the order of the calls. One thread at a time may make these calls. lib/stream.h has further command
 * streams, for several threads and for asynchronous copies. No call waits for ever. A wait that exceeds the limit of
 * gws_device_options is an error. The device is then lost, and every later call on it fails.
 *
 * The library never frees or reuses memory that a driver may still access. The driver never gets the caller's memory.
 * Copies go through memory of the driver or of the device. The library copies results to the caller after the driver
 * has reported completion. So after any failure the caller may free all memory that it owns. The memory of a lost
 * device (buffers, shared buffers, programs, the pinned memory of copies) stays allocated until the process ends. The
 * caller still makes the freeing calls. gws_device_close() reports the loss to the runtime's log.
 *
 * In a child of fork() a device counts as lost, because drivers do not survive fork(). The child may free the device's
 * objects and close it. These calls do not involve the driver. */
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
    GWS_SVM_FINE,   /* both sides use a buffer concurrently; each word has one writer; atomics work within one side
                     * only */
    GWS_SVM_ATOMICS /* as GWS_SVM_FINE; atomics also work between host and device */
};

/* The widest scope and the strongest order of the device's atomics. */
enum gws_atomic_scope { GWS_ATOMIC_SCOPE_NONE, GWS_ATOMIC_GROUP, GWS_ATOMIC_DEVICE, GWS_ATOMIC_ALL_DEVICES };
enum gws_atomic_order { GWS_ATOMIC_ORDER_NONE, GWS_ATOMIC_RELAXED, GWS_ATOMIC_ACQ_REL, GWS_ATOMIC_SEQ_CST };

struct gws_device_info {
    char address[32]; /* "opencl:0" */
    char name[128];
    char vendor[128];
    char driver[128];   /* the driver's platform and version */
    char unusable[128]; /* why the library cannot use the device; empty if it can */
    enum gws_device_api api;
    enum gws_device_type type;
    enum gws_svm svm;
    enum gws_atomic_scope scope;
    enum gws_atomic_order order;
    bool collectives; /* the language has scans and reductions over a work-group */
    bool unified;     /* host and device share one memory */
    bool compiles;    /* the driver compiles programs at run time, with the caller's options; false: programs are
                       * precompiled images */
    bool cooperative; /* the driver guarantees that the groups of a resident launch run concurrently */
    uint32_t version; /* version of the language, 100 x major + 10 x minor: 300 for OpenCL 3.0, 900 for CUDA's compute
                       * capability 9.0 */
    uint32_t warp;    /* work-items in a warp whose collectives our kernels may use: 32 on NVIDIA's devices; 1: none */
    uint32_t units;   /* compute units, in CUDA multiprocessors */
    uint32_t groups;  /* work-groups that always run concurrently: one per unit. gws_device_resident() gives the number
                       * for a kernel */
    uint32_t max_cluster;                      /* the largest cluster, in groups; 0: no clusters */
    uint64_t max_group_size;                   /* the largest group, in work-items; a kernel may allow fewer */
    uint64_t memory, max_buffer, local_memory; /* in bytes; local_memory: for a group, without an explicit request */
    uint64_t max_shared;                       /* the largest buffer that host and device share, in bytes; 0: none */
    uint64_t cache;                            /* bytes of the last-level cache; 0: unknown */
};

/* Returns the name of row i (an enum gws_device_api) of the table of kinds, or NULL past the end. *about receives one
 * sentence about the kind. *off receives the reason why the kind has no devices (this build lacks it, or this machine
 * has no driver for it), or NULL. Both pointers may be NULL. The strings have static storage. */
GWS_API const char *gws_device_kind_at(uint32_t i, const char **about, const char **off);

/* Describes the devices of every kind. Writes up to capacity descriptions to info and the number of devices to *count.
 * A machine without drivers has no devices. A driver that fails contributes no devices either, and the runtime's log
 * receives the reason. The first call loads the drivers, which takes a fraction of a second. */
GWS_API void gws_device_list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t capacity,
                             uint32_t *count);

/* ---- one device ---- */

struct gws_device_options {
    double limit_ms;   /* the longest single wait; 0: 60000 */
    uint32_t shares;   /* the device is opened so often, each time for kernels on that share of its groups, which run at
                        * the same time as the others; 0: 1; only CUDA has shares */
    const char *cache; /* the folder for compiled programs, created if missing; "": none; NULL: $XDG_CACHE_HOME/graphws,
                        * otherwise ~/.cache/graphws; none for PoCL, which has a cache of its own */
};

/* Opens the device with that address. options may be NULL. runtime must outlive the device. Errors, with a message in
 * *where (may be NULL, here and below): GWS_INVALID (no such kind, number or usable device), GWS_UNSUPPORTED (not in
 * this build, or no driver), GWS_NO_MEMORY, GWS_DEVICE (an error of the driver). */
GWS_API gws_status gws_device_open(struct gws_runtime *runtime, const char *address,
                                   const struct gws_device_options *options, struct gws_device **device,
                                   struct gws_diagnostic *where);

/* Waits for running commands, within the limit, and frees the device. NULL is allowed. Free the buffers and programs of
 * the device first. */
GWS_API void gws_device_close(struct gws_device *device);

GWS_API const struct gws_device_info *gws_device_describe(const struct gws_device *device);

/* Returns whether the kernels of both need the same groups, so that they do not run at the same time: one object, or
 * two of a device that is not opened for several shares. */
GWS_API bool gws_device_same(const struct gws_device *device, const struct gws_device *other);

/* Returns the number of cores that remain for the device's work-groups (of one work-item each) beside that many host
 * threads. Returns UINT32_MAX unless the device is this processor. */
GWS_API uint32_t gws_device_cores_left(const struct gws_device *device, uint32_t threads);

/* The memory that two devices, or a device and the host, share. */
struct gws_device_sharing {
    bool memory;       /* one memory for both: no copies are needed */
    bool fine_grained; /* kernels address memory of the other side while that side uses it: host memory from
                        * gws_device_shared_new(), or another device's buffers (CUDA's peer access) */
    bool atomics; /* atomics also work between both sides, so both may share deques. CUDA images have no atomics that
                   * work with the host's, even if the machine supports them */
};

/* Returns the sharing between the device and another device, or between the device and the host if other is NULL. */
GWS_API struct gws_device_sharing gws_device_sharing(const struct gws_device *device, const struct gws_device *other);

/* How one device reaches the memory of another. */
struct gws_device_peer {
    bool access;   /* its kernels can address the other device's buffers, after gws_device_reach() */
    bool atomics;  /* atomics also work there */
    uint32_t rank; /* of the link among all pairs; 0: the fastest. 0 without access */
};

/* Describes the path from a device to the memory of another one, from gws_device_list()'s descriptions. OpenCL devices
 * are no peers, because each has its own context. A device of CUDA that the driver fails to query is no peer either.
 * The call opens neither device. */
GWS_API struct gws_device_peer gws_device_peer(const struct gws_device_info *device,
                                               const struct gws_device_info *other);

/* Lets the device address the other device's buffers: they are then legal arguments of the device's launches, and
 * sources of its copies. Both devices stay separate otherwise: one device does not wait for the other, so the caller
 * must not free such a buffer while kernels of either device use it. Errors: GWS_UNSUPPORTED (gws_device_peer() has no
 * .access), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_reach(struct gws_device *device, struct gws_device *other, struct gws_diagnostic *where);

/* Returns the time limit of a single wait, for callers that poll words of shared memory. */
GWS_API double gws_device_limit_ms(const struct gws_device *device);

/* ---- memory ---- */

/* Allocates bytes of device memory, not cleared. A size of 0 gives a valid buffer. Errors: GWS_TOO_LARGE (over
 * max_buffer), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_buffer_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                         struct gws_diagnostic *where);

/* Allocates memory that host and device both address while kernels run. In OpenCL it is a fine-grained buffer. In CUDA
 * it is pinned and mapped host memory, which the device reads over the bus. The memory is an ordinary buffer. *host
 * receives its host address, aligned to 64 bytes. With GWS_SVM_FINE each word has one writer. The writer stores a value
 * with release order, and the reader loads it with acquire order. Atomics of both sides on one word need
 * GWS_SVM_ATOMICS. Kernels must access words that they share with the host as atomics, with the scope of all devices if
 * the language has that scope. Errors: GWS_UNSUPPORTED (.svm below GWS_SVM_FINE), GWS_TOO_LARGE (over max_shared),
 * GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_shared_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                         void **host, struct gws_diagnostic *where);

/* Frees a buffer. NULL is allowed. Freeing a shared buffer waits for all previous commands. On a lost device the memory
 * stays allocated, because kernels may still use it. The host must not use it. */
GWS_API void gws_device_buffer_free(struct gws_device_buffer *buffer);
GWS_API uint64_t gws_device_buffer_bytes(const struct gws_device_buffer *buffer);

/* Returns the driver's handle of a buffer, for kernels that another library launches: CUDA's device pointer (of the
 * primary context), or OpenCL's cl_mem (CL_MEM_CONTEXT gives its context), or for a shared buffer the SVM pointer. The
 * buffer owns the handle. After gws_device_wait() no command of this library uses the buffer. */
GWS_API void *gws_device_buffer_native(const struct gws_device_buffer *buffer);

/* Sets *bytes to the device's free memory. OpenCL has no such query, and the result is then the size of the whole
 * memory. Errors: GWS_DEVICE. */
GWS_API gws_status gws_device_memory_left(struct gws_device *device, uint64_t *bytes, struct gws_diagnostic *where);

/* Returns the number of bytes in the device's buffers now. Shared buffers lie in host memory and do not count. */
GWS_API uint64_t gws_device_memory_held(const struct gws_device *device);

/* Copy bytes between the host and the buffer, from offset on, after all previous commands. The functions return when
 * the copy is complete. For CUDA, and for OpenCL GPUs with memory of their own, the runtime's workers perform copies of
 * at least 1 MiB through pinned memory. This memory has at most 16 slots of 2 MiB and does not come from the runtime's
 * allocator. The device allocates the slots at the first such copy and keeps them. If the allocation fails, CUDA copies
 * 1 MiB at a time, and OpenCL maps the buffer. So the caller must be the thread that owns the runtime, or a body of its
 * loops or tasks. In a body the caller copies alone, which is slower. Errors: GWS_OUT_OF_RANGE (the range exceeds the
 * buffer), GWS_NO_MEMORY, GWS_DEVICE. After a failed read the content of the caller's memory is undefined. The library
 * does not write to it later. */
GWS_API gws_status gws_device_write(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                                    struct gws_diagnostic *where);
GWS_API gws_status gws_device_read(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                                   struct gws_diagnostic *where);

/* Sets count 32-bit words from word number first on, asynchronously. Errors: GWS_OUT_OF_RANGE, GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_device_fill(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                                   struct gws_diagnostic *where);

/* Copies bytes from one buffer to another one, on the default stream of the device that has `to`: that device, or one
 * that it reaches (gws_device_reach()), has `from`. The call does not wait; gws_device_wait() on the device of `to`
 * does. No kernel of the other device may write the part meanwhile. Otherwise like gws_stream_copy() (stream.h). */
GWS_API gws_status gws_device_copy(struct gws_device_buffer *to, uint64_t to_offset, struct gws_device_buffer *from,
                                   uint64_t from_offset, uint64_t bytes, struct gws_diagnostic *where);

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

/* Makes a program from the part of its source for the device's kind. OpenCL compiles the text with the options, or
 * loads the compiled program from the cache. The name of the cached file is a hash of the source, the options, the
 * device and its driver. A damaged or read-only cache is not an error. CUDA loads the image. Errors: GWS_INVALID (the
 * source does not compile: *where receives the first error, the runtime's log the whole build log; or the image is
 * damaged), GWS_UNSUPPORTED (the source has no part for this kind, or the image none for this device), GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_device_program_build(struct gws_device *device, const struct gws_device_source *source,
                                            struct gws_device_program **program, struct gws_diagnostic *where);
GWS_API void gws_device_program_free(struct gws_device_program *program);

/* Returns the total time of the device's program builds so far, for compiling or for reading and loading compiled
 * programs. */
GWS_API double gws_device_translate_ms(const struct gws_device *device);

/* Returns whether the program came from the cache. */
GWS_API bool gws_device_program_cached(const struct gws_device_program *program);

/* One argument of a kernel. It is a buffer, or a value of that many bytes, which the launch copies. If both pointers
 * are NULL, it is that many bytes of local memory for each group. For CUDA, local memory is no parameter of the kernel.
 * The sum of all such arguments is the kernel's dynamic shared memory. */
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
    bool early;    /* groups may start before the previous launch has ended, once all of that launch's groups have
                    * signalled (PTX: griddepcontrol.launch_dependents) or ended. The kernel must wait for the previous
                    * launch (griddepcontrol.wait) before it ends. Later commands then find both complete. Only CUDA
                    * devices of compute capability 9.0 or later overlap launches. */
    uint32_t cluster; /* groups in a cluster; the number must divide .groups; 0: no clusters */
};

/* Sets *groups to the number of groups of this launch (ignoring its .groups) that are sure to run concurrently on an
 * otherwise idle device. For OpenCL, it is one group per compute unit. For CUDA, it is the occupancy, in whole
 * clusters. Errors: GWS_UNSUPPORTED (not even one fits), GWS_INVALID (no such kernel, an empty or too large group, too
 * large a cluster), GWS_DEVICE. */
GWS_API gws_status gws_device_resident(struct gws_device *device, const struct gws_device_launch *launch,
                                       uint64_t *groups, struct gws_diagnostic *where);

/* Starts a kernel and returns at once. Errors: GWS_INVALID (no such kernel; arguments that do not match, as far as
 * the driver knows; an empty or too large group; a buffer of another device; a resident launch of more groups than
 * gws_device_resident() gives; a cluster that does not divide the groups or exceeds max_cluster), GWS_UNSUPPORTED (a
 * resident launch of which not even one group fits), GWS_TOO_LARGE (groups x group_size overflows), GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_device_run(struct gws_device *device, const struct gws_device_launch *launch,
                                  struct gws_diagnostic *where);

/* Returns when all previous commands are complete. Errors: GWS_DEVICE (a command failed or took too long; the device
 * is lost). */
GWS_API gws_status gws_device_wait(struct gws_device *device, struct gws_diagnostic *where);

/* Sets *done to true if all previous commands are complete. The call never waits and has no time limit. Errors:
 * GWS_DEVICE (a command failed). */
GWS_API gws_status gws_device_poll(struct gws_device *device, bool *done, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
