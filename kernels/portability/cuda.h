/* SPDX-License-Identifier: MIT */
/* The portability header for CUDA C++17. Atomics have device scope. Words that the device shares with the host have
 * system scope. With GWS_SEQ_CST every atomic operation is sequentially consistent. REFERENCE.md explains each macro
 * and type. */
#ifndef GWS_KERNELS_PORTABILITY_H
#define GWS_KERNELS_PORTABILITY_H

#include <cuda/atomic>

typedef unsigned int u32;
typedef unsigned long long u64;
typedef cuda::atomic<u32, cuda::thread_scope_device> atom32;
typedef cuda::atomic<u64, cuda::thread_scope_device> atom64;
typedef cuda::atomic<u32, cuda::thread_scope_system> host32;
typedef cuda::atomic<u64, cuda::thread_scope_system> host64;

#ifdef GWS_GROUP_SIZE
#define kernel_entry extern "C" __global__ void __launch_bounds__(GWS_GROUP_SIZE)
#else
#define kernel_entry extern "C" __global__ void
#endif
#define kernel_entry_any kernel_entry
#define kernel_entry_small extern "C" __global__ void __launch_bounds__(128, 16)
/* The attribute avoids warnings about functions of a shared source that a program does not call. */
#define device_inline [[maybe_unused]] static __device__ inline
#define device_apart [[maybe_unused]] static __device__ __noinline__
#define global_mem
#define local_mem
#define local_array(type, name, count) __shared__ type name[count]

#define item_id() threadIdx.x
#define group_size() blockDim.x
#define group_id() blockIdx.x
#define group_count() gridDim.x
#define group_barrier() __syncthreads()
#define spin_pause() __nanosleep(20)
#define host_fence() __threadfence_system()
#define clock_ticks() ((u64)clock64())

inline __device__ u64 clock_ns()
{
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

#ifdef GWS_SEQ_CST
#define order_at_least(order) cuda::std::memory_order_seq_cst
#else
#define order_at_least(order) cuda::std::memory_order_##order
#endif
#define order_relaxed order_at_least(relaxed)
#define order_acquire order_at_least(acquire)
#define order_release order_at_least(release)
#define order_acq_rel order_at_least(acq_rel)
#define order_seq_cst order_at_least(seq_cst)
#define host_load(at, order) (at)->load(order)
#define host_store(at, value, order) (at)->store(value, order)
#define atom_load(at, order) (at)->load(order)
#define atom_store(at, value, order) (at)->store(value, order)
#define atom_add(at, value, order) (at)->fetch_add(value, order)
#define atom_or(at, value, order) (at)->fetch_or(value, order)
#define atom_swap(at, value, order) (at)->exchange(value, order)
#define atom_cas(at, expected, value, order) (at)->compare_exchange_strong(*(expected), value, order, order_relaxed)

#define await_at_least(at, value)                                                                                      \
    while (atom_load(at, order_acquire) < (value)) spin_pause()
#define local_max(at, value) atomicMax(at, value)
#define local_add(at, value) atomicAdd(at, value)
#define local_or(at, value) atomicOr(at, value)
#define local_sum(at, value) ((void)atomicAdd(at, value))
#define local_cas(at, expected, value) atomicCAS(at, expected, value)
#define local_store(at, value) (*(volatile u32 *)(at) = (value))
#define local_fresh(at) (*(volatile u32 *)(at))

/* Rows of a group's items, which exchange values. All items of a row call these functions. Groups consist of whole
 * rows. */
#define row_items 32u
#define row_from_below(value, by) __shfl_up_sync(0xffffffffu, value, by)

/* Plain words of global memory that several items write concurrently. */
#define word_or(at, value) atomicOr(at, value)
#define word_add(at, value) atomicAdd(at, value)
#define word_sum(at, value) ((void)atomicAdd(at, value))
#define word_min(at, value) atomicMin(at, value)
#define word_max(at, value) atomicMax(at, value)
#define word_cas(at, expected, value) atomicCAS(at, expected, value)
#define word_store(at, value) (*(at) = (value))
#define word_fresh(at) __ldcg(at)
#define word_stale(at) __ldca(at)
#define long_or(at, value) atomicOr(at, value)
#define long_min(at, value) atomicMin(at, value)
#define long_fresh(at) __ldcg(at)

#define float_of(bits) __uint_as_float(bits)
#define double_product(a, b) __dmul_rn(a, b)
#define double_of(bits) __longlong_as_double((long long)(bits))
#define bits_of_double(value) ((u64)__double_as_longlong(value))

#define WARP 32u
#define warp_barrier() __syncwarp()
#define warp_ballot(mark) __ballot_sync(~0u, mark)
#define warp_shuffle(value, lane) __shfl_sync(~0u, value, lane)
#if __CUDA_ARCH__ >= 800 /* older devices have no instruction for a warp's sum */
#define warp_sum(value) __reduce_add_sync(~0u, value)
#endif
#define unrolled _Pragma("unroll")

#define bit_count(word) ((u32)__popc(word))
#define first_bit(word) ((u32)__ffs(word) - 1)

#endif
