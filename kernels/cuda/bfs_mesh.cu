/* SPDX-License-Identifier: MIT */
/* The kernels for meshes whose rows are all in the device's memory (bfs_mesh.cuh). Each kernel has a second version,
 * name_handoff, for a search that may be handed off. state, frontier (GWS_HANDOFF_CAPACITY entries) and at_host (a bit
 * for each vertex) are in memory that host and device share. The host clears state before the launch. */
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

MESH_KERNELS(rows_late, rows_ahead)
