/* SPDX-License-Identifier: MIT */
/* Emulates kernels/cuda/cluster.cuh with threads. An address in the cluster consists of a block and an offset. An
 * emulated mbarrier counts arrivals and bytes like a device's mbarrier, and a wait makes sent bytes visible. With one
 * byte too many or too few, the search does not end. */
#ifndef GWS_KERNELS_CUDA_CLUSTER_CUH
#define GWS_KERNELS_CUDA_CLUSTER_CUH

#include <map>
#include <mutex>

struct emulated_mbarrier {
    u32 arrivals, awaited;
    long long bytes;
    u32 phase;
};

inline std::map<u32, emulated_mbarrier> emulated_mbarriers;
inline std::mutex emulated_mutex;

template <u32 blocks> inside u32 cluster_rank()
{
    return blockIdx.x % blocks;
}

inside u32 remote(const void *at, u32 block)
{
    return (blockIdx.x / emulated_size * emulated_size + block) << 24 | (u32)((const char *)at - this_block().shared);
}

inside void *emulated_at(u32 at)
{
    return emulated_blocks[at >> 24]->shared + (at & 0xffffff);
}

inside uint4 read_row(const uint4 *at)
{
    return *at;
}

inside void fetch_row(const uint4 *)
{
}

/* ---- words that clusters share ---- */

inline std::mutex emulated_locks[64];

inside std::mutex &emulated_lock(const uint4 *at)
{
    return emulated_locks[(size_t)at / sizeof *at % 64];
}

inside uint4 read_sixteen(const uint4 *at)
{
    std::lock_guard<std::mutex> lock(emulated_lock(at));
    return *at;
}

inside void write_sixteen(uint4 *at, uint4 value)
{
    std::lock_guard<std::mutex> lock(emulated_lock(at));
    *at = value;
}

/* Reads eight bytes. A prefetch cluster that polls for requests lets other threads run. */
inside u64 read_eight(const u64 *at)
{
    emulated_pause();
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

inside void write_eight(u64 *at, u64 value)
{
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

/* ---- the cluster's memory ---- */

inside u32 remote_or(u32 at, u32 bits)
{
    return atomicOr((u32 *)emulated_at(at), bits);
}

inside u32 remote_load(u32 at)
{
    return *(u32 *)emulated_at(at);
}

inside void remote_store(u32 at, u32 value)
{
    *(u32 *)emulated_at(at) = value;
}

/* ---- mbarriers ---- */

inside void emulated_count(u32 mbarrier, long long bytes, u32 arrivals)
{
    emulated_mbarrier &it = emulated_mbarriers.at(mbarrier);
    it.bytes += bytes;
    it.awaited -= arrivals;
    if (it.awaited > 0 || it.bytes != 0) return;
    it.phase ^= 1;
    it.awaited = it.arrivals;
}

template <class T> void emulated_send(u32 at, T value, u32 mbarrier)
{
    std::lock_guard<std::mutex> lock(emulated_mutex);
    if (at % sizeof value != 0) std::abort(); /* the device requires alignment */
    std::memcpy(emulated_at(at), &value, sizeof value);
    emulated_count(mbarrier, -(long long)sizeof value, 0);
}

inside void send(u32 at, u32 first, u32 second, u32 mbarrier)
{
    emulated_send(at, make_uint2(first, second), mbarrier);
}

inside void send(u32 at, u32 value, u32 mbarrier)
{
    emulated_send(at, value, mbarrier);
}

inside void send(u32 at, uint4 value, u32 mbarrier)
{
    emulated_send(at, value, mbarrier);
}

inside void mbarrier_init(u64 *mbarrier, u32 arrivals)
{
    std::lock_guard<std::mutex> lock(emulated_mutex);
    emulated_mbarriers[remote(mbarrier, blockIdx.x % emulated_size)] = {arrivals, arrivals, 0, 0};
}

inside void mbarrier_arrive(u32 mbarrier, u32 bytes)
{
    std::lock_guard<std::mutex> lock(emulated_mutex);
    emulated_count(mbarrier, bytes, 1);
}

inside void mbarrier_wait(const u64 *mbarrier, u32 parity)
{
    u32 at = remote(mbarrier, blockIdx.x % emulated_size);
    emulated_wait([at, parity] {
        std::lock_guard<std::mutex> lock(emulated_mutex);
        return emulated_mbarriers.at(at).phase != parity;
    });
}

template <u32 blocks> inside void cluster_barrier()
{
    if (blocks == 1)
        __syncthreads();
    else
        emulated_clusters[blockIdx.x / blocks]->arrive_and_wait();
}

#endif
