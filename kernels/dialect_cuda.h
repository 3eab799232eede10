/* SPDX-License-Identifier: MIT */
/* The kernel dialect in CUDA C++17. Atomics are of device scope, those of the words that the host
 * shares of system scope. GWS_SEQ_CST: every one is sequentially consistent. README.md explains each word. */
#ifndef GWS_KERNELS_DIALECT_H
#define GWS_KERNELS_DIALECT_H

#include <cuda/atomic>

typedef unsigned int u32;
typedef unsigned long long u64;
typedef cuda::atomic<u32, cuda::thread_scope_device> atom32;
typedef cuda::atomic<u64, cuda::thread_scope_device> atom64;
typedef cuda::atomic<u32, cuda::thread_scope_system> host32;
typedef cuda::atomic<u64, cuda::thread_scope_system> host64;

#define kernel_entry extern "C" __global__ void
#define kernel_entry_small extern "C" __global__ void __launch_bounds__(128, 8)
#define device_inline static __device__ inline
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

#ifdef GWS_SEQ_CST
#define order_relaxed cuda::std::memory_order_seq_cst
#define order_acquire cuda::std::memory_order_seq_cst
#define order_release cuda::std::memory_order_seq_cst
#define order_acq_rel cuda::std::memory_order_seq_cst
#define order_seq_cst cuda::std::memory_order_seq_cst
#else
#define order_relaxed cuda::std::memory_order_relaxed
#define order_acquire cuda::std::memory_order_acquire
#define order_release cuda::std::memory_order_release
#define order_acq_rel cuda::std::memory_order_acq_rel
#define order_seq_cst cuda::std::memory_order_seq_cst
#endif
#define host_load(at, order) (at)->load(order)
#define host_store(at, value, order) (at)->store(value, order)
#define atom_load(at, order) (at)->load(order)
#define atom_store(at, value, order) (at)->store(value, order)
#define atom_add(at, value, order) (at)->fetch_add(value, order)
#define atom_or(at, value, order) (at)->fetch_or(value, order)
#define atom_swap(at, value, order) (at)->exchange(value, order)
#define atom_cas(at, expected, value, order) (at)->compare_exchange_strong(*(expected), value, order, order_relaxed)

#define local_max(at, value) atomicMax(at, value)
#define local_add(at, value) atomicAdd(at, value)

/* The items of a group in rows, which pass values up among themselves; all of a row call. Groups are whole rows. */
#define row_items 32u
#define row_from_below(value, by) __shfl_up_sync(0xffffffffu, value, by)

#endif
