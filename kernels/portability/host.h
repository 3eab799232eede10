/* SPDX-License-Identifier: MIT */
/* The portability header for C11, which emulates kernels on the CPU. A group is a thread and has one item. Before a
 * thread calls a kernel, it sets gws_host_group to the group that it emulates, and gws_host_groups to the number of
 * groups. With GWS_SEQ_CST every atomic operation is sequentially consistent. GWS_HOST_WORKER is for CPU workers beside
 * a device's groups. These workers use the device's queues and call no kernel. With GWS_HOST_SERIAL there is one
 * thread, and word_or() is not atomic. REFERENCE.md explains each macro and type. */
#ifndef GWS_KERNELS_PORTABILITY_H
#define GWS_KERNELS_PORTABILITY_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef _Atomic(uint32_t) atom32;
typedef _Atomic(uint64_t) atom64;
typedef atom32 host32;
typedef atom64 host64;

#define kernel_entry static inline void
#define kernel_entry_small kernel_entry
#define kernel_entry_any kernel_entry
#define device_inline static inline
#define device_apart static inline
#define global_mem
#define local_mem
#define local_array(type, name, count) type name[count]

#define item_id() 0u
#define group_size() 1u
#ifndef GWS_HOST_WORKER
static _Thread_local u32 gws_host_group, gws_host_groups;
#define group_id() gws_host_group
#define group_count() gws_host_groups
#endif
#define group_barrier() ((void)0)
#define spin_pause() ((void)sched_yield())
#define host_fence() atomic_thread_fence(memory_order_seq_cst)
#define clock_ticks() ((u64)0)
#define clock_ns() ((u64)0)

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
/* host_ and atom_ operations have the same scope, because all workers are threads of one process. */
#define host_load(at, order) atomic_load_explicit(at, order)
#define host_store(at, value, order) atomic_store_explicit(at, value, order)
#define atom_load(at, order) atomic_load_explicit(at, order)
#define atom_store(at, value, order) atomic_store_explicit(at, value, order)
#define atom_add(at, value, order) atomic_fetch_add_explicit(at, value, order)
#define atom_or(at, value, order) atomic_fetch_or_explicit(at, value, order)
#define atom_swap(at, value, order) atomic_exchange_explicit(at, value, order)
#define atom_cas(at, expected, value, order)                                                                           \
    atomic_compare_exchange_strong_explicit(at, expected, value, order, order_relaxed)

#define await_at_least(at, value)                                                                                      \
    while (atom_load(at, order_acquire) < (value)) spin_pause()
#define local_max(at, value) (*(at) = *(at) > (value) ? *(at) : (value))
device_inline u32 local_add(u32 *at, u32 value)
{
    *at += value;
    return *at - value;
}
#define local_or(at, value) (*(at) |= (value))
#define local_sum(at, value) ((void)(*(at) += (value)))
device_inline u32 local_cas(u32 *at, u32 expected, u32 value)
{
    u32 old = *at;
    if (old == expected) *at = value;
    return old;
}
#define local_store(at, value) (*(at) = (value))
#define local_fresh(at) (*(at))

/* Plain words of global memory that several groups write concurrently. */
#ifdef GWS_HOST_SERIAL
device_inline u32 word_or(u32 *at, u32 value)
{
    u32 word = *at;
    *at = word | value;
    return word;
}
#else
#define word_or(at, value) __atomic_fetch_or(at, value, __ATOMIC_RELAXED)
#endif
#define long_or(at, value) __atomic_fetch_or(at, value, __ATOMIC_RELAXED)
#define word_add(at, value) __atomic_fetch_add(at, value, __ATOMIC_RELAXED)
#define word_sum(at, value) ((void)__atomic_fetch_add(at, value, __ATOMIC_RELAXED))
#define word_store(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
#define word_fresh(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define word_stale(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define long_fresh(at) __atomic_load_n(at, __ATOMIC_RELAXED)

device_inline u32 word_min(u32 *at, u32 value)
{
    u32 now = word_fresh(at);
    while (now > value && !__atomic_compare_exchange_n(at, &now, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return now;
}

device_inline u64 long_min(u64 *at, u64 value)
{
    u64 now = long_fresh(at);
    while (now > value && !__atomic_compare_exchange_n(at, &now, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return now;
}

device_inline u32 word_max(u32 *at, u32 value)
{
    u32 now = word_fresh(at);
    while (now < value && !__atomic_compare_exchange_n(at, &now, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return now;
}

device_inline u32 word_cas(u32 *at, u32 expected, u32 value)
{
    (void)__atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

#define float_of(bits)                                                                                                 \
    (((const union {                                                                                                   \
         u32 from;                                                                                                     \
         float to;                                                                                                     \
     }){bits})                                                                                                         \
         .to)
#define double_of(bits)                                                                                                \
    (((const union {                                                                                                   \
         u64 from;                                                                                                     \
         double to;                                                                                                    \
     }){bits})                                                                                                         \
         .to)
#define bits_of_double(value)                                                                                          \
    (((const union {                                                                                                   \
         double from;                                                                                                  \
         u64 to;                                                                                                       \
     }){value})                                                                                                        \
         .to)

device_inline double double_product(double a, double b)
{
    return a * b;
}

#define WARP 1u
#define warp_barrier() ((void)0)
#define warp_ballot(mark) ((mark) ? 1u : 0u)
#define warp_shuffle(value, lane) ((void)(lane), (value))
#define warp_sum(value) (value)
#define unrolled

#define bit_count(word) ((u32)__builtin_popcount(word))
#define first_bit(word) ((u32)__builtin_ctz(word))

#endif
