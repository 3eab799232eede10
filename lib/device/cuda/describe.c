/* SPDX-License-Identifier: MIT */
/* Finding and describing NVIDIA devices. No function here creates a context, because a context takes memory and
 * time. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <unistd.h>

#include "../../text.h"
#include "cuda_kind.h"

#define STRING_OF(number) #number
#define VERSION_STRING(number) STRING_OF(number)

enum {
    oldest = 700
}; /* the first version in which the threads of a warp progress independently; kernels that wait need this */

/* ---- finding ---- */

static int driver_version(void)
{
    int version = 0;
    return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

const char *gws__cuda_off(void)
{
    int devices = 0, version = driver_version();
    if (version == 0) return "there is no NVIDIA driver";
    if (cudaGetDeviceCount(&devices) != cudaErrorInsufficientDriver) return NULL;
    (void)cudaGetLastError();
    return "the NVIDIA driver is too old for CUDA " VERSION_STRING(CUDART_VERSION) ", with which graphws was built";
}

uint32_t gws__cuda_count(struct gws_runtime *runtime)
{
    int devices = 0;
    cudaError_t error = driver_version() ? cudaGetDeviceCount(&devices) : cudaErrorNoDevice;
    if (error == cudaSuccess) return devices > 0 ? (uint32_t)devices : 0;
    struct gws_diagnostic where = {0};
    (void)gws__cuda_fail(&where, "cuda", "cudaGetDeviceCount", error);
    if (error != cudaErrorNoDevice) gws_report_log(runtime, where.message);
    return 0;
}

/* ---- describing ---- */

/* A device to query, and the driver's first error. An unknown query is no error. */
struct cuda_query {
    int index;
    cudaError_t error;
};

/* Returns the device's answer to a query, or 0 if the device has none. */
static int number_of(struct cuda_query *query, enum cudaDeviceAttr what)
{
    int answer = 0;
    cudaError_t error = cudaDeviceGetAttribute(&answer, what, query->index);
    if (error == cudaSuccess) return answer;
    bool unknown = error == cudaErrorInvalidValue || error == cudaErrorNotSupported;
    if (!unknown && query->error == cudaSuccess) query->error = error;
    (void)cudaGetLastError();
    return 0;
}

static uint64_t host_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

static void describe_sharing(struct cuda_query *query, struct gws_device_info *info)
{
    bool maps = number_of(query, cudaDevAttrCanMapHostMemory) != 0;
    bool native = number_of(query, cudaDevAttrHostNativeAtomicSupported) != 0;
    info->svm = !maps ? GWS_SVM_NONE : native ? GWS_SVM_ATOMICS : GWS_SVM_FINE;
    info->scope = native ? GWS_ATOMIC_ALL_DEVICES : GWS_ATOMIC_DEVICE;
    info->order = GWS_ATOMIC_SEQ_CST;
    info->max_shared = maps ? host_memory() : 0;
    info->unified = number_of(query, cudaDevAttrIntegrated) != 0;
}

/* Returns the driver's answer about a pair of devices. A failed query counts as 0. */
static int pair_number(uint32_t number, uint32_t other, enum cudaDeviceP2PAttr what)
{
    int answer = 0;
    bool answered = cudaDeviceGetP2PAttribute(&answer, what, (int)number, (int)other) == cudaSuccess;
    (void)cudaGetLastError();
    return answered ? answer : 0;
}

struct gws_device_peer gws__cuda_peer(uint32_t number, uint32_t other)
{
    struct gws_device_peer peer = {.access = true, .atomics = true};
    if (number == other) return peer;
    peer.access = pair_number(number, other, cudaDevP2PAttrAccessSupported) != 0;
    peer.atomics = peer.access && pair_number(number, other, cudaDevP2PAttrNativeAtomicSupported) != 0;
    if (peer.access) peer.rank = (uint32_t)pair_number(number, other, cudaDevP2PAttrPerformanceRank);
    return peer;
}

struct gws_device_sharing gws__cuda_sharing(const struct gws_device *device, const struct gws_device *other)
{
    const struct gws_device_peer peer = gws__cuda_peer(device->number, other->number);
    return (struct gws_device_sharing){
        .memory = device->number == other->number, .fine_grained = peer.access, .atomics = peer.atomics};
}

static void describe_groups(struct cuda_query *query, struct gws_device_info *info)
{
    enum { widest_cluster = 16 }; /* without a special attribute: 8 groups */
    info->units = (uint32_t)number_of(query, cudaDevAttrMultiProcessorCount);
    info->groups = info->units;
    info->max_group_size = (uint64_t)number_of(query, cudaDevAttrMaxThreadsPerBlock);
    info->local_memory = (uint64_t)number_of(query, cudaDevAttrMaxSharedMemoryPerBlock);
    info->warp = (uint32_t)number_of(query, cudaDevAttrWarpSize);
    info->cooperative = number_of(query, cudaDevAttrCooperativeLaunch) != 0;
    info->max_cluster = number_of(query, cudaDevAttrClusterLaunch) ? widest_cluster : 0;
    info->cache = (uint64_t)number_of(query, cudaDevAttrL2CacheSize);
}

static void describe_name(int index, struct gws_device_info *info)
{
    struct cudaDeviceProp has;
    cudaError_t error = cudaGetDeviceProperties(&has, index);
    int runtime = CUDART_VERSION, driver = driver_version();
    snprintf(info->driver, sizeof info->driver, "CUDA %d.%d, driver for %d.%d", runtime / 1000, runtime % 1000 / 10,
             driver / 1000, driver % 1000 / 10);
    snprintf(info->vendor, sizeof info->vendor, "NVIDIA");
    if (error == cudaSuccess) {
        gws_text_plain(has.name, info->name, sizeof info->name);
        info->memory = info->max_buffer = has.totalGlobalMem;
        return;
    }
    (void)cudaGetLastError();
    snprintf(info->unusable, sizeof info->unusable, "%s", cudaGetErrorString(error));
}

void gws__cuda_describe(int index, struct gws_device_info *info)
{
    struct cuda_query local = {.index = index}, *query = &local;
    *info = (struct gws_device_info){.api = GWS_DEVICE_CUDA, .type = GWS_DEVICE_GPU};
    snprintf(info->address, sizeof info->address, "cuda:%d", index);
    info->version = (uint32_t)(number_of(query, cudaDevAttrComputeCapabilityMajor) * 100 +
                               number_of(query, cudaDevAttrComputeCapabilityMinor) * 10);
    describe_name(index, info);
    describe_groups(query, info);
    describe_sharing(query, info);
    if (info->unusable[0]) return;
    if (query->error != cudaSuccess)
        snprintf(info->unusable, sizeof info->unusable, "the driver failed to describe the device (%s)",
                 cudaGetErrorString(query->error));
    else if (info->version < oldest)
        snprintf(info->unusable, sizeof info->unusable, "the compute capability is below %d.%d", oldest / 100,
                 oldest % 100 / 10);
    else if (number_of(query, cudaDevAttrComputeMode) == cudaComputeModeProhibited)
        snprintf(info->unusable, sizeof info->unusable, "the compute mode prohibits its use");
}
