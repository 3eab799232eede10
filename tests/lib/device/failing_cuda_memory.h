/* SPDX-License-Identifier: MIT */
/* The state of the stub of CUDA: allocations, queued commands and events. For failing_cuda.c only. */
#ifndef GWS_TESTS_LIB_DEVICE_FAILING_CUDA_MEMORY_H
#define GWS_TESTS_LIB_DEVICE_FAILING_CUDA_MEMORY_H

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "failing.h"

enum { max_blocks = 64, max_commands = 256, max_events = 64, memory_bytes = 1 << 30 };

struct fake_allocation {
    char *memory;
    size_t bytes;
    bool pinned, ours; /* ours: the stub allocated the memory */
};

struct command {
    char *to;
    const char *from; /* NULL: the command sets a number, or adds this number if .adds */
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

/* ---- failing calls ---- */

/* Counts a call. Returns true if the call must fail. */
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

/* Defines a call. The call returns an error, or evaluates the expression under the lock and returns its value. */
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

/* Waits for the device. Never returns if the device is lost. */
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

#endif
