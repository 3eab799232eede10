/* SPDX-License-Identifier: MIT */
/* Atomic operations on words that kernels on several devices access, if `wide`: the scope is then the system. A
 * constant `wide` costs nothing. Only CUDA's devices reach each other's memory; emulated devices have one memory. */
#ifdef __CUDACC__
#define GWS_PEERS

/* Sleeps for `count` pauses. One instruction: a loop of pauses takes issue slots from the warps that work. */
#define sleep_pauses(count) __nanosleep(20 * (count))

template <class T>
__device__ inline cuda::atomic<T, cuda::thread_scope_system> *wide_atom(cuda::atomic<T, cuda::thread_scope_device> *at)
{
    return reinterpret_cast<cuda::atomic<T, cuda::thread_scope_system> *>(at);
}

#define wide_load(at, order, wide) ((wide) ? wide_atom(at)->load(order) : (at)->load(order))
#define wide_store(at, value, order) wide_atom(at)->store(value, order)
#define wide_add(at, value, order, wide)                                                                               \
    ((wide) ? wide_atom(at)->fetch_add(value, order) : (at)->fetch_add(value, order))
#define wide_or(at, value, order, wide) ((wide) ? wide_atom(at)->fetch_or(value, order) : (at)->fetch_or(value, order))
#define wide_cas(at, expected, value, order)                                                                           \
    wide_atom(at)->compare_exchange_strong(*(expected), value, order, order_relaxed)
/* A compare-and-swap that acquires and releases. The caller has loaded the expected value, which never returns. So a
 * fence between the two acquires what the store of that value released, and releases the claim. */
#define wide_claim(at, expected, value)                                                                                \
    (cuda::atomic_thread_fence(order_acq_rel, cuda::thread_scope_system), wide_cas(at, expected, value, order_relaxed))
#else
#ifndef __OPENCL_VERSION__
#define GWS_PEERS
#endif
#define sleep_pauses(count)                                                                                            \
    for (u32 pause = 0; pause < (count); pause++) spin_pause()
#define wide_load(at, order, wide) atom_load(at, order)
#define wide_store(at, value, order) atom_store(at, value, order)
#define wide_add(at, value, order, wide) atom_add(at, value, order)
#define wide_or(at, value, order, wide) atom_or(at, value, order)
#define wide_cas(at, expected, value, order) atom_cas(at, expected, value, order)
#define wide_claim(at, expected, value) atom_cas(at, expected, value, order_acq_rel)
#endif
