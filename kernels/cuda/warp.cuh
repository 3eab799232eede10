/* SPDX-License-Identifier: MIT */
/* Warp reductions, which all lanes call. Devices below compute capability 8.0 have no instruction for them. */
#ifndef GWS_KERNELS_CUDA_WARP_CUH
#define GWS_KERNELS_CUDA_WARP_CUH

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

static __device__ __forceinline__ unsigned warp_sum(unsigned value)
{
    return __reduce_add_sync(~0u, value);
}

static __device__ __forceinline__ unsigned warp_max(unsigned value)
{
    return __reduce_max_sync(~0u, value);
}

#else

static __device__ __forceinline__ unsigned warp_sum(unsigned value)
{
    for (int by = 16; by > 0; by /= 2) value += __shfl_xor_sync(~0u, value, by);
    return value;
}

static __device__ __forceinline__ unsigned warp_max(unsigned value)
{
    for (int by = 16; by > 0; by /= 2) value = max(value, __shfl_xor_sync(~0u, value, by));
    return value;
}

#endif

#endif
