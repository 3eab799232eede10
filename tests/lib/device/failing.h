/* SPDX-License-Identifier: MIT */
/* Drivers that fail on purpose: like the allocator of tests/harness.h, they fail the k-th call.
 *
 * failing_opencl.c wraps OpenCL's library and forwards calls that do not fail. A program uses it by naming
 * gws_test_opencl, or by preloading tests/libfailing_opencl.so: then the variable GWS_TEST_OPENCL has the numbers
 * .fail_at, .error, .fail_after and .stall, and GWS_TEST_OPENCL_REPORT is the path of a file that receives "CALLS
 * NAME" at the end. failing_cuda.c replaces CUDA's runtime, on a machine without it. */
#ifndef GWS_TESTS_LIB_DEVICE_FAILING_H
#define GWS_TESTS_LIB_DEVICE_FAILING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gws_test_driver {
    uint64_t fail_at;           /* in: the number of the failing call, from 1; 0 for none */
    int error;                  /* in: the error that it returns */
    bool fail_after;            /* in: all later calls fail as well, like after the loss of a device */
    bool stall;                 /* in: the call succeeds instead, but from it on no command appears complete */
    atomic_uint_fast64_t calls; /* out: calls so far */
    atomic_uint_fast64_t lent;  /* out: copies that involve other memory than the driver's or pinned memory */
    const char *_Atomic failed; /* out: the name of the first call that failed or stalled; NULL for none */
};

extern struct gws_test_driver gws_test_opencl, gws_test_cuda;

/* False if this build lacks the driver's headers: then the wrapper counts no calls. */
bool gws_test_opencl_is_here(void);
bool gws_test_cuda_is_here(void);

/* Executes all remaining commands, like a slow driver would, and resets the stub. Returns the number of invalid
 * memory accesses and waits. (The stub executes commands lazily, when a caller polls.) */
uint64_t gws_test_cuda_end(void);

#endif
