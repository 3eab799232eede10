/* SPDX-License-Identifier: MIT */
/* The kernels for meshes (bfs_mesh.cu) whose rows lie in the host's memory and are read in place (zero-copy): rows from
 * number device_rows on, at host_row; earlier rows are in the device's memory. A row is one read of 16 bytes over the
 * bus, after its vertex was claimed. */
#include "bfs_mesh.cuh"

#define MESH_KERNEL(name, blocks, local_bitmap, access)                                                                \
    extern "C" __global__ void __launch_bounds__(1024, 1) name(MESH_PARAMETERS, const void *host_row, u32 device_rows) \
    {                                                                                                                  \
        run_searches<blocks, local_bitmap, access>(MESH_ARGUMENTS, host_row, device_rows, nullptr);                    \
    }

MESH_KERNEL(bfs_mesh_1, 1, true, rows_at_host)
MESH_KERNEL(bfs_mesh_global_1, 1, false, rows_at_host)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
MESH_KERNEL(bfs_mesh_8, 8, true, rows_at_host)
MESH_KERNEL(bfs_mesh_16, 16, true, rows_at_host)
MESH_KERNEL(bfs_mesh_global_16, 16, false, rows_at_host)
#endif
