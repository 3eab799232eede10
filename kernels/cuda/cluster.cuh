/* SPDX-License-Identifier: MIT */
/* A cluster of blocks and its memory, in words that C++ does not have; below compute capability 9.0 a cluster is one block.
 * The including source has u32, u64 and `inside`. tests/kernels/mesh/ has threads play a cluster. */
#ifndef GWS_KERNELS_CUDA_CLUSTER_CUH
#define GWS_KERNELS_CUDA_CLUSTER_CUH

template <u32 blocks> inside u32 cluster_rank()
{
    if (blocks == 1) return 0;
    u32 rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* Where a block of the cluster has what this block has at that address. */
inside u32 remote(const void *at, u32 block)
{
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((u32)__cvta_generic_to_shared(at)), "r"(block));
    return there;
}

/* Asked for now, whatever comes of it: a volatile read goes before the claim that follows, where any other is put off until
 * its claim has succeeded. */
inside uint4 read_row(const uint4 *at)
{
    uint4 row;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(row.x), "=r"(row.y), "=r"(row.z), "=r"(row.w)
                 : "l"(at)
                 : "memory");
    return row;
}

/* Into the second cache. */
inside void fetch_row(const uint4 *at)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/* ---- words that clusters share, without an order among them; sixteen bytes are one word ---- */

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

/* ---- bells ---- */

/* Writes into another block's memory; the bytes are counted by its bell, whose wait sees them. */
inside void send(u32 at, u32 first, u32 second, u32 bell)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, [%3];" ::"r"(at),
                 "r"(first), "r"(second), "r"(bell)
                 : "memory");
}

inside void send(u32 at, u32 value, u32 bell)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(at), "r"(value),
                 "r"(bell)
                 : "memory");
}

inside void send(u32 at, uint4 value, u32 bell)
{
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(at),
        "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w), "r"(bell)
        : "memory");
}

/* Before the barrier that lets others ring it. */
inside void bell_open(u64 *bell, u32 rings)
{
    u32 at = (u32)__cvta_generic_to_shared(bell);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(rings) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* The order is the block's own, release of the cluster would wait for its writes to global memory: what others read of
 * this block was sent, and what is sent here next overwrites what all threads had read before the block's barrier. */
inside void bell_ring(u32 bell, u32 bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%0], %1;" ::"r"(bell), "r"(bytes) : "memory");
}

/* Sees all bytes that the bell counted. */
inside void bell_wait(const u64 *bell, u32 parity)
{
    u32 at = (u32)__cvta_generic_to_shared(bell), done = 0;
    while (!done)
        asm volatile("{ .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(at), "r"(parity)
                     : "memory");
}

/* ---- the barrier ---- */

/* release and acquire: what any block wrote before is seen by every block after */
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
