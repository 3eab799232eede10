/* SPDX-License-Identifier: MIT */
/* The CUDA functions that the kernels for meshes and octrees use, in C++20. Warps and blocks synchronise at barriers
 * (lanes.h). Functions on the active lanes see only the calling lane as active. */
#ifndef GWS_TESTS_KERNELS_MESH_CUDA_H
#define GWS_TESTS_KERNELS_MESH_CUDA_H

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "lanes.h"

#define __device__
#define __forceinline__ inline
#define __shared__ static
#define __align__(bytes) alignas(bytes)
using std::max;
using std::min;

struct uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

inline uint2 make_uint2(unsigned x, unsigned y)
{
    return {x, y};
}

inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {x, y, z, w};
}

/* ---- threads, warps, blocks ---- */

struct emulated_warp {
    emulated_barrier lanes{32};
    unsigned long long value[32];
};

struct emulated_block {
    emulated_barrier threads, first; /* first: the barrier of the first threads, as many as there are blocks */
    std::vector<emulated_warp> warp;
    std::atomic<unsigned> votes{0};
    std::unique_ptr<char[]> memory;
    char *shared; /* an aligned position within `memory` */
    static constexpr size_t bytes = 1 << 17;

    emulated_block(unsigned size, unsigned blocks)
        : threads(size), first(blocks), warp(size / 32), memory(new char[bytes + 64]),
          shared(memory.get() + (64 - (size_t)memory.get() % 64))
    {
        std::memset(shared, 0x5a, bytes);
    }
};

inline std::vector<std::unique_ptr<emulated_block>> emulated_blocks;
inline std::vector<std::unique_ptr<emulated_barrier>> emulated_clusters;
inline unsigned emulated_size; /* blocks in a cluster */

inline emulated_block &this_block()
{
    return *emulated_blocks[blockIdx.x];
}

inline emulated_warp &this_warp()
{
    return this_block().warp[threadIdx.x / 32];
}

inline void __syncthreads()
{
    this_block().threads.arrive_and_wait();
}

inline void __syncwarp(unsigned lanes = ~0u)
{
    if (lanes == ~0u)
        this_warp().lanes.arrive_and_wait();
    else
        this_block().first.arrive_and_wait();
}

inline unsigned __syncthreads_count(bool mine)
{
    this_block().votes += mine;
    __syncthreads();
    unsigned votes = this_block().votes;
    __syncthreads();
    if (threadIdx.x == 0) this_block().votes = 0;
    __syncthreads();
    return votes;
}

inline bool __syncthreads_or(bool mine)
{
    return __syncthreads_count(mine) > 0;
}

/* Gathers the values of all lanes, in lane order. */
template <class F> auto emulated_exchange(unsigned long long mine, F look)
{
    emulated_warp &warp = this_warp();
    warp.value[threadIdx.x % 32] = mine;
    warp.lanes.arrive_and_wait();
    auto seen = look(warp.value);
    warp.lanes.arrive_and_wait();
    return seen;
}

inline unsigned __activemask()
{
    return 1u << threadIdx.x % 32;
}

inline unsigned __shfl_sync(unsigned lanes, unsigned mine, unsigned from)
{
    if (lanes != ~0u) return mine;
    return (unsigned)emulated_exchange(mine, [from](unsigned long long *value) { return value[from % 32]; });
}

template <class T> T __shfl_up_sync(unsigned, T mine, unsigned distance)
{
    unsigned lane = threadIdx.x % 32, from = lane < distance ? lane : lane - distance;
    return (T)emulated_exchange(mine, [from](unsigned long long *value) { return value[from]; });
}

inline unsigned __shfl_xor_sync(unsigned, unsigned mine, unsigned bits)
{
    unsigned from = threadIdx.x % 32 ^ bits;
    return (unsigned)emulated_exchange(mine, [from](unsigned long long *value) { return value[from]; });
}

inline unsigned __ballot_sync(unsigned, bool mine)
{
    return emulated_exchange(mine, [](unsigned long long *value) {
        unsigned bits = 0;
        for (int i = 0; i < 32; i++) bits |= (unsigned)value[i] << i;
        return bits;
    });
}

inline bool __any_sync(unsigned lanes, bool mine)
{
    return __ballot_sync(lanes, mine) != 0;
}

inline unsigned __match_any_sync(unsigned, unsigned mine)
{
    return emulated_exchange(mine, [mine](unsigned long long *value) {
        unsigned bits = 0;
        for (int i = 0; i < 32; i++) bits |= (unsigned)(value[i] == mine) << i;
        return bits;
    });
}

inline unsigned __reduce_add_sync(unsigned, unsigned mine)
{
    return emulated_exchange(mine, [](unsigned long long *value) {
        unsigned sum = 0;
        for (int i = 0; i < 32; i++) sum += (unsigned)value[i];
        return sum;
    });
}

inline unsigned __reduce_max_sync(unsigned, unsigned mine)
{
    return emulated_exchange(mine,
                             [](unsigned long long *value) { return (unsigned)*std::max_element(value, value + 32); });
}

/* ---- numbers ---- */

inline double __dmul_rn(double a, double b)
{
    return a * b;
}

inline double __dsub_rn(double a, double b)
{
    return a - b;
}

/* Converts like a device: negative values and NaN become 0, and too large values become the largest integer. */
inline unsigned __double2uint_rz(double x)
{
    return x > 0 ? x < 4294967295.0 ? (unsigned)x : 4294967295u : 0;
}

inline unsigned __float2uint_rz(float x)
{
    return __double2uint_rz(x);
}

/* ---- memory ---- */

template <class T, class V> T atomicAdd(T *at, V more)
{
    return std::atomic_ref<T>(*at).fetch_add((T)more, std::memory_order_relaxed);
}

inline unsigned atomicOr(unsigned *at, unsigned bits)
{
    return std::atomic_ref<unsigned>(*at).fetch_or(bits, std::memory_order_relaxed);
}

inline unsigned atomicXor(unsigned *at, unsigned bits)
{
    return std::atomic_ref<unsigned>(*at).fetch_xor(bits, std::memory_order_relaxed);
}

inline unsigned atomicMax(unsigned *at, unsigned value)
{
    std::atomic_ref<unsigned> word(*at);
    unsigned before = word.load(std::memory_order_relaxed);
    while (before < value && !word.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
    }
    return before;
}

inline unsigned long long atomicCAS(unsigned long long *at, unsigned long long old, unsigned long long value)
{
    std::atomic_ref<unsigned long long>(*at).compare_exchange_strong(old, value, std::memory_order_relaxed);
    return old;
}

template <class T> T __ldg(const T *at)
{
    return *at;
}

template <class T> T __ldcg(const T *at)
{
    return *at;
}

/* An acquire load for loops that wait for another block. */
inline unsigned long long emulated_acquire(const unsigned long long *at)
{
    emulated_pause();
    return std::atomic_ref<const unsigned long long>(*at).load(std::memory_order_acquire);
}

inline void __threadfence()
{
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

inline int __popc(unsigned bits)
{
    return __builtin_popcount(bits);
}

inline int __clz(int bits)
{
    return bits ? __builtin_clz((unsigned)bits) : 32;
}

inline int __clzll(long long bits)
{
    return bits ? __builtin_clzll((unsigned long long)bits) : 64;
}

inline int __ffs(unsigned bits)
{
    return __builtin_ffs((int)bits);
}

#endif
