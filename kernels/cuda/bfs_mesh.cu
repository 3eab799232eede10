/* SPDX-License-Identifier: MIT */
/* The kernels for meshes whose rows are all in the device's memory (bfs_mesh.cuh). Each has a second version for a
 * search that may be handed off (name_handoff). state, frontier (GWS_HANDOFF_CAPACITY entries) and at_host (a bit for
 * each vertex) are in memory that host and device share; the host clears state before the launch. */
#include "bfs_mesh.cuh"

#define MESH_KERNEL(name, blocks, local_bitmap, access)                                                                \
    extern "C" __global__ void __launch_bounds__(1024, 1) name(MESH_PARAMETERS)                                        \
    {                                                                                                                  \
        run_searches<blocks, local_bitmap, access>(MESH_ARGUMENTS, nullptr, 0, nullptr);                               \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(1024, 1) name##_handoff(                                              \
        MESH_PARAMETERS, const __grid_constant__ gws__handoff_rule rule, void *state, void *frontier, u32 *at_host)    \
    {                                                                                                                  \
        mesh_handoff h = {&rule, (gws__handoff_state *)state, (uint2 *)frontier, at_host};                             \
        run_handoff<blocks, local_bitmap, access>(MESH_ARGUMENTS, &h);                                                 \
    }

MESH_KERNEL(bfs_mesh_1, 1, true, rows_late)
MESH_KERNEL(bfs_mesh_global_1, 1, false, rows_late)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
MESH_KERNEL(bfs_mesh_8, 8, true, rows_ahead)
MESH_KERNEL(bfs_mesh_16, 16, true, rows_ahead)
MESH_KERNEL(bfs_mesh_global_16, 16, false, rows_ahead)
#endif
