/* SPDX-License-Identifier: MIT */
/* Drivers that fail on purpose. Like the allocator of tests/harness.h, a driver fails the k-th call.
 *
 * failing_opencl.c wraps OpenCL's library and forwards calls that do not fail. A program uses this wrapper if it names
 * gws_test_opencl or preloads tests/libfailing_opencl.so. The preloaded library reads the numbers .fail_at, .error,
 * .fail_after and .stall from the variable GWS_TEST_OPENCL. At the end it writes "CALLS NAME" to the file that
 * GWS_TEST_OPENCL_REPORT names. failing_cuda.c replaces CUDA's runtime, on a machine without it. */
#ifndef GWS_TESTS_LIB_DEVICE_FAILING_H
#define GWS_TESTS_LIB_DEVICE_FAILING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gws_test_driver {
    uint64_t fail_at;           /* in: the number of the failing call, from 1; 0 for none */
    int error;                  /* in: the error that the failing call returns */
    bool fail_after;            /* in: all later calls fail as well, as after the loss of a device */
    bool stall;                 /* in: that call succeeds instead, but no command appears complete from then on */
    atomic_uint_fast64_t calls; /* out: calls so far */
    atomic_uint_fast64_t lent;  /* out: copies with memory that is neither the driver's nor pinned */
    const char *_Atomic failed; /* out: the name of the first call that failed or stalled; NULL for none */
};

extern struct gws_test_driver gws_test_opencl, gws_test_cuda;

/* Each returns false if this build lacks the driver's headers. The wrapper then counts no calls. */
bool gws_test_opencl_is_here(void);
bool gws_test_cuda_is_here(void);

/* Executes all remaining commands, as a slow driver would, and resets the stub. Returns the number of invalid memory
 * accesses and waits. (The stub executes commands late, when a caller polls.) */
uint64_t gws_test_cuda_end(void);

#endif
