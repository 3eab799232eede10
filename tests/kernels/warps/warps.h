/* SPDX-License-Identifier: MIT */
/* The portability header for emulated warps: the functions of CUDA (../mesh/cuda.h) in place of a device's. Shared
 * sources of kernels compile behind it as C++20. */
#ifndef GWS_KERNELS_PORTABILITY_H
#define GWS_KERNELS_PORTABILITY_H

#include "cuda.h"

typedef unsigned int u32;
typedef unsigned long long u64;
typedef std::atomic<u32> atom32;
typedef std::atomic<u64> atom64;
typedef atom32 host32;

#define kernel_entry static void
#define kernel_entry_small kernel_entry
#define device_inline [[maybe_unused]] static inline
#define device_apart device_inline
#define global_mem
#define local_mem
/* A kernel has at most eight arrays, and each has an eighth of the block's memory. */
#define local_array(type, name, count)                                                                                 \
    type *name = (type *)(this_block().shared + __COUNTER__ % 8 * (emulated_block::bytes / 8));                        \
    static_assert(sizeof(type) * (count) <= emulated_block::bytes / 8)

#define item_id() threadIdx.x
#define group_size() blockDim.x
#define group_id() blockIdx.x
#define group_count() gridDim.x
#define group_barrier() __syncthreads()
#define clock_ticks() ((u64)0)
#define clock_ns() ((u64)0)
#define spin_pause() emulated_pause()

#define order_relaxed std::memory_order_relaxed
#define order_acquire std::memory_order_acquire
#define order_release std::memory_order_release
#define order_acq_rel std::memory_order_acq_rel
#define host_load(at, order) (at)->load(order)
#define host_store(at, value, order) (at)->store(value, order)
#define atom_load(at, order) (at)->load(order)
#define atom_store(at, value, order) (at)->store(value, order)
#define atom_add(at, value, order) (at)->fetch_add(value, order)
#define atom_or(at, value, order) (at)->fetch_or(value, order)
#define atom_swap(at, value, order) (at)->exchange(value, order)
#define atom_cas(at, expected, value, order) (at)->compare_exchange_strong(*(expected), value, order, order_relaxed)
#define await_at_least(at, value)                                                                                      \
    (emulated_wait([&] { return (at)->load(std::memory_order_relaxed) >= (value); }),                                  \
     (void)(at)->load(std::memory_order_acquire))
#define local_sum(at, value) ((void)__atomic_fetch_add(at, value, __ATOMIC_RELAXED))

#define local_max(at, value) word_max(at, value)
#define local_cas(at, expected, value) word_cas(at, expected, value)
#define local_store(at, value) word_store(at, value)
#define local_fresh(at) word_fresh(at)
#define word_add(at, value) __atomic_fetch_add(at, value, __ATOMIC_RELAXED)
#define word_or(at, value) __atomic_fetch_or(at, value, __ATOMIC_RELAXED)
#define local_add(at, value) __atomic_fetch_add(at, value, __ATOMIC_RELAXED)
#define local_or(at, value) __atomic_fetch_or(at, value, __ATOMIC_RELAXED)
#define word_sum(at, value) ((void)__atomic_fetch_add(at, value, __ATOMIC_RELAXED))
#define word_stale(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define long_or(at, value) __atomic_fetch_or(at, value, __ATOMIC_RELAXED)
#define bit_count(word) ((u32)__builtin_popcount(word))
#define word_store(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
#define word_fresh(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define long_fresh(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define word_min(at, value) change_word(at, value, (value) < now)
#define word_max(at, value) change_word(at, value, (value) > now)
#define long_min(at, value) change_word(at, value, (value) < now)
#define change_word(at, value, changes)                                                                                \
    [&] {                                                                                                              \
        auto now = __atomic_load_n(at, __ATOMIC_RELAXED);                                                              \
        while ((changes) && !__atomic_compare_exchange_n(at, &now, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
        }                                                                                                              \
        return now;                                                                                                    \
    }()

device_inline u32 word_cas(u32 *at, u32 expected, u32 value)
{
    (void)__atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

#define WARP 32u
#define warp_barrier() __syncwarp()
#define warp_ballot(mark) __ballot_sync(~0u, mark)
#define warp_shuffle(value, lane) __shfl_sync(~0u, value, lane)
#define warp_sum(value) __reduce_add_sync(~0u, value)
#define unrolled
#define first_bit(word) ((u32)__builtin_ctz(word))

#endif
