/* SPDX-License-Identifier: MIT */
/* See failing.h. The part of CUDA's runtime that the library uses: one device in host memory, one kernel, and
 * streams that share one command queue. The stub queues commands until a caller polls for the second time. It lists
 * all allocations that are the driver's or pinned for it. A command that touches other memory, or a call that frees
 * memory in use by a command, counts as wrong. */
#define _POSIX_C_SOURCE 200809L
#include "failing.h"

struct gws_test_driver gws_test_cuda;

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* some calls ignore their parameters */

enum { max_blocks = 64, max_commands = 256, max_events = 64, memory_bytes = 1 << 30 };

struct fake_allocation {
    char *memory;
    size_t bytes;
    bool pinned, ours; /* ours: allocated here */
};

struct command {
    char *to;
    const char *from; /* NULL: sets a number, or adds it if .adds */
    size_t bytes;
    uint32_t number;
    bool adds;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects everything below */
static struct fake_allocation block[max_blocks];
static struct command command[max_commands];
static uint64_t given, done; /* numbers of commands */
static uint64_t recorded[max_events];
static bool used[max_events], queried;
static uint64_t wrong;
static char add_kernel;

bool gws_test_cuda_is_here(void)
{
    return true;
}

/* ---- which call ---- */

/* Counts a call; true if it must fail. */
static bool fails(const char *name)
{
    uint64_t call = atomic_fetch_add(&gws_test_cuda.calls, 1) + 1, at = gws_test_cuda.fail_at;
    bool hit = at && (call == at || (call > at && (gws_test_cuda.fail_after || gws_test_cuda.stall)));
    const char *none = NULL;
    if (hit) (void)atomic_compare_exchange_strong(&gws_test_cuda.failed, &none, name);
    return hit && !gws_test_cuda.stall;
}

static bool stalls(void)
{
    return gws_test_cuda.stall && atomic_load(&gws_test_cuda.failed);
}

/* The C names differ from the symbols, to avoid conflicting declarations with CUDA's header. */
#define STRING(word) #word
#define NAMED(type, name, parameters) type failing_##name parameters __asm__(STRING(name))

/* Defines a call that returns an error, or under the lock the value of the expression. */
#define CALL(name, parameters, answer)                                                                                 \
    NAMED(cudaError_t, name, parameters);                                                                              \
    cudaError_t failing_##name parameters                                                                              \
    {                                                                                                                  \
        if (fails(#name)) return (cudaError_t)gws_test_cuda.error;                                                     \
        pthread_mutex_lock(&lock);                                                                                     \
        cudaError_t answered = (answer);                                                                               \
        pthread_mutex_unlock(&lock);                                                                                   \
        return answered;                                                                                               \
    }

/* ---- memory ---- */

static struct fake_allocation *block_at(const void *memory, size_t bytes)
{
    const char *first = memory;
    for (struct fake_allocation *found = block; found < block + max_blocks; found++)
        if (found->memory && first >= found->memory && first + bytes <= found->memory + found->bytes) return found;
    return NULL;
}

static cudaError_t record_allocation(char *memory, size_t bytes, bool pinned, bool ours)
{
    for (struct fake_allocation *found = block; found < block + max_blocks; found++) {
        if (found->memory) continue;
        *found = (struct fake_allocation){memory, bytes, pinned, ours};
        return cudaSuccess;
    }
    return cudaErrorMemoryAllocation;
}

static cudaError_t allocate(void **memory, size_t bytes, bool pinned)
{
    *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *memory ? record_allocation(*memory, bytes, pinned, true) : cudaErrorMemoryAllocation;
}

/* ---- commands ---- */

static void carry_out(const struct command *is)
{
    if (!block_at(is->to, is->bytes) || (is->from && !block_at(is->from, is->bytes))) {
        wrong++;
    } else if (is->from) {
        memcpy(is->to, is->from, is->bytes);
    } else {
        for (uint32_t *word = (uint32_t *)(void *)is->to; (char *)word < is->to + is->bytes; word++)
            *word = is->adds ? *word + is->number : is->number;
    }
}

static void carry_out_all(void)
{
    while (done < given) carry_out(&command[done++ % max_commands]);
}

static cudaError_t give(struct command next)
{
    if (given - done == max_commands) return cudaErrorUnknown;
    command[given++ % max_commands] = next;
    queried = false;
    return cudaSuccess;
}

static cudaError_t is_done(uint64_t until)
{
    bool again = queried;
    queried = true;
    if (done >= until) return cudaSuccess;
    if (stalls() || !again) return cudaErrorNotReady;
    carry_out_all();
    return cudaSuccess;
}

/* A call that waits for the device; it never returns if the device is lost. */
static cudaError_t wait_for_all(void)
{
    if (stalls() && done < given) wrong++;
    if (!stalls()) carry_out_all();
    return cudaSuccess;
}

static cudaError_t unlist(const void *memory, bool pinned)
{
    struct fake_allocation *found = block_at(memory, 1);
    (void)wait_for_all();
    if (!found || found->memory != memory || found->pinned != pinned) {
        wrong++;
        return cudaErrorInvalidValue;
    }
    if (found->ours) free(found->memory);
    *found = (struct fake_allocation){0};
    return cudaSuccess;
}

static cudaError_t copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct fake_allocation *host = block_at(kind == cudaMemcpyHostToDevice ? from : to, bytes);
    if (kind != cudaMemcpyDeviceToDevice && (!host || !host->pinned)) atomic_fetch_add(&gws_test_cuda.lent, 1);
    return give((struct command){.to = to, .from = from, .bytes = bytes});
}

static int fill_words(unsigned long long to, unsigned word, size_t count, cudaStream_t stream)
{
    (void)stream;
    if (fails("cuMemsetD32Async")) return gws_test_cuda.error;
    pthread_mutex_lock(&lock);
    (void)give((struct command){.to = (char *)(uintptr_t)to, .bytes = count * 4, .number = word});
    pthread_mutex_unlock(&lock);
    return 0;
}

static cudaError_t launch(const cudaLaunchConfig_t *config, void **argument)
{
    struct command add = {.bytes = sizeof(uint32_t) * config->gridDim.x * config->blockDim.x, .adds = true};
    memcpy(&add.to, argument[0], sizeof add.to);
    memcpy(&add.number, argument[1], sizeof add.number);
    return give(add);
}

static cudaError_t new_event(cudaEvent_t *event)
{
    for (uintptr_t i = 0; i < max_events; i++) {
        if (used[i]) continue;
        used[i] = true;
        *event = (cudaEvent_t)(i + 1); /* NOLINT(performance-no-int-to-ptr): a handle */
        return cudaSuccess;
    }
    return cudaErrorMemoryAllocation;
}

static cudaError_t free_event(cudaEvent_t event)
{
    used[(uintptr_t)event - 1] = false;
    return cudaSuccess;
}

static cudaError_t record(cudaEvent_t event)
{
    recorded[(uintptr_t)event - 1] = given;
    return cudaSuccess;
}

uint64_t gws_test_cuda_end(void)
{
    carry_out_all();
    uint64_t was_wrong = wrong;
    for (struct fake_allocation *found = block; found < block + max_blocks; found++)
        if (found->ours) free(found->memory);
    memset(block, 0, sizeof block);
    memset(used, 0, sizeof used);
    given = done = wrong = 0;
    return was_wrong;
}

/* ---- what the device is like ---- */

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

/* add(uint *word, uint more) */
static cudaError_t parameter(size_t place, size_t *bytes)
{
    if (place > 1) return cudaErrorInvalidValue;
    *bytes = place == 0 ? sizeof(void *) : sizeof(uint32_t);
    return cudaSuccess;
}

/* ---- the calls ---- */

/* NOLINTBEGIN(misc-unused-parameters): they are CUDA's */

CALL(cudaDriverGetVersion, (int *version), set(version, CUDART_VERSION))
CALL(cudaGetDeviceCount, (int *count), set(count, 1))
CALL(cudaGetDeviceProperties, (struct cudaDeviceProp * has, int device), name(has))
CALL(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr what, int device), describe(value, what))
CALL(cudaDeviceGetP2PAttribute, (int *value, enum cudaDeviceP2PAttr what, int device, int other), set(value, 0))
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
