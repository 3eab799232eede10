/* SPDX-License-Identifier: MIT */
/* Programs for CUDA: fatbins that nvcc made when the library was built. Building a program loads all kernels onto the
 * device. To load a kernel later, the driver may wait for running kernels, which may wait for the host. */
#include <string.h>

#include "cuda_kind.h"

/* ---- checking the fatbin ---- */

/* The head of a fatbin. Its member bytes is the size of the rest. */
struct fatbin_head {
    uint32_t magic;
    uint16_t version, head_bytes;
    uint64_t bytes;
};

static bool is_whole(const struct gws_device_source *source)
{
    static const uint32_t magic = 0xba55ed50u;
    struct fatbin_head head;
    if (source->image_bytes < sizeof head) return false;
    memcpy(&head, source->image, sizeof head);
    return head.magic == magic && head.head_bytes >= sizeof head && head.head_bytes <= source->image_bytes &&
           head.bytes <= source->image_bytes - head.head_bytes;
}

static gws_status check_source(const struct gws_device_source *source, struct gws_diagnostic *where)
{
    if (!source->image)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: no CUDA image", source->name);
    if (is_whole(source)) return GWS_OK;
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: the image is not a complete fatbin", source->name);
}

/* ---- loading ---- */

/* Gets a kernel's properties. cudaFuncGetAttributes() also loads the kernel onto the device. */
static cudaError_t look_up(cudaKernel_t handle, struct gws__cuda_kernel *kernel)
{
    struct cudaFuncAttributes attributes;
    size_t offset, bytes;
    *kernel = (struct gws__cuda_kernel){.handle = handle};
    cudaError_t error = cudaFuncGetAttributes(&attributes, handle);
    if (error == cudaSuccess) error = cudaFuncGetName(&kernel->name, handle);
    if (error != cudaSuccess) return error;
    while (kernel->parameters < gws__cuda_arguments &&
           cudaFuncGetParamInfo(handle, kernel->parameters, &offset, &bytes) == cudaSuccess)
        kernel->bytes[kernel->parameters++] = (uint32_t)bytes;
    (void)cudaGetLastError(); /* the last query of the loop, for one parameter too many, leaves an error */
    return cudaSuccess;
}

static cudaError_t look_up_all(struct gws__cuda_program *program, cudaKernel_t *handle)
{
    cudaError_t error = cudaLibraryEnumerateKernels(handle, program->kernels, program->library);
    for (unsigned i = 0; error == cudaSuccess && i < program->kernels; i++)
        error = look_up(handle[i], &program->kernel[i]);
    return error;
}

static gws_status make_kernels(struct gws__cuda_program *program, const char *name, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = program->base.device->runtime;
    cudaError_t error = cudaLibraryGetKernelCount(&program->kernels, program->library);
    if (error != cudaSuccess) return gws__cuda_fail(where, name, "cudaLibraryGetKernelCount", error);
    if (!program->kernels)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: the program has no kernel", name);
    program->kernel = gws__device_object(runtime, program->kernels * sizeof *program->kernel, name, where);
    cudaKernel_t *handle = gws__device_object(runtime, program->kernels * sizeof(cudaKernel_t), name, where);
    bool allocated = program->kernel && handle;
    if (allocated) error = look_up_all(program, handle);
    gws_release(runtime, handle, program->kernels, sizeof(cudaKernel_t));
    if (!allocated) return GWS_NO_MEMORY;
    return error == cudaSuccess ? GWS_OK : gws__cuda_fail(where, name, "loading the kernels", error);
}

gws_status gws__cuda_program_build(struct gws_device_program *base, const struct gws_device_source *source,
                                   struct gws_diagnostic *where)
{
    struct gws__cuda_program *program = (struct gws__cuda_program *)base;
    gws_status status = check_source(source, where);
    if (status == GWS_OK) status = gws__cuda_use(base->device, where);
    if (status != GWS_OK) return status;
    cudaError_t error = cudaLibraryLoadData(&program->library, source->image, NULL, NULL, 0, NULL, NULL, 0);
    if (error == cudaSuccess) return make_kernels(program, source->name, where);
    program->library = NULL;
    return gws__cuda_fail(where, source->name, "cudaLibraryLoadData", error);
}

/* Frees a program. Unloading a library waits for running commands, as freeing memory does. */
void gws__cuda_program_free(struct gws_device_program *base)
{
    struct gws__cuda_program *program = (struct gws__cuda_program *)base;
    struct gws_device *device = base->device;
    if (program->library) gws__device_wait_for_all(device);
    if (!device->lost && program->library) (void)cudaLibraryUnload(program->library);
    gws_release(device->runtime, program->kernel, program->kernels, sizeof *program->kernel);
}
