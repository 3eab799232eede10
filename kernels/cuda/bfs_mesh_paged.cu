/* SPDX-License-Identifier: MIT */
/* The kernels of bfs_mesh_host.cu where the device has places for rows of the host, which carriers bring in pages
 * (mesh_pages.cuh). control: the rings, the four words from done on, and asked, which the host clears, and turn. */
#include "bfs_mesh.cuh"

#define PAGE_PARAMETERS const void *host_row, u32 kept, void *place, u32 places, u32 carriers, u32 hops, void *control

static __device__ __forceinline__ page_words pages_of(u64 rows, u32 blocks, void *place, u32 places, u32 carriers,
                                                      u32 hops, void *control)
{
    u64 *ring = (u64 *)control, *done = ring + blocks * ring_room;
    u32 *asked = (u32 *)(done + 4);
    return {(uint4 *)place, places, carriers, hops, ring, done, asked, asked + (rows + page_rows - 1) / page_rows};
}

#define MESH_KERNEL(name, blocks, near, how)                                                                           \
    extern "C" __global__ void __launch_bounds__(1024, 1) name(MESH_PARAMETERS, PAGE_PARAMETERS)                       \
    {                                                                                                                  \
        page_words pages = pages_of(rows, blocks, place, places, carriers, hops, control);                             \
        run_searches<blocks, near, how>(MESH_ARGUMENTS, host_row, kept, nullptr, pages);                               \
    }

MESH_KERNEL(bfs_mesh_1, 1, true, rows_at_host | rows_paged)
MESH_KERNEL(bfs_mesh_global_1, 1, false, rows_at_host | rows_paged)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
MESH_KERNEL(bfs_mesh_8, 8, true, rows_at_host | rows_paged)
MESH_KERNEL(bfs_mesh_16, 16, true, rows_at_host | rows_paged)
MESH_KERNEL(bfs_mesh_global_16, 16, false, rows_at_host | rows_paged)
#endif
