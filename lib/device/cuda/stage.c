/* SPDX-License-Identifier: MIT */
/* The bus of ../stage.h: copies between slots of pinned memory and the device's, an event behind each. Pinning takes
 * the driver milliseconds, so a device keeps what it has pinned; what is its own (a slot, not the caller's memory) is
 * all that a copy may still touch if it takes too long. A lost device keeps it for ever, and children of fork() have
 * none of it: so it is mapped, and not the allocator's. */
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "cuda_kind.h"

enum { page = 2 << 20 };

/* ---- making and freeing ---- */

static void unmake(struct gws_runtime *runtime, struct gws__cuda_stage *stage)
{
    for (uint32_t i = 0; i < gws__stage_slots; i++)
        if (stage->copied[i]) (void)cudaEventDestroy(stage->copied[i]);
    bool pinned = stage->slots && cudaHostUnregister(stage->slots) != cudaSuccess;
    if (stage->memory && !pinned) (void)munmap(stage->memory, stage->bytes);
    gws_release(runtime, stage, 1, sizeof *stage);
}

/* Fresh memory; NULL where there is none. What it is advised of is worth a try. */
static char *map(uint64_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    (void)madvise(memory, bytes, MADV_DONTFORK);
    return memory;
}

/* Pinning huge pages that are there already takes a tenth of what the driver's own memory takes. */
static bool make(struct gws_runtime *runtime, struct gws__cuda_stage *stage)
{
    const uint64_t bytes = stage->bytes - page;
    char *slots = stage->memory + (page - (uintptr_t)stage->memory % page) % page;
    gws__stage_touch(runtime, slots, bytes);
    cudaError_t error = cudaHostRegister(slots, bytes, cudaHostRegisterPortable);
    if (error == cudaSuccess) stage->slots = slots;
    for (uint32_t i = 0; i < stage->count && error == cudaSuccess; i++)
        error = cudaEventCreateWithFlags(&stage->copied[i], cudaEventDisableTiming);
    (void)cudaGetLastError(); /* the runtime would give an error again to whoever asks next */
    return error == cudaSuccess;
}

static struct gws__cuda_stage *stage_new(struct gws_runtime *runtime)
{
    struct gws__cuda_stage *stage = gws_allocate(runtime, 1, sizeof *stage);
    if (!stage) return NULL;
    *stage = (struct gws__cuda_stage){.count = gws__stage_slots_of(runtime)};
    stage->bytes = (uint64_t)stage->count * gws__stage_slot_bytes + page;
    stage->memory = map(stage->bytes);
    if (stage->memory && make(runtime, stage)) return stage;
    unmake(runtime, stage);
    return NULL;
}

/* NULL if memory is short, which is not asked for again. */
static struct gws__cuda_stage *stage_of(struct gws__cuda_device *device)
{
    if (!device->staged) device->stage = stage_new(device->base.runtime);
    device->staged = true;
    return device->stage;
}

/* A lost device may still write to the slots, which it keeps for that. */
void gws__cuda_stage_free(struct gws__cuda_device *device)
{
    if (!device->stage) return;
    if (device->base.lost)
        gws_release(device->base.runtime, device->stage, 1, sizeof *device->stage);
    else
        unmake(device->base.runtime, device->stage);
}

/* ---- copying ---- */

struct way {
    struct gws__cuda_device *device;
    char *at;
    bool to_host;
};

/* Not gws__cuda_lose(): several threads are here, one after the other. */
static gws_status fail(const struct way *way, struct gws_where *where, const char *call, cudaError_t error)
{
    (void)gws__cuda_fail(where, way->device->base.info.address, call, error);
    return GWS_DEVICE;
}

static gws_status begin(void *context, uint32_t slot, uint64_t offset, uint64_t bytes, struct gws_where *where)
{
    const struct way *way = context;
    const struct gws__cuda_device *device = way->device;
    void *here = device->stage->slots + (uint64_t)slot * gws__stage_slot_bytes, *there = way->at + offset;
    cudaError_t error = cudaSetDevice(device->index);
    if (error != cudaSuccess) return fail(way, where, "cudaSetDevice", error);
    error = way->to_host ? cudaMemcpyAsync(here, there, bytes, cudaMemcpyDeviceToHost, device->stream)
                         : cudaMemcpyAsync(there, here, bytes, cudaMemcpyHostToDevice, device->stream);
    if (error != cudaSuccess) return fail(way, where, "cudaMemcpyAsync", error);
    error = cudaEventRecord(device->stage->copied[slot], device->stream);
    return error == cudaSuccess ? GWS_OK : fail(way, where, "cudaEventRecord", error);
}

static gws_status poll(void *context, uint32_t slot, bool *done, struct gws_where *where)
{
    const struct way *way = context;
    cudaError_t error = cudaEventQuery(way->device->stage->copied[slot]);
    *done = error == cudaSuccess;
    return *done || error == cudaErrorNotReady ? GWS_OK : fail(way, where, "a copy", error);
}

bool gws__cuda_stage_copy(struct gws__cuda_device *device, void *at, const void *from, void *to, uint64_t bytes,
                          gws_status *status, struct gws_where *where)
{
    const struct gws__cuda_stage *stage = bytes < gws__stage_least ? NULL : stage_of(device);
    if (!stage) return false;
    *status = gws__cuda_wait(&device->base, where);
    if (*status != GWS_OK) return true;
    struct way way = {.device = device, .at = at, .to_host = to != NULL};
    const struct gws__stage_bus bus = {.begin = begin,
                                       .poll = poll,
                                       .context = &way,
                                       .name = device->base.info.address,
                                       .limit_ms = device->base.limit_ms,
                                       .memory = stage->slots,
                                       .slots = stage->count};
    *status = gws__stage_copy(device->base.runtime, &bus, from, to, bytes, where);
    if (*status != GWS_OK) device->base.lost = true;
    return true;
}
