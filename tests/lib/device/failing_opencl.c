/* SPDX-License-Identifier: MIT */
/* Wraps OpenCL's library (see failing.h). This file defines each OpenCL function that the library calls. A function
 * counts its call, and forwards the call unless the call must fail. A function that releases an object always forwards
 * its call, since the library could not avoid the leak. */
#define _GNU_SOURCE
#include "failing.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct gws_test_driver gws_test_opencl;

#if __has_include(<CL/cl.h>)
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#define EXPORTED __attribute__((visibility("default")))

bool gws_test_opencl_is_here(void)
{
    return true;
}

/* ---- failing calls ---- */

/* Counts a call. Returns true if the call must fail. */
static bool fails(const char *name)
{
    uint64_t call = atomic_fetch_add(&gws_test_opencl.calls, 1) + 1, at = gws_test_opencl.fail_at;
    bool hit = at && (call == at || (call > at && (gws_test_opencl.fail_after || gws_test_opencl.stall)));
    const char *none = NULL;
    if (hit) (void)atomic_compare_exchange_strong(&gws_test_opencl.failed, &none, name);
    return hit && !gws_test_opencl.stall;
}

static bool stalls(void)
{
    return gws_test_opencl.stall && atomic_load(&gws_test_opencl.failed);
}

/* Stores OpenCL's own function of that name to *to. */
static void find(const char *name, void *to)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW), *found = library ? dlsym(library, name) : NULL;
    if (!found) abort();
    memcpy(to, &found, sizeof found); /* POSIX, unlike C, defines this conversion to a function pointer */
}

/* Defines `next`, OpenCL's own function, which several threads may use. */
#define NEXT(name)                                                                                                     \
    static _Atomic(__typeof__(&(name))) known;                                                                         \
    __typeof__(&(name)) next = atomic_load(&known);                                                                    \
    if (!next) {                                                                                                       \
        find(#name, &next);                                                                                            \
        atomic_store(&known, next);                                                                                    \
    }

/* ---- calls ---- */

/* The C names differ from the symbols, to avoid conflicting declarations with CL/cl.h. */
#define NAMED(type, name, parameters) EXPORTED type failing_##name parameters __asm__(#name)

/* Defines a function that returns an error. anyhow: forward the call even if it fails. */
#define ANSWERS(name, parameters, arguments, anyhow)                                                                   \
    NAMED(cl_int, name, parameters);                                                                                   \
    cl_int failing_##name parameters                                                                                   \
    {                                                                                                                  \
        NEXT(name)                                                                                                     \
        bool fail = fails(#name);                                                                                      \
        cl_int error = fail && !(anyhow) ? CL_SUCCESS : next arguments;                                                \
        return fail ? gws_test_opencl.error : error;                                                                   \
    }

/* Defines a function that creates an object and stores the error. */
#define MAKES(type, name, parameters, arguments)                                                                       \
    NAMED(type, name, parameters);                                                                                     \
    type failing_##name parameters                                                                                     \
    {                                                                                                                  \
        NEXT(name)                                                                                                     \
        bool fail = fails(#name);                                                                                      \
        if (!fail) return next arguments;                                                                              \
        if (error) *error = gws_test_opencl.error;                                                                     \
        return NULL;                                                                                                   \
    }

ANSWERS(clGetPlatformIDs, (cl_uint capacity, cl_platform_id *id, cl_uint *count), (capacity, id, count), false)
ANSWERS(clGetPlatformInfo, (cl_platform_id id, cl_platform_info what, size_t size, void *value, size_t *wrote),
        (id, what, size, value, wrote), false)
ANSWERS(clGetDeviceIDs, (cl_platform_id of, cl_device_type type, cl_uint capacity, cl_device_id *id, cl_uint *count),
        (of, type, capacity, id, count), false)
ANSWERS(clGetDeviceInfo, (cl_device_id id, cl_device_info what, size_t size, void *value, size_t *wrote),
        (id, what, size, value, wrote), false)
MAKES(cl_context, clCreateContext,
      (const cl_context_properties *with, cl_uint count, const cl_device_id *id,
       void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *context, cl_int *error),
      (with, count, id, notify, context, error))
MAKES(cl_command_queue, clCreateCommandQueueWithProperties,
      (cl_context context, cl_device_id id, const cl_queue_properties *with, cl_int *error), (context, id, with, error))
MAKES(cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error),
      (context, flags, size, host, error))
MAKES(cl_program, clCreateProgramWithSource,
      (cl_context context, cl_uint count, const char **text, const size_t *length, cl_int *error),
      (context, count, text, length, error))
MAKES(cl_program, clCreateProgramWithBinary,
      (cl_context context, cl_uint count, const cl_device_id *id, const size_t *length, const unsigned char **binary,
       cl_int *state, cl_int *error),
      (context, count, id, length, binary, state, error))
ANSWERS(clBuildProgram,
        (cl_program program, cl_uint count, const cl_device_id *id, const char *options,
         void(CL_CALLBACK *notify)(cl_program, void *), void *context),
        (program, count, id, options, notify, context), false)
ANSWERS(clGetProgramInfo, (cl_program program, cl_program_info what, size_t size, void *value, size_t *wrote),
        (program, what, size, value, wrote), false)
ANSWERS(clGetProgramBuildInfo,
        (cl_program program, cl_device_id id, cl_program_build_info what, size_t size, void *value, size_t *wrote),
        (program, id, what, size, value, wrote), false)
ANSWERS(clCreateKernelsInProgram, (cl_program program, cl_uint capacity, cl_kernel *kernel, cl_uint *count),
        (program, capacity, kernel, count), false)
ANSWERS(clGetKernelInfo, (cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *wrote),
        (kernel, what, size, value, wrote), false)
ANSWERS(clGetKernelWorkGroupInfo,
        (cl_kernel kernel, cl_device_id id, cl_kernel_work_group_info what, size_t size, void *value, size_t *wrote),
        (kernel, id, what, size, value, wrote), false)
ANSWERS(clSetKernelArg, (cl_kernel kernel, cl_uint place, size_t size, const void *value), (kernel, place, size, value),
        false)
ANSWERS(clSetKernelArgSVMPointer, (cl_kernel kernel, cl_uint place, const void *value), (kernel, place, value), false)
ANSWERS(clEnqueueNDRangeKernel,
        (cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *from, const size_t *items,
         const size_t *group, cl_uint count, const cl_event *after, cl_event *event),
        (queue, kernel, axes, from, items, group, count, after, event), false)
ANSWERS(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem memory, const void *pattern, size_t length, size_t at, size_t size,
         cl_uint count, const cl_event *after, cl_event *event),
        (queue, memory, pattern, length, at, size, count, after, event), false)
ANSWERS(clEnqueueSVMMemFill,
        (cl_command_queue queue, void *memory, const void *pattern, size_t length, size_t size, cl_uint count,
         const cl_event *after, cl_event *event),
        (queue, memory, pattern, length, size, count, after, event), false)
ANSWERS(clEnqueueUnmapMemObject,
        (cl_command_queue queue, cl_mem memory, void *mapped, cl_uint count, const cl_event *after, cl_event *event),
        (queue, memory, mapped, count, after, event), false)
ANSWERS(clEnqueueCopyBuffer,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at, size_t to_at, size_t size, cl_uint count,
         const cl_event *after, cl_event *event),
        (queue, from, to, from_at, to_at, size, count, after, event), false)
ANSWERS(clEnqueueBarrierWithWaitList, (cl_command_queue queue, cl_uint count, const cl_event *after, cl_event *event),
        (queue, count, after, event), false)
ANSWERS(clRetainEvent, (cl_event event), (event), false)
ANSWERS(clFlush, (cl_command_queue queue), (queue), false)
ANSWERS(clWaitForEvents, (cl_uint count, const cl_event *event), (count, event), false)
ANSWERS(clReleaseEvent, (cl_event event), (event), true)
ANSWERS(clReleaseMemObject, (cl_mem memory), (memory), true)
ANSWERS(clReleaseKernel, (cl_kernel kernel), (kernel), true)
ANSWERS(clReleaseProgram, (cl_program program), (program), true)
ANSWERS(clReleaseCommandQueue, (cl_command_queue queue), (queue), true)
ANSWERS(clReleaseContext, (cl_context context), (context), true)

NAMED(void *, clSVMAlloc, (cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment));
void *failing_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    NEXT(clSVMAlloc)
    if (fails("clSVMAlloc")) return NULL;
    return next(context, flags, size, alignment);
}

NAMED(cl_int, clGetEventInfo, (cl_event event, cl_event_info what, size_t size, void *value, size_t *wrote));
cl_int failing_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *wrote)
{
    NEXT(clGetEventInfo)
    if (fails("clGetEventInfo")) return gws_test_opencl.error;
    cl_int error = next(event, what, size, value, wrote);
    if (stalls() && what == CL_EVENT_COMMAND_EXECUTION_STATUS) *(cl_int *)value = CL_RUNNING;
    return error;
}

/* ---- copies, which may only access pinned memory of the driver ---- */

/* The last mapping of memory that the driver has pinned. */
static struct {
    const char *_Atomic begin;
    atomic_size_t bytes;
} pinned[4];
static atomic_uint mapped_ones;

static bool is_pinned(const void *memory, size_t size)
{
    const char *at = memory;
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        const char *begin = atomic_load(&pinned[i].begin);
        if (begin && at >= begin && at + size <= begin + atomic_load(&pinned[i].bytes)) return true;
    }
    return false;
}

NAMED(void *, clEnqueueMapBuffer,
      (cl_command_queue queue, cl_mem memory, cl_bool wait, cl_map_flags how, size_t at, size_t size, cl_uint count,
       const cl_event *after, cl_event *event, cl_int *error));
void *failing_clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool wait, cl_map_flags how, size_t at,
                                 size_t size, cl_uint count, const cl_event *after, cl_event *event, cl_int *error)
{
    NEXT(clEnqueueMapBuffer)
    cl_mem_flags flags = 0;
    if (fails("clEnqueueMapBuffer")) {
        *error = gws_test_opencl.error;
        return NULL;
    }
    void *mapped = next(queue, memory, wait, how, at, size, count, after, event, error);
    (void)clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    if (!mapped || !(flags & CL_MEM_ALLOC_HOST_PTR)) return mapped;
    unsigned i = atomic_fetch_add(&mapped_ones, 1) % (sizeof pinned / sizeof *pinned);
    atomic_store(&pinned[i].bytes, size);
    atomic_store(&pinned[i].begin, mapped);
    return mapped;
}

NAMED(cl_int, clEnqueueReadBuffer,
      (cl_command_queue queue, cl_mem memory, cl_bool wait, size_t at, size_t size, void *to, cl_uint count,
       const cl_event *after, cl_event *event));
cl_int failing_clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool wait, size_t at, size_t size,
                                   void *to, cl_uint count, const cl_event *after, cl_event *event)
{
    NEXT(clEnqueueReadBuffer)
    atomic_fetch_add(&gws_test_opencl.lent, !is_pinned(to, size));
    if (fails("clEnqueueReadBuffer")) return gws_test_opencl.error;
    return next(queue, memory, wait, at, size, to, count, after, event);
}

NAMED(cl_int, clEnqueueWriteBuffer,
      (cl_command_queue queue, cl_mem memory, cl_bool wait, size_t at, size_t size, const void *from, cl_uint count,
       const cl_event *after, cl_event *event));
cl_int failing_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool wait, size_t at, size_t size,
                                    const void *from, cl_uint count, const cl_event *after, cl_event *event)
{
    NEXT(clEnqueueWriteBuffer)
    atomic_fetch_add(&gws_test_opencl.lent, !is_pinned(from, size));
    if (fails("clEnqueueWriteBuffer")) return gws_test_opencl.error;
    return next(queue, memory, wait, at, size, from, count, after, event);
}

/* ---- as a preloaded library ---- */

/* Each read of the clock during a stall returns a time one second later than the previous read. So tests need not wait
 * for a limit of a minute. */
NAMED(int, clock_gettime, (clockid_t clock, struct timespec *time));
int failing_clock_gettime(clockid_t clock, struct timespec *time)
{
    static _Atomic(__typeof__(&clock_gettime)) known; /* several threads may call */
    static atomic_int_fast64_t late;
    __typeof__(&clock_gettime) next = atomic_load(&known);
    if (!next) {
        void *found = dlsym(RTLD_NEXT, "clock_gettime");
        memcpy(&next, &found, sizeof found);
        atomic_store(&known, next);
    }
    int result = next(clock, time);
    if (result == 0 && stalls()) time->tv_sec += atomic_fetch_add(&late, 1) + 1;
    return result;
}

__attribute__((constructor)) static void read_environment(void)
{
    const char *words = getenv("GWS_TEST_OPENCL");
    int after = 0, stall = 0;
    if (words)
        (void)sscanf(words, "%" SCNu64 " %d %d %d", &gws_test_opencl.fail_at, &gws_test_opencl.error, &after, &stall);
    gws_test_opencl.fail_after = after != 0;
    gws_test_opencl.stall = stall != 0;
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("GWS_TEST_OPENCL_REPORT"), *failed = gws_test_opencl.failed;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%" PRIuFAST64 " %s\n", gws_test_opencl.calls, failed ? failed : "none");
    fclose(file);
}

#else

bool gws_test_opencl_is_here(void)
{
    return false;
}

#endif
