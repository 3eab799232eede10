/* SPDX-License-Identifier: MIT */
/* Thread block clusters and distributed shared memory, by inline PTX. Below compute capability 9.0 a cluster is one
 * block. The including source defines u32, u64 and `inside`. tests/kernels/mesh/ emulates a cluster with threads. */
#ifndef GWS_KERNELS_CUDA_CLUSTER_CUH
#define GWS_KERNELS_CUDA_CLUSTER_CUH

template <u32 blocks> inside u32 cluster_rank()
{
    if (blocks == 1) return 0;
    u32 rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* Maps an address in this block's shared memory to the same address in another block of the cluster. */
inside u32 remote(const void *at, u32 block)
{
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((u32)__cvta_generic_to_shared(at)), "r"(block));
    return there;
}

/* Issues the read at once, because the compiler keeps a volatile read before the claim that follows. The compiler would
 * delay another read until the claim has succeeded. */
inside uint4 read_row(const uint4 *at)
{
    uint4 row;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(row.x), "=r"(row.y), "=r"(row.z), "=r"(row.w)
                 : "l"(at)
                 : "memory");
    return row;
}

/* Prefetches a row into the L2 cache. */
inside void fetch_row(const uint4 *at)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/* ---- relaxed words that clusters share. Sixteen bytes are one word. ---- */

inside uint4 read_sixteen(const uint4 *at)
{
    unsigned __int128 v;
    asm volatile("ld.relaxed.gpu.global.b128 %0, [%1];" : "=q"(v) : "l"(at) : "memory");
    return make_uint4((u32)v, (u32)(v >> 32), (u32)(v >> 64), (u32)(v >> 96));
}

inside void write_sixteen(uint4 *at, uint4 value)
{
    unsigned __int128 v = (unsigned __int128)((u64)value.w << 32 | value.z) << 64 | ((u64)value.y << 32 | value.x);
    asm volatile("st.relaxed.gpu.global.b128 [%0], %1;" ::"l"(at), "q"(v) : "memory");
}

inside u64 read_eight(const u64 *at)
{
    u64 value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}

inside void write_eight(u64 *at, u64 value)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}

/* ---- the cluster's memory ---- */

inside u32 remote_or(u32 at, u32 bits)
{
    u32 before;
    asm volatile("atom.relaxed.cluster.shared::cluster.or.b32 %0, [%1], %2;"
                 : "=r"(before)
                 : "r"(at), "r"(bits)
                 : "memory");
    return before;
}

inside u32 remote_load(u32 at)
{
    u32 value;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
    return value;
}

inside void remote_store(u32 at, u32 value)
{
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
}

/* ---- mbarriers ---- */

/* Writes two words into another block's memory. The mbarrier of that block counts the bytes. A wait for the mbarrier
 * makes them visible. */
inside void send(u32 at, u32 first, u32 second, u32 mbarrier)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, [%3];" ::"r"(at),
                 "r"(first), "r"(second), "r"(mbarrier)
                 : "memory");
}

inside void send(u32 at, u32 value, u32 mbarrier)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(at), "r"(value),
                 "r"(mbarrier)
                 : "memory");
}

inside void send(u32 at, uint4 value, u32 mbarrier)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(at),
                 "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w), "r"(mbarrier)
                 : "memory");
}

/* Initialises an mbarrier. The caller passes a cluster barrier before other blocks arrive at the mbarrier. */
inside void mbarrier_init(u64 *mbarrier, u32 arrivals)
{
    u32 at = (u32)__cvta_generic_to_shared(mbarrier);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(arrivals) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Arrives with CTA scope. A release at cluster scope would wait for the block's writes to global memory. CTA scope
 * suffices for two reasons. Other blocks only read bytes that this block has sent. Later sends only overwrite bytes
 * that all threads have read before the block's barrier. */
inside void mbarrier_arrive(u32 mbarrier, u32 bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%0], %1;" ::"r"(mbarrier), "r"(bytes) : "memory");
}

/* Waits for the mbarrier. All bytes that the mbarrier counted are then visible. */
inside void mbarrier_wait(const u64 *mbarrier, u32 parity)
{
    u32 at = (u32)__cvta_generic_to_shared(mbarrier), done = 0;
    while (!done)
        asm volatile("{ .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(at), "r"(parity)
                     : "memory");
}

/* ---- the barrier ---- */

/* A barrier of the cluster, with release and acquire: writes of any block before it are visible to every block after
 * it. */
template <u32 blocks> inside void cluster_barrier()
{
    if (blocks == 1) {
        __syncthreads();
    } else {
        __syncwarp();
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    }
}

#endif
