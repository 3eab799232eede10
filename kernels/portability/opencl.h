/* SPDX-License-Identifier: MIT */
/* The portability header for OpenCL C 3.0. Atomics have device scope, or GWS_SCOPE if the program is built with it
 * (GWS_HOST_SCOPE makes all words coherent with the host's atomics). With GWS_SEQ_CST every atomic operation is
 * sequentially consistent. With GWS_YIELD a waiting group lends its core. REFERENCE.md explains each macro and type. */
#ifndef GWS_KERNELS_PORTABILITY_H
#define GWS_KERNELS_PORTABILITY_H

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

typedef uint u32;
typedef ulong u64;
typedef atomic_uint atom32;
typedef atomic_ulong atom64;

/* host32 and host64 have the widest scope that the device supports. If no scope wider than the device has a name, the
 * device is the host. */
typedef atomic_uint host32;
typedef atomic_ulong host64;
#if defined __opencl_c_atomic_scope_all_devices || __OPENCL_C_VERSION__ < 300
#define GWS_HOST_SCOPE memory_scope_all_svm_devices
#else
#define GWS_HOST_SCOPE memory_scope_device
#endif
#ifndef GWS_SCOPE
#define GWS_SCOPE memory_scope_device
#endif

#ifdef GWS_GROUP_SIZE
#define kernel_entry __kernel __attribute__((reqd_work_group_size(GWS_GROUP_SIZE, 1, 1))) void
#else
#define kernel_entry __kernel void
#endif
#define kernel_entry_small kernel_entry
#define kernel_entry_any __kernel void
/* The attribute avoids warnings about functions of a shared source that a program does not call. */
#define device_inline static inline __attribute__((unused))
#define device_apart static __attribute__((unused, noinline))
#define global_mem __global
#define local_mem __local
#define local_array(type, name, count) __local type name[count]

#if defined GWS_GROUP_SIZE && GWS_GROUP_SIZE == 1 /* groups of one item need no barriers */
#define item_id() 0u
#define group_size() 1u
#define group_barrier() ((void)0)
#else
#define item_id() ((u32)get_local_id(0))
#define group_size() ((u32)get_local_size(0))
#define group_barrier() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
#define group_id() ((u32)get_group_id(0))
#define group_count() ((u32)get_num_groups(0))
#if defined GWS_YIELD && defined __x86_64__ && defined __linux__
device_inline void spin_pause(void)
{
    long number = 24; /* of sched_yield(); PoCL does not link functions of the C library */
    __asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
}
#else
#define spin_pause() ((void)0)
#endif
#define host_fence() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, GWS_HOST_SCOPE)
/* PoCL 6 does not support the scan for groups of two items, and such groups are as fast without it. */
#if defined GWS_WITH_GROUP_SCAN && (!defined GWS_GROUP_SIZE || GWS_GROUP_SIZE > 2)
#define group_scan(value) work_group_scan_exclusive_add((u64)(value))
#endif

#ifdef GWS_SEQ_CST
#define order_at_least(order) memory_order_seq_cst
#else
#define order_at_least(order) memory_order_##order
#endif
#define order_relaxed order_at_least(relaxed)
#define order_acquire order_at_least(acquire)
#define order_release order_at_least(release)
#define order_acq_rel order_at_least(acq_rel)
#define order_seq_cst order_at_least(seq_cst)
#define host_load(at, order) atomic_load_explicit(at, order, GWS_HOST_SCOPE)
#define host_store(at, value, order) atomic_store_explicit(at, value, order, GWS_HOST_SCOPE)
/* Some headers define these functions of the extensions above as macros. */
#undef atom_add
#undef atom_or
#define atom_load(at, order) atomic_load_explicit(at, order, GWS_SCOPE)
#define atom_store(at, value, order) atomic_store_explicit(at, value, order, GWS_SCOPE)
#define atom_add(at, value, order) atomic_fetch_add_explicit(at, value, order, GWS_SCOPE)
#define atom_or(at, value, order) atomic_fetch_or_explicit(at, value, order, GWS_SCOPE)
#define atom_swap(at, value, order) atomic_exchange_explicit(at, value, order, GWS_SCOPE)
#define atom_cas(at, expected, value, order)                                                                           \
    atomic_compare_exchange_strong_explicit(at, expected, value, order, order_relaxed, GWS_SCOPE)

/* The loads are relaxed, because an acquiring load would run a fence in each iteration. */
#define await_at_least(at, value)                                                                                      \
    while (atom_load(at, order_relaxed) < (value)) spin_pause();                                                       \
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, order_acquire, GWS_SCOPE)
#define local_max(at, value) atomic_max(at, value)
#define local_add(at, value)                                                                                           \
    atomic_fetch_add_explicit((volatile __local atomic_uint *)(at), value, memory_order_relaxed,                       \
                              memory_scope_work_group)
#define local_or(at, value)                                                                                            \
    atomic_fetch_or_explicit((volatile __local atomic_uint *)(at), value, memory_order_relaxed, memory_scope_work_group)
#define local_sum(at, value)                                                                                           \
    ((void)atomic_fetch_add_explicit((volatile __local atomic_ulong *)(at), value, memory_order_relaxed,               \
                                     memory_scope_work_group))
#define local_cas(at, expected, value) atomic_cmpxchg((volatile __local u32 *)(at), expected, value)
#define local_store(at, value) (*(volatile __local u32 *)(at) = (value))
#define local_fresh(at) (*(volatile __local u32 *)(at))

/* Plain words of global memory that several items write concurrently. */
#define word_or(at, value)                                                                                             \
    atomic_fetch_or_explicit((volatile __global atomic_uint *)(at), value, memory_order_relaxed, memory_scope_device)
#define word_add(at, value)                                                                                            \
    atomic_fetch_add_explicit((volatile __global atomic_uint *)(at), value, memory_order_relaxed, memory_scope_device)
#define word_sum(at, value)                                                                                            \
    ((void)atomic_fetch_add_explicit((volatile __global atomic_ulong *)(at), value, memory_order_relaxed,              \
                                     memory_scope_device))
#define word_min(at, value)                                                                                            \
    atomic_fetch_min_explicit((volatile __global atomic_uint *)(at), value, memory_order_relaxed, memory_scope_device)
#define word_max(at, value)                                                                                            \
    atomic_fetch_max_explicit((volatile __global atomic_uint *)(at), value, memory_order_relaxed, memory_scope_device)
#define word_cas(at, expected, value) atomic_cmpxchg((volatile __global u32 *)(at), expected, value)
#define word_store(at, value) (*(volatile __global u32 *)(at) = (value))
#define word_fresh(at) (*(volatile __global u32 *)(at))
#define word_stale(at) (*(at))
#define long_or(at, value)                                                                                             \
    atomic_fetch_or_explicit((volatile __global atomic_ulong *)(at), value, memory_order_relaxed, memory_scope_device)
#define long_min(at, value)                                                                                            \
    atomic_fetch_min_explicit((volatile __global atomic_ulong *)(at), value, memory_order_relaxed, memory_scope_device)
#define long_fresh(at) (*(volatile __global u64 *)(at))

#define float_of(bits) as_float(bits)
#define double_of(bits) as_double(bits)
#define bits_of_double(value) as_ulong(value)

#if defined cl_khr_fp64 || defined __opencl_c_fp64
device_inline double double_product(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a * b;
}
#endif

#define unrolled _Pragma("unroll")
#define bit_count(word) ((u32)popcount((u32)(word)))
#define first_bit(word) (31u - (u32)clz((u32)(word) & (0u - (u32)(word))))

#if defined GWS_WARP && GWS_WARP == 32 /* NVIDIA's OpenCL has no warp functions, but PTX has */
#define WARP 32u
#define warp_barrier() __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory")

device_inline u64 clock_ticks(void)
{
    u64 now;
    __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(now));
    return now;
}

device_inline u64 clock_ns(void)
{
    u64 now;
    __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

device_inline u32 warp_ballot(bool mark)
{
    u32 marks, word = mark ? 1 : 0;
    __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                     : "=r"(marks)
                     : "r"(word));
    return marks;
}

device_inline u32 warp_shuffle(u32 value, u32 lane)
{
    u32 other;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(other) : "r"(value), "r"(lane));
    return other;
}
#else
#define WARP 1u
#define warp_barrier() ((void)0)
#define warp_ballot(mark) ((mark) ? 1u : 0u)
#define warp_shuffle(value, lane) ((void)(lane), (value))
#define warp_sum(value) (value)
#if defined __has_builtin
#if __has_builtin(__builtin_readcyclecounter) /* clang's: CPU devices */
#define clock_ticks() ((u64)__builtin_readcyclecounter())
#define clock_ns() clock_ticks()
#define CLOCK_NS_IS_TICKS
#endif
#endif
#ifndef clock_ticks
#define clock_ticks() ((u64)0)
#define clock_ns() ((u64)0)
#endif
#endif

#endif
