/* SPDX-License-Identifier: MIT */
/* kernels/cuda/cluster.cuh as threads play it. An address in the cluster is a block and an offset. A bell counts rings
 * and bytes as an mbarrier does: what was sent is seen by who waited for it, and a byte too many or too few is a search
 * that does not end. */
#ifndef GWS_KERNELS_CUDA_CLUSTER_CUH
#define GWS_KERNELS_CUDA_CLUSTER_CUH

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

struct played_bell {
    u32 rings, awaited;
    long long bytes;
    u32 phase;
};

inline std::map<u32, played_bell> played_bells;
inline std::mutex played_mutex;
inline std::condition_variable played_rung;

template <u32 blocks> inside u32 cluster_rank()
{
    return blockIdx.x % blocks;
}

inside u32 remote(const void *at, u32 block)
{
    return (blockIdx.x / played_size * played_size + block) << 24 | (u32)((const char *)at - this_block().shared);
}

inside void *played_at(u32 at)
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

inline std::mutex played_sixteen[64];

inside std::mutex &played_lock(const uint4 *at)
{
    return played_sixteen[(size_t)at / sizeof *at % 64];
}

inside uint4 read_sixteen(const uint4 *at)
{
    std::lock_guard<std::mutex> lock(played_lock(at));
    return *at;
}

inside void write_sixteen(uint4 *at, uint4 value)
{
    std::lock_guard<std::mutex> lock(played_lock(at));
    *at = value;
}

/* A carrier that looks for calls lets others run. */
inside u64 read_eight(const u64 *at)
{
    std::this_thread::yield();
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

inside void write_eight(u64 *at, u64 value)
{
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

/* ---- the cluster's memory ---- */

inside u32 remote_or(u32 at, u32 bits)
{
    return atomicOr((u32 *)played_at(at), bits);
}

inside u32 remote_load(u32 at)
{
    return *(u32 *)played_at(at);
}

inside void remote_store(u32 at, u32 value)
{
    *(u32 *)played_at(at) = value;
}

/* ---- bells ---- */

inside void played_count(u32 bell, long long bytes, u32 rings)
{
    played_bell &it = played_bells.at(bell);
    it.bytes += bytes;
    it.awaited -= rings;
    if (it.awaited > 0 || it.bytes != 0) return;
    it.phase ^= 1;
    it.awaited = it.rings;
    played_rung.notify_all();
}

template <class T> void played_send(u32 at, T value, u32 bell)
{
    std::lock_guard<std::mutex> lock(played_mutex);
    if (at % sizeof value != 0) std::abort(); /* the device wants it aligned */
    std::memcpy(played_at(at), &value, sizeof value);
    played_count(bell, -(long long)sizeof value, 0);
}

inside void send(u32 at, u32 first, u32 second, u32 bell)
{
    played_send(at, make_uint2(first, second), bell);
}

inside void send(u32 at, u32 value, u32 bell)
{
    played_send(at, value, bell);
}

inside void send(u32 at, uint4 value, u32 bell)
{
    played_send(at, value, bell);
}

inside void bell_open(u64 *bell, u32 rings)
{
    std::lock_guard<std::mutex> lock(played_mutex);
    played_bells[remote(bell, blockIdx.x % played_size)] = {rings, rings, 0, 0};
}

inside void bell_ring(u32 bell, u32 bytes)
{
    std::lock_guard<std::mutex> lock(played_mutex);
    played_count(bell, bytes, 1);
}

inside void bell_wait(const u64 *bell, u32 parity)
{
    std::unique_lock<std::mutex> lock(played_mutex);
    const played_bell &it = played_bells.at(remote(bell, blockIdx.x % played_size));
    played_rung.wait(lock, [&it, parity] { return it.phase != parity; });
}

template <u32 blocks> inside void cluster_barrier()
{
    if (blocks == 1)
        __syncthreads();
    else
        played_cluster[blockIdx.x / blocks]->arrive_and_wait();
}

#endif
