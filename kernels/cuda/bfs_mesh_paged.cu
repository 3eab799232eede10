/* SPDX-License-Identifier: MIT */
/* The kernels of bfs_mesh_host.cu with a cache on the device for host rows. Prefetch clusters fill the cache page by
 * page (mesh_row_cache.cuh). control: the rings, the four words from `done` on, `requested`, and next_line. The host
 * clears all of them but next_line. */
#include "bfs_mesh.cuh"

#define CACHE_PARAMETERS                                                                                               \
    const void *host_row, u32 device_rows, void *slot, u32 slots, u32 prefetch_clusters, u32 distance, void *control

static __device__ __forceinline__ row_cache cache_of(u64 rows, u32 blocks, void *slot, u32 slots, u32 prefetch_clusters,
                                                     u32 distance, void *control)
{
    u64 *ring = (u64 *)control, *done = ring + blocks * ring_capacity;
    u32 *requested = (u32 *)(done + 4);
    return {(uint4 *)slot, slots, prefetch_clusters, distance,
            ring,          done,  requested,         requested + (rows + page_rows - 1) / page_rows};
}

#define MESH_KERNEL(name, blocks, local_bitmap, access)                                                                \
    extern "C" __global__ void __launch_bounds__(1024, 1) name(MESH_PARAMETERS, CACHE_PARAMETERS)                      \
    {                                                                                                                  \
        row_cache cache = cache_of(rows, blocks, slot, slots, prefetch_clusters, distance, control);                   \
        run_searches<blocks, local_bitmap, access>(MESH_ARGUMENTS, host_row, device_rows, nullptr, cache);             \
    }

MESH_KERNELS(rows_at_host | rows_paged, rows_at_host | rows_paged)
