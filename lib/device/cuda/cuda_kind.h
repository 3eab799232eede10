/* SPDX-License-Identifier: MIT */
/* NVIDIA devices through the CUDA runtime. The library links the runtime statically. The runtime loads the driver at
 * its first call. Without a driver there are no devices. Several threads may call the runtime concurrently. Each
 * function first sets the calling thread's current device. Programs are fatbins, so all host code is plain C. */
#ifndef GWS_DEVICE_CUDA_KIND_H
#define GWS_DEVICE_CUDA_KIND_H

#include <cuda_runtime_api.h>

#include "../kind.h"

enum { gws__cuda_slot_bytes = 1 << 20 };

struct gws__cuda_device {
    struct gws_device base;
    int index; /* the driver's number of the device */
    /* cuMemsetD32Async(), because the runtime's own fill sets bytes only. */
    int (*fill_words)(unsigned long long to, unsigned word, size_t count, cudaStream_t stream);
};

struct gws__cuda_stream {
    struct gws_stream base;
    cudaStream_t stream;
    char *slot; /* gws__cuda_slot_bytes of pinned memory for copies without staging buffers; NULL before the first such
                   copy */
};

/* .native is the device address. */
struct gws__cuda_buffer {
    struct gws_device_buffer base;
    /* The mapping of large pinned memory. This memory never comes from the allocator, because the library cannot free
     * it after the device is lost. */
    char *mapped;
    uint64_t mapped_bytes;
};

enum { gws__cuda_arguments = 64 }; /* the maximum number of a kernel's arguments */

struct gws__cuda_kernel {
    cudaKernel_t handle;
    const char *name;
    uint32_t parameters;
    uint32_t bytes[gws__cuda_arguments]; /* the size of each parameter */
};

/* Building a program looks up all its kernels, so a launch needs no queries. */
struct gws__cuda_program {
    struct gws_device_program base;
    cudaLibrary_t library;
    struct gws__cuda_kernel *kernel; /* `kernels` entries; NULL before the build looks up the kernels */
    unsigned kernels;
};

static inline struct gws__cuda_device *gws__cuda_of(struct gws_device *device)
{
    return (struct gws__cuda_device *)device;
}

static inline struct gws__cuda_stream *gws__cuda_stream_of(struct gws_stream *stream)
{
    return (struct gws__cuda_stream *)stream;
}

/* Fills *where with "SUBJECT: CALL: NAME (TEXT)" for an error of a CUDA call. Returns the status for this error. */
gws_status gws__cuda_fail(struct gws_diagnostic *where, const char *subject, const char *call, cudaError_t error);

/* Returns GWS_OK for success. Otherwise acts like gws__cuda_fail(), and marks the device as lost unless the arguments
 * were invalid or memory was short. */
gws_status gws__cuda_check(struct gws_device *device, struct gws_diagnostic *where, const char *call,
                           cudaError_t error);

/* Makes the device current for the calling thread. All functions except the description call this function first. */
gws_status gws__cuda_use(struct gws_device *device, struct gws_diagnostic *where);

/* Returns the reason why there can be no devices (no driver, or too old a driver), or NULL. */
const char *gws__cuda_off(void);

/* Returns the number of the driver's devices. */
uint32_t gws__cuda_count(struct gws_runtime *runtime);

/* Describes a device. Its member unusable receives the reason why the library cannot use the device, if any. */
void gws__cuda_describe(int index, struct gws_device_info *info);

struct gws_device_sharing gws__cuda_sharing(const struct gws_device *device, const struct gws_device *other);

struct gws_device_peer gws__cuda_peer(uint32_t number, uint32_t other);

gws_status gws__cuda_buffer_new(struct gws_device_buffer *base, struct gws_diagnostic *where);
gws_status gws__cuda_shared_new(struct gws_device_buffer *base, struct gws_diagnostic *where);
gws_status gws__cuda_pinned_new(struct gws_device_buffer *base, struct gws_diagnostic *where);
void gws__cuda_buffer_free(struct gws_device_buffer *base);
gws_status gws__cuda_buffer_name(struct gws_device_buffer *base, struct gws__device_name *name,
                                 struct gws_diagnostic *where);
gws_status gws__cuda_buffer_map(struct gws_device_buffer *base, const struct gws__device_name *name,
                                struct gws_diagnostic *where);
gws_status gws__cuda_transfer(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset,
                              const void *from, void *to, uint64_t bytes, struct gws_diagnostic *where);
gws_status gws__cuda_fill(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                          uint64_t count, struct gws_diagnostic *where);
gws_status gws__cuda_copy(struct gws_stream *base, struct gws_device_buffer *to, uint64_t to_offset,
                          struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                          struct gws_diagnostic *where);
gws_status gws__cuda_program_build(struct gws_device_program *base, const struct gws_device_source *source,
                                   struct gws_diagnostic *where);
void gws__cuda_program_free(struct gws_device_program *base);
gws_status gws__cuda_resident(struct gws_device *base, const struct gws_device_launch *launch, uint64_t local_bytes,
                              uint64_t *groups, struct gws_diagnostic *where);
gws_status gws__cuda_run(struct gws_stream *base, const struct gws_device_launch *launch, struct gws_diagnostic *where);

#endif
