/* SPDX-License-Identifier: MIT */
/* NVIDIA devices through the CUDA runtime, which the library carries and which loads the driver when it is first asked:
 * without one there are no devices. Its calls may come from several threads at once; the runtime's current device of
 * the calling thread is set by each. Programs are fatbins: host code is C throughout. */
#ifndef GWS_DEVICE_CUDA_KIND_H
#define GWS_DEVICE_CUDA_KIND_H

#include <cuda_runtime_api.h>

#include "../kind.h"

enum { gws__cuda_slot_bytes = 1 << 20 };

struct gws__cuda_device {
    struct gws_device base;
    int index; /* the driver's number */
    /* cuMemsetD32Async: the runtime itself fills with bytes only. */
    int (*fill_words)(unsigned long long to, unsigned word, size_t count, cudaStream_t stream);
};

struct gws__cuda_stream {
    struct gws_stream base;
    cudaStream_t stream;
    char *slot; /* pinned memory, gws__cuda_slot_bytes, for copies without a stage; NULL: there were none yet */
};

/* .native is where the device finds it. */
struct gws__cuda_buffer {
    struct gws_device_buffer base;
    /* Of pinned memory that is large: what is mapped for it, never the allocator's, to whom it might not come back. */
    char *mapped;
    uint64_t mapped_bytes;
};

enum { gws__cuda_arguments = 64 }; /* of a kernel, at most */

struct gws__cuda_kernel {
    cudaKernel_t handle;
    const char *name;
    uint32_t parameters;
    uint32_t bytes[gws__cuda_arguments]; /* of each parameter */
};

/* All its kernels are looked up when it is built, so that a launch asks nothing. */
struct gws__cuda_program {
    struct gws_device_program base;
    cudaLibrary_t library;
    struct gws__cuda_kernel *kernel; /* kernels entries; NULL until they are known */
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

/* Fills *where with "SUBJECT: CALL: NAME (TEXT)" for what a call answered, and answers the status for it. */
gws_status gws__cuda_fail(struct gws_where *where, const char *subject, const char *call, cudaError_t error);

/* GWS_OK for success; else the same, where the device cannot be trusted after it, unless what was asked was wrong or
 * memory was short: it is lost. */
gws_status gws__cuda_check(struct gws_device *device, struct gws_where *where, const char *call, cudaError_t error);

/* Makes the device the calling thread's; all calls but the description do that first. */
gws_status gws__cuda_use(struct gws_device *device, struct gws_where *where);

/* Why there can be no devices: no driver, or too old a one; NULL: neither. */
const char *gws__cuda_off(void);

/* How many devices the driver knows. */
uint32_t gws__cuda_count(struct gws_runtime *runtime);

/* Why it cannot be used goes to .unusable. */
void gws__cuda_describe(int index, struct gws_device_info *info);

struct gws_device_sharing gws__cuda_sharing(const struct gws_device *device, const struct gws_device *other);

gws_status gws__cuda_buffer_new(struct gws_device_buffer *base, struct gws_where *where);
gws_status gws__cuda_shared_new(struct gws_device_buffer *base, struct gws_where *where);
gws_status gws__cuda_pinned_new(struct gws_device_buffer *base, struct gws_where *where);
void gws__cuda_buffer_free(struct gws_device_buffer *base);
gws_status gws__cuda_transfer(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset,
                              const void *from, void *to, uint64_t bytes, struct gws_where *where);
gws_status gws__cuda_fill(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                          uint64_t count, struct gws_where *where);
gws_status gws__cuda_copy(struct gws_stream *base, struct gws_device_buffer *to, uint64_t to_offset,
                          struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                          struct gws_where *where);
gws_status gws__cuda_program_build(struct gws_device_program *base, const struct gws_device_source *source,
                                   struct gws_where *where);
void gws__cuda_program_free(struct gws_device_program *base);
gws_status gws__cuda_resident(struct gws_device *base, const struct gws_device_launch *launch, uint64_t local_bytes,
                              uint64_t *groups, struct gws_where *where);
gws_status gws__cuda_run(struct gws_stream *base, const struct gws_device_launch *launch, struct gws_where *where);

#endif
