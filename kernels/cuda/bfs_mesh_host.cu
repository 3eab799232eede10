/* SPDX-License-Identifier: MIT */
/* The kernels for meshes (bfs_mesh.cu) where rows lie in the host's memory, which the device reads in place: those from
 * number kept on, at host_row; the others are in its own. A row is one read of 16 bytes over the bus, of a vertex that
 * was claimed before. */
#include "bfs_mesh.cuh"

#define MESH_KERNEL(name, blocks, near, how)                                                                           \
    extern "C" __global__ void __launch_bounds__(1024, 1) name(MESH_PARAMETERS, const void *host_row, u32 kept)        \
    {                                                                                                                  \
        run_searches<blocks, near, how>(MESH_ARGUMENTS, host_row, kept, nullptr);                                      \
    }

MESH_KERNEL(bfs_mesh_1, 1, true, rows_at_host)
MESH_KERNEL(bfs_mesh_global_1, 1, false, rows_at_host)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
MESH_KERNEL(bfs_mesh_8, 8, true, rows_at_host)
MESH_KERNEL(bfs_mesh_16, 16, true, rows_at_host)
MESH_KERNEL(bfs_mesh_global_16, 16, false, rows_at_host)
#endif
