/* SPDX-License-Identifier: MIT */
/* A stub of CUDA's runtime that runs the kernel of immediate tasks on threads, a thread for each worker, for
 * test_task_peers.c, which includes the kernel before. Each device has one stream. The devices' kernels run at the same
 * time, in one memory. */
#ifndef GWS_TESTS_LIB_HETERO_PEERS_CUDA_H
#define GWS_TESTS_LIB_HETERO_PEERS_CUDA_H

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { devices_max = 8, workers_of_group = 4, parameters = 14, values = 9 /* the first parameters are pointers */ };

/* The default stream of a device. Copies are complete when they return. A kernel runs until a caller finds it done. */
struct fake_stream {
    pthread_t worker[workers_of_group];
    struct fake_group {
        struct fake_stream *stream;
        u32 number;
    } group[workers_of_group];
    void *pointer[values];
    u32 word[3];
    u64 slice;
    void *trace, *peers;
    _Atomic u32 running;
    u32 started; /* workers to join */
};

static const char *const kernel_name[] = {"task_run", "task_run_peers"}; /* their handles are the addresses */
static struct fake_stream stream_of_device[devices_max]; /* or of a share, in the order of their opening */
static u32 shares = 1, opened;                           /* shares: of each device; opened: shares so far */
static _Thread_local int current;
static bool has_atomics;                   /* of every pair of devices */
static bool one_bus;                       /* all devices seem to be the same one to other processes */
static _Atomic uint32_t launches, fail_at; /* the launch that fails; 0: none */
static _Atomic bool fails_to_reach;
static _Atomic uint32_t maps; /* calls that map memory of another process */
static _Atomic int mapped_memory,
    may_map; /* pieces of memory of other processes; how many may be mapped, or 0: any number */

static void *run_worker_thread(void *context)
{
    const struct fake_group *group = context;
    struct fake_stream *s = group->stream;
    gws_host_group = group->number;
    gws_host_groups = workers_of_group;
    if (s->peers)
        task_run_peers(s->pointer[0], s->pointer[1], s->pointer[2], s->pointer[3], s->pointer[4], s->pointer[5],
                       s->pointer[6], s->pointer[7], s->pointer[8], s->word[0], s->word[1], s->word[2], s->slice,
                       s->trace, s->peers);
    else
        task_run(s->pointer[0], s->pointer[1], s->pointer[2], s->pointer[3], s->pointer[4], s->pointer[5],
                 s->pointer[6], s->pointer[7], s->pointer[8], s->word[0], s->word[1], s->word[2], s->slice, s->trace);
    atomic_fetch_sub(&s->running, 1);
    return NULL;
}

static void join(struct fake_stream *s)
{
    for (; s->started > 0; s->started--) pthread_join(s->worker[s->started - 1], NULL);
}

static cudaError_t query(cudaStream_t stream)
{
    struct fake_stream *s = (struct fake_stream *)stream;
    if (atomic_load(&s->running) > 0) return cudaErrorNotReady;
    join(s);
    return cudaSuccess;
}

static cudaError_t launch(const cudaLaunchConfig_t *config, const void *kernel, void **argument)
{
    struct fake_stream *s = (struct fake_stream *)config->stream;
    if (atomic_fetch_add(&launches, 1) + 1 == fail_at) return cudaErrorLaunchFailure;
    if (config->gridDim.x != 1) return cudaErrorInvalidValue;
    join(s);
    for (u32 i = 0; i < values; i++) memcpy(&s->pointer[i], argument[i], sizeof s->pointer[i]);
    for (u32 i = 0; i < 3; i++) memcpy(&s->word[i], argument[values + i], sizeof s->word[i]);
    memcpy(&s->slice, argument[values + 3], sizeof s->slice);
    memcpy(&s->trace, argument[values + 4], sizeof s->trace);
    s->peers = NULL;
    if (kernel == &kernel_name[1]) memcpy(&s->peers, argument[values + 5], sizeof s->peers);
    atomic_store(&s->running, workers_of_group);
    for (u32 w = 0; w < workers_of_group; w++) {
        s->group[w] = (struct fake_group){s, w};
        if (pthread_create(&s->worker[w], NULL, run_worker_thread, &s->group[w]) != 0) abort();
        s->started++;
    }
    return cudaSuccess;
}

static cudaError_t copy(void *to, const void *from, size_t bytes, cudaStream_t stream)
{
    join((struct fake_stream *)stream);
    memcpy(to, from, bytes);
    return cudaSuccess;
}

static int fill_words(unsigned long long to, unsigned word, size_t count, cudaStream_t stream)
{
    join((struct fake_stream *)stream);
    for (size_t i = 0; i < count; i++) ((unsigned *)to)[i] = word;
    return 0;
}

static cudaError_t fill_function(void **function)
{
    int (*fill)(unsigned long long, unsigned, size_t, cudaStream_t) = fill_words;
    memcpy(function, &fill, sizeof fill);
    return cudaSuccess;
}

/* Memory in use. The library does not free that of a lost device, which may still write to it. So LeakSanitizer must
 * find it here. */
enum { max_blocks = 1024 };
static _Atomic(void *) block[max_blocks];

/* Replaces one of the table's entries. */
static void replace_block(void *from, void *to)
{
    for (int i = 0; i < max_blocks; i++) {
        void *found = from;
        if (atomic_compare_exchange_strong(&block[i], &found, to)) return;
    }
}

static cudaError_t allocate(void **memory, size_t bytes)
{
    *memory = aligned_alloc(256, (bytes + 256) / 256 * 256);
    replace_block(NULL, *memory);
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t release(void *memory)
{
    replace_block(memory, NULL);
    free(memory);
    return cudaSuccess;
}

static cudaError_t describe(int *value, enum cudaDeviceAttr what)
{
    *value = what == cudaDevAttrComputeCapabilityMajor    ? 9
             : what == cudaDevAttrMaxThreadsPerBlock      ? 1024
             : what == cudaDevAttrWarpSize                ? 32
             : what == cudaDevAttrMaxSharedMemoryPerBlock ? 48 << 10
             : what == cudaDevAttrComputeMode
                 ? cudaComputeModeDefault
                 : what == cudaDevAttrMultiProcessorCount || what == cudaDevAttrCanMapHostMemory;
    return cudaSuccess;
}

static cudaError_t pair(int *value, enum cudaDeviceP2PAttr what, int device, int other)
{
    *value = what == cudaDevP2PAttrPerformanceRank ? abs(device - other) - 1
                                                   : what == cudaDevP2PAttrAccessSupported || has_atomics;
    return cudaSuccess;
}

static cudaError_t name_device(struct cudaDeviceProp *has)
{
    memset(has, 0, sizeof *has);
    strcpy(has->name, "stub");
    has->totalGlobalMem = 1 << 30;
    return cudaSuccess;
}

static cudaError_t parameter(const void *kernel, size_t place, size_t *bytes)
{
    if (place >= parameters + (kernel == &kernel_name[1])) return cudaErrorInvalidValue;
    *bytes = place < values || place >= values + 3 ? 8 : 4;
    return cudaSuccess;
}

static cudaError_t enumerate(cudaKernel_t *kernel)
{
    for (u32 i = 0; i < 2; i++) kernel[i] = (cudaKernel_t)&kernel_name[i];
    return cudaSuccess;
}

static cudaError_t open_stream(cudaStream_t *stream)
{
    struct fake_stream *free_one = &stream_of_device[shares > 1 ? opened++ : (u32)current];
    *stream = (cudaStream_t)free_one;
    return cudaSuccess;
}

static cudaError_t point(void **to, void *at)
{
    *to = at;
    return cudaSuccess;
}

static cudaError_t name_bus(char *text, int bytes, int device)
{
    snprintf(text, (size_t)bytes, "0000:%02d:00.0", one_bus ? 0 : device);
    return cudaSuccess;
}

static cudaError_t find_bus(int *device, const char *text)
{
    *device = atoi(text + 5);
    return cudaSuccess;
}

/* The handle has the address, because all ranks are threads of one process. */
static cudaError_t name_memory(cudaIpcMemHandle_t *handle, void *memory)
{
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &memory, sizeof memory);
    return cudaSuccess;
}

static cudaError_t map_memory(void **memory, const cudaIpcMemHandle_t *handle)
{
    if (may_map > 0 && mapped_memory >= may_map) return cudaErrorNotSupported;
    atomic_fetch_add(&mapped_memory, 1);
    atomic_fetch_add(&maps, 1);
    memcpy(memory, handle, sizeof *memory);
    return cudaSuccess;
}

/* The C names differ from the symbols, to avoid conflicting declarations with CUDA's header. */
#pragma GCC diagnostic ignored "-Wunused-parameter" /* some calls ignore their parameters */
#define STRING(word) #word
#define NAMED(type, name, list) type peers_##name list __asm__(STRING(name))
#define CALL(name, list, answer)                                                                                       \
    NAMED(cudaError_t, name, list);                                                                                    \
    cudaError_t peers_##name list                                                                                      \
    {                                                                                                                  \
        return (answer);                                                                                               \
    }

/* NOLINTBEGIN(misc-unused-parameters): they are CUDA's */

CALL(cudaDriverGetVersion, (int *version), (*version = CUDART_VERSION, cudaSuccess))
CALL(cudaGetDeviceCount, (int *count), (*count = devices_max, cudaSuccess))
CALL(cudaGetDeviceProperties, (struct cudaDeviceProp * has, int device), name_device(has))
CALL(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr what, int device), describe(value, what))
CALL(cudaDeviceGetP2PAttribute, (int *value, enum cudaDeviceP2PAttr what, int device, int other),
     pair(value, what, device, other))
CALL(cudaDeviceEnablePeerAccess, (int other, unsigned flags), fails_to_reach ? cudaErrorUnknown : cudaSuccess)
CALL(cudaSetDevice, (int device), (current = device, cudaSuccess))
CALL(cudaMemGetInfo, (size_t * left, size_t *all), (*left = *all = 1 << 30, cudaSuccess))
CALL(cudaGetDriverEntryPointByVersion,
     (const char *symbol, void **function, unsigned version, unsigned long long flags,
      enum cudaDriverEntryPointQueryResult *found),
     fill_function(function))
CALL(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), open_stream(stream))
CALL(cudaStreamDestroy, (cudaStream_t stream), (join((struct fake_stream *)stream), cudaSuccess))
CALL(cudaStreamQuery, (cudaStream_t stream), query(stream))
CALL(cudaMalloc, (void **memory, size_t bytes), allocate(memory, bytes))
CALL(cudaFree, (void *memory), release(memory))
CALL(cudaHostAlloc, (void **memory, size_t bytes, unsigned flags), allocate(memory, bytes))
CALL(cudaFreeHost, (void *memory), release(memory))
CALL(cudaHostGetDevicePointer, (void **there, void *here, unsigned flags), point(there, here))
CALL(cudaHostRegister, (void *memory, size_t bytes, unsigned flags), cudaSuccess)
CALL(cudaHostUnregister, (void *memory), cudaSuccess)
CALL(cudaDeviceGetPCIBusId, (char *text, int bytes, int device), name_bus(text, bytes, device))
CALL(cudaDeviceGetByPCIBusId, (int *device, const char *text), find_bus(device, text))
CALL(cudaIpcGetMemHandle, (cudaIpcMemHandle_t * handle, void *memory), name_memory(handle, memory))
CALL(cudaIpcOpenMemHandle, (void **memory, cudaIpcMemHandle_t handle, unsigned flags), map_memory(memory, &handle))
CALL(cudaIpcCloseMemHandle, (void *memory), (atomic_fetch_sub(&mapped_memory, 1), cudaSuccess))
CALL(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
     copy(to, from, bytes, stream))
CALL(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), point((void **)event, &current))
CALL(cudaEventDestroy, (cudaEvent_t event), cudaSuccess)
CALL(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), cudaSuccess)
CALL(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags), cudaSuccess)
CALL(cudaEventQuery, (cudaEvent_t event), cudaSuccess)
CALL(cudaLibraryLoadData,
     (cudaLibrary_t * library, const void *code, enum cudaJitOption *option, void **value, unsigned options,
      enum cudaLibraryOption *more, void **list, unsigned mores),
     point((void **)library, &launches))
CALL(cudaLibraryUnload, (cudaLibrary_t library), cudaSuccess)
CALL(cudaLibraryGetKernelCount, (unsigned *count, cudaLibrary_t library), (*count = 2, cudaSuccess))
CALL(cudaLibraryEnumerateKernels, (cudaKernel_t * kernel, unsigned capacity, cudaLibrary_t library), enumerate(kernel))
CALL(cudaFuncGetAttributes, (struct cudaFuncAttributes * has, const void *kernel),
     (memset(has, 0, sizeof *has), cudaSuccess))
CALL(cudaFuncGetName, (const char **text, const void *kernel), (*text = *(const char *const *)kernel, cudaSuccess))
CALL(cudaFuncGetParamInfo, (const void *kernel, size_t place, size_t *at, size_t *bytes),
     parameter(kernel, place, bytes))
CALL(cudaKernelSetAttributeForDevice, (cudaKernel_t kernel, enum cudaFuncAttribute what, int value, int device),
     cudaSuccess)
CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (int *count, const void *kernel, int size, size_t local),
     ((*count = (int)shares), cudaSuccess))
CALL(cudaOccupancyMaxActiveClusters, (int *count, const void *kernel, const cudaLaunchConfig_t *config),
     (*count = 1, cudaSuccess))
CALL(cudaLaunchKernelExC, (const cudaLaunchConfig_t *config, const void *kernel, void **argument),
     launch(config, kernel, argument))

/* NOLINTEND(misc-unused-parameters) */

NAMED(cudaError_t, cudaGetLastError, (void));
cudaError_t peers_cudaGetLastError(void)
{
    return cudaSuccess;
}

NAMED(const char *, cudaGetErrorName, (cudaError_t error));
const char *peers_cudaGetErrorName(cudaError_t error)
{
    return error == cudaSuccess ? "cudaSuccess" : "cudaErrorOnPurpose";
}

NAMED(const char *, cudaGetErrorString, (cudaError_t error));
const char *peers_cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess ? "no error" : "on purpose";
}

#endif
