/* SPDX-License-Identifier: MIT */
/* Drivers that fail on purpose: like the allocator of tests/harness.h, they fail the k-th call.
 *
 * failing_opencl.c stands before OpenCL's library, and passes on what does not fail: in a program that names
 * gws_test_opencl, and in one that preloads tests/libfailing_opencl.so, where the variable GWS_TEST_OPENCL has the
 * numbers .fail_at, .error, .fail_after and .stall, and GWS_TEST_OPENCL_REPORT the path of a file, to which "CALLS
 * NAME" is written at the end. failing_cuda.c stands in for CUDA's runtime, on a machine without any. */
#ifndef GWS_TESTS_LIB_DEVICE_FAILING_H
#define GWS_TESTS_LIB_DEVICE_FAILING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gws_test_driver {
    uint64_t fail_at;           /* in: the call, from 1, that fails; 0 for none */
    int error;                  /* in: what it answers */
    bool fail_after;            /* in: every later call fails as well: the device has gone */
    bool stall;                 /* in: it does not fail; but from it on, no command is seen to end */
    atomic_uint_fast64_t calls; /* out: calls so far */
    atomic_uint_fast64_t lent;  /* out: copies between buffers and memory that is not the driver's, nor pinned for it */
    const char *_Atomic failed; /* out: the name of the first call that failed or stalled; NULL for none */
};

extern struct gws_test_driver gws_test_opencl, gws_test_cuda;

/* False where the driver's headers were missing: then no call is seen. */
bool gws_test_opencl_is_here(void);
bool gws_test_cuda_is_here(void);

/* What is given to the stub is done when somebody asks whether it is. This does what is left, as a driver that is only
 * slow would, and forgets all; how often memory was touched or waited for that it must not have been. */
uint64_t gws_test_cuda_end(void);

#endif
