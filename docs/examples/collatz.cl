/* SPDX-License-Identifier: MIT */
/* A kernel of one's own, in OpenCL C and CUDA. Each item counts the steps of n -> n / 2 or 3 n + 1 until 1, for numbers of
 * its own, and *longest becomes the largest count. */
#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define global_mem
#define FIRST (blockIdx.x * blockDim.x + threadIdx.x)
#define ITEMS (gridDim.x * blockDim.x)
#define MAXIMUM(at, value) atomicMax(at, value)
typedef unsigned long long u64;
#else
#define KERNEL kernel void
#define global_mem global
#define FIRST get_global_id(0)
#define ITEMS get_global_size(0)
#define MAXIMUM(at, value) atomic_max(at, value)
typedef ulong u64;
#endif

KERNEL longest_chain(u64 below, global_mem unsigned int *longest)
{
    unsigned int own = 0;
    for (u64 start = FIRST + 1; start < below; start += ITEMS) {
        unsigned int steps = 0;
        for (u64 n = start; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) steps++;
        own = steps > own ? steps : own;
    }
    (void)MAXIMUM(longest, own);
}
