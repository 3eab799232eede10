/* SPDX-License-Identifier: MIT */
/* The kernels for meshes (bfs_mesh.cu) whose rows lie in the host's memory. The kernels read these rows in place
 * (zero-copy). host_row has the rows from number device_rows on. Earlier rows are in the device's memory. After a
 * thread has claimed a vertex, it reads the row with one read of 16 bytes over the bus. */
#include "bfs_mesh.cuh"

#define MESH_KERNEL(name, blocks, local_bitmap, access)                                                                \
    extern "C" __global__ void __launch_bounds__(1024, 1) name(MESH_PARAMETERS, const void *host_row, u32 device_rows) \
    {                                                                                                                  \
        run_searches<blocks, local_bitmap, access>(MESH_ARGUMENTS, host_row, device_rows, nullptr);                    \
    }

MESH_KERNELS(rows_at_host, rows_at_host)
