/* SPDX-License-Identifier: MIT */
/* A stub of CUDA's runtime; see failing.h. The stub has the functions that the library uses, two devices in host
 * memory, one kernel, and streams that share one command queue. The stub queues commands until a caller polls for the
 * second time. It lists all allocations of the driver, and all memory that is pinned for the driver. A command that
 * touches other memory, or a call that frees memory in use by a command, is an error that the stub counts. */
#define _POSIX_C_SOURCE 200809L
#include "failing.h"

struct gws_test_driver gws_test_cuda;

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#include <stdio.h>

#include "failing_cuda_memory.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* some calls ignore their parameters */

bool gws_test_cuda_is_here(void)
{
    return true;
}

/* ---- device properties ---- */

static cudaError_t describe(int *value, enum cudaDeviceAttr what)
{
    static const struct {
        enum cudaDeviceAttr what;
        int value;
    } known[] = {{cudaDevAttrComputeCapabilityMajor, 9},
                 {cudaDevAttrMaxThreadsPerBlock, 1024},
                 {cudaDevAttrMultiProcessorCount, 2},
                 {cudaDevAttrWarpSize, 32},
                 {cudaDevAttrCanMapHostMemory, 1},
                 {cudaDevAttrMaxSharedMemoryPerBlock, 48 << 10},
                 {cudaDevAttrComputeMode, cudaComputeModeDefault}};
    *value = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].what == what) *value = known[i].value;
    return cudaSuccess;
}

static cudaError_t set(int *to, int value)
{
    *to = value;
    return cudaSuccess;
}

static cudaError_t point(void **to, void *at)
{
    *to = at;
    return cudaSuccess;
}

static cudaError_t name(struct cudaDeviceProp *has)
{
    memset(has, 0, sizeof *has);
    snprintf(has->name, sizeof has->name, "stub");
    has->totalGlobalMem = memory_bytes;
    return cudaSuccess;
}

static cudaError_t fill_function(void **function)
{
    int (*fill)(unsigned long long, unsigned, size_t, cudaStream_t) = fill_words;
    memcpy(function, &fill, sizeof fill);
    return cudaSuccess;
}

/* Device 0 reaches device 1 without atomics, over the link of rank 1; device 1 does not reach device 0. */
static cudaError_t pair(int *value, enum cudaDeviceP2PAttr what, int device, int other)
{
    const bool asks_more = what == cudaDevP2PAttrAccessSupported || what == cudaDevP2PAttrPerformanceRank;
    return set(value, device == 0 && other == 1 && asks_more);
}

/* add(uint *word, uint more) */
static cudaError_t parameter(size_t place, size_t *bytes)
{
    if (place > 1) return cudaErrorInvalidValue;
    *bytes = place == 0 ? sizeof(void *) : sizeof(uint32_t);
    return cudaSuccess;
}

/* ---- calls ---- */

/* NOLINTBEGIN(misc-unused-parameters): they are CUDA's */

CALL(cudaDriverGetVersion, (int *version), set(version, CUDART_VERSION))
CALL(cudaGetDeviceCount, (int *count), set(count, 2))
CALL(cudaGetDeviceProperties, (struct cudaDeviceProp * has, int device), name(has))
CALL(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr what, int device), describe(value, what))
CALL(cudaDeviceGetP2PAttribute, (int *value, enum cudaDeviceP2PAttr what, int device, int other),
     pair(value, what, device, other))
CALL(cudaDeviceEnablePeerAccess, (int other, unsigned flags), cudaSuccess)
CALL(cudaSetDevice, (int device), cudaSuccess)
CALL(cudaMemGetInfo, (size_t * left, size_t *all), (*left = *all = memory_bytes, cudaSuccess))
CALL(cudaGetDriverEntryPointByVersion,
     (const char *symbol, void **function, unsigned version, unsigned long long flags,
      enum cudaDriverEntryPointQueryResult *found),
     fill_function(function))
CALL(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), point((void **)stream, &lock))
CALL(cudaStreamDestroy, (cudaStream_t stream), wait_for_all())
CALL(cudaStreamQuery, (cudaStream_t stream), is_done(given))
CALL(cudaMalloc, (void **memory, size_t bytes), allocate(memory, bytes, false))
CALL(cudaFree, (void *memory), unlist(memory, false))
CALL(cudaHostAlloc, (void **memory, size_t bytes, unsigned flags), allocate(memory, bytes, true))
CALL(cudaFreeHost, (void *memory), unlist(memory, true))
CALL(cudaHostGetDevicePointer, (void **there, void *here, unsigned flags), point(there, here))
CALL(cudaHostRegister, (void *memory, size_t bytes, unsigned flags), record_allocation(memory, bytes, true, false))
CALL(cudaHostUnregister, (void *memory), unlist(memory, true))
CALL(cudaDeviceGetPCIBusId, (char *text, int bytes, int device), cudaErrorNotSupported)
CALL(cudaDeviceGetByPCIBusId, (int *device, const char *text), cudaErrorNotSupported)
CALL(cudaIpcGetMemHandle, (cudaIpcMemHandle_t * handle, void *memory), cudaErrorNotSupported)
CALL(cudaIpcOpenMemHandle, (void **memory, cudaIpcMemHandle_t handle, unsigned flags), cudaErrorNotSupported)
CALL(cudaIpcCloseMemHandle, (void *memory), cudaErrorNotSupported)
CALL(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
     copy(to, from, bytes, kind))
CALL(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), new_event(event))
CALL(cudaEventDestroy, (cudaEvent_t event), free_event(event))
CALL(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), record(event))
CALL(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags), cudaSuccess)
CALL(cudaEventQuery, (cudaEvent_t event), is_done(recorded[(uintptr_t)event - 1]))
CALL(cudaLibraryLoadData,
     (cudaLibrary_t * library, const void *code, enum cudaJitOption *option, void **value, unsigned options,
      enum cudaLibraryOption *more, void **values, unsigned mores),
     point((void **)library, &lock))
CALL(cudaLibraryUnload, (cudaLibrary_t library), wait_for_all())
CALL(cudaLibraryGetKernelCount, (unsigned *count, cudaLibrary_t library), (*count = 1, cudaSuccess))
CALL(cudaLibraryEnumerateKernels, (cudaKernel_t * kernel, unsigned capacity, cudaLibrary_t library),
     point((void **)kernel, &add_kernel))
CALL(cudaFuncGetAttributes, (struct cudaFuncAttributes * has, const void *kernel),
     (memset(has, 0, sizeof *has), cudaSuccess))
CALL(cudaFuncGetName, (const char **text, const void *kernel), (*text = "add", cudaSuccess))
CALL(cudaFuncGetParamInfo, (const void *kernel, size_t place, size_t *at, size_t *bytes), parameter(place, bytes))
CALL(cudaKernelSetAttributeForDevice, (cudaKernel_t kernel, enum cudaFuncAttribute what, int value, int device),
     cudaSuccess)
CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (int *count, const void *kernel, int size, size_t local),
     set(count, 2))
CALL(cudaOccupancyMaxActiveClusters, (int *count, const void *kernel, const cudaLaunchConfig_t *config), set(count, 2))
CALL(cudaLaunchKernelExC, (const cudaLaunchConfig_t *config, const void *kernel, void **argument),
     launch(config, argument))

/* NOLINTEND(misc-unused-parameters) */

/* Error queries. */
NAMED(cudaError_t, cudaGetLastError, (void));
cudaError_t failing_cudaGetLastError(void)
{
    return cudaSuccess;
}

NAMED(const char *, cudaGetErrorName, (cudaError_t error));
const char *failing_cudaGetErrorName(cudaError_t error)
{
    return error == cudaSuccess ? "cudaSuccess" : "cudaErrorOnPurpose";
}

NAMED(const char *, cudaGetErrorString, (cudaError_t error));
const char *failing_cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess ? "no error" : "on purpose";
}

#else

bool gws_test_cuda_is_here(void)
{
    return false;
}

uint64_t gws_test_cuda_end(void)
{
    return 0;
}

#endif
