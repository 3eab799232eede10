/* SPDX-License-Identifier: MIT */
/* The CUDA program for a kernel that takes tasks from a host queue (host_queue.cl). nvcc compiles it to an image:
 *
 *     nvcc -fatbin -std=c++17 -I. -DKERNEL_SOURCE='"primes.cl"' own_queue.cu -o primes.fatbin */
#include "../portability/cuda.h"
/* clang-format off */
#include "host_queue_words.h"
#include "host_queue.cl"
#include KERNEL_SOURCE
/* clang-format on */
