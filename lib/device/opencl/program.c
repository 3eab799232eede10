/* SPDX-License-Identifier: MIT */
/* Programs in OpenCL C. The library loads a program from the cache, or compiles it from source and stores it there. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

#include "opencl.h"

enum { options_size = 1024, fixed_pieces = 5 };

/* ---- build log ---- */

/* Writes the build log to the runtime's log. After success writes only the lines with warnings, otherwise all lines
 * that are not blank. The first line with an error, or else the first line, becomes the message in *where. */
static gws_status report_build_log(struct gws__opencl_device *device, cl_program program, const char *name, bool built,
                                   struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = device->base.runtime;
    const char *reported = NULL;
    char *rest;
    size_t size = 0;
    (void)clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *text = gws__device_object(runtime, size + 1, name, where);
    if (!text) return GWS_NO_MEMORY;
    (void)clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, text, NULL);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (built ? !strstr(line, "warning") : !line[strspn(line, " \t\r")]) continue;
        gws_report_log(runtime, line);
        if (!reported || (!strstr(reported, "error") && strstr(line, "error"))) reported = line;
    }
    gws_status status = built ? GWS_OK
                              : gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: does not compile: %s", name,
                                                   reported ? reported : "the build log is empty");
    gws_release(runtime, text, size + 1, 1);
    return status;
}

/* ---- from source or from the cache ---- */

/* Writes the options with the language's version. Returns false if the options are too long. */
static bool complete_options(const struct gws__opencl_device *device, const struct gws_device_source *source,
                             char *options)
{
    const char *language = device->base.info.version >= 300 ? "-cl-std=CL3.0" : "-cl-std=CL2.0";
    int length = snprintf(options, options_size, "%s%s%s", language, source->options ? " " : "",
                          source->options ? source->options : "");
    return length > 0 && length < options_size;
}

/* Compiles a program from from_source(). The function owns program, and passes it to *built on success. */
static gws_status compile(struct gws__opencl_device *device, const struct gws_device_source *source,
                          const char *options, cl_program program, cl_program *built, struct gws_diagnostic *where)
{
    cl_int error = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    gws_status status = error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE
                            ? report_build_log(device, program, source->name, error == CL_SUCCESS, where)
                            : gws__opencl_fail(where, source->name, "clBuildProgram", error);
    if (status == GWS_OK)
        *built = program;
    else
        (void)clReleaseProgram(program);
    return status;
}

static gws_status from_source(struct gws__opencl_device *device, const struct gws_device_source *source,
                              const char *options, cl_program *built, struct gws_diagnostic *where)
{
    cl_int error;
    /* OpenCL does not change the strings, but its parameter type lacks a const. */
    const char **text = (const char **)source->part;
    cl_program program = clCreateProgramWithSource(device->context, source->parts, text, NULL, &error);
    if (error != CL_SUCCESS) return gws__opencl_fail(where, source->name, "clCreateProgramWithSource", error);
    return compile(device, source, options, program, built, where);
}

/* Loads a program from the cache. *built stays NULL if the cache has no such program, or if the driver refuses the
 * binary. */
static gws_status from_cache(struct gws__opencl_device *device, const char *options, struct gws__cache_key key,
                             cl_program *built)
{
    struct gws_runtime *runtime = device->base.runtime;
    void *data;
    uint64_t bytes;
    gws_status status = gws__cache_load(runtime, device->base.cache, key, &data, &bytes);
    if (status != GWS_OK || !data) return status;
    size_t size = bytes;
    const unsigned char *binary = data;
    cl_int state = CL_SUCCESS, error;
    cl_program program = clCreateProgramWithBinary(device->context, 1, &device->id, &size, &binary, &state, &error);
    if (error == CL_SUCCESS && state == CL_SUCCESS)
        error = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    gws_release(runtime, data, bytes, 1);
    if (error == CL_SUCCESS && state == CL_SUCCESS)
        *built = program;
    else if (program)
        (void)clReleaseProgram(program);
    return GWS_OK;
}

/* Stores the program's binary in the cache. If the driver exports no binary, the function succeeds without effect. */
static gws_status store_binary(struct gws__opencl_device *device, struct gws__cache_key key, cl_program program)
{
    size_t size = 0;
    if (!device->base.cache[0]) return GWS_OK;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS || !size)
        return GWS_OK;
    unsigned char *binary = gws_allocate(device->base.runtime, size, 1);
    if (!binary) return GWS_NO_MEMORY;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(unsigned char *), &binary, NULL) == CL_SUCCESS)
        gws__cache_store(device->base.runtime, device->base.cache, key, binary, size);
    gws_release(device->base.runtime, binary, size, 1);
    return GWS_OK;
}

static struct gws__cache_key key_of(const struct gws__opencl_device *device, const struct gws_device_source *source,
                                    const char *options)
{
    const struct gws_device_info *info = &device->base.info;
    const char *of_device[] = {"opencl", info->name, info->vendor, info->driver, options};
    struct gws__cache_key key = gws__cache_key_of((struct gws__cache_key){0, 0}, of_device, fixed_pieces);
    return gws__cache_key_of(key, source->part, source->parts);
}

/* ---- a program ---- */

static gws_status make_kernels(struct gws__opencl_program *program, const char *name, struct gws_diagnostic *where)
{
    cl_uint kernels = 0;
    cl_int error = clCreateKernelsInProgram(program->program, 0, NULL, &kernels);
    if (error != CL_SUCCESS) return gws__opencl_fail(where, name, "clCreateKernelsInProgram", error);
    if (!kernels) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: the program has no kernel", name);
    program->kernel = gws__device_object(program->base.device->runtime, kernels * sizeof(cl_kernel), name, where);
    if (!program->kernel) return GWS_NO_MEMORY;
    program->kernels = kernels;
    error = clCreateKernelsInProgram(program->program, kernels, program->kernel, NULL);
    return error == CL_SUCCESS ? GWS_OK : gws__opencl_fail(where, name, "clCreateKernelsInProgram", error);
}

gws_status gws__opencl_program_build(struct gws_device_program *base, const struct gws_device_source *source,
                                     struct gws_diagnostic *where)
{
    struct gws__opencl_program *program = (struct gws__opencl_program *)base;
    struct gws__opencl_device *device = gws__opencl_of(base->device);
    char options[options_size];
    (void)pthread_mutex_init(&program->lock, NULL); /* never fails */
    if (source->parts == 0)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: no OpenCL C source", source->name);
    if (!complete_options(device, source, options))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: the options are too long", source->name);
    struct gws__cache_key key = key_of(device, source, options);
    gws_status status = from_cache(device, options, key, &program->program);
    base->cached = program->program != NULL;
    if (status == GWS_OK && !program->program) {
        status = from_source(device, source, options, &program->program, where);
        if (status != GWS_OK) return status; /* *where has the reason */
        status = store_binary(device, key, program->program);
    }
    if (status == GWS_OK) return make_kernels(program, source->name, where);
    return gws_diagnostic_set(where, status, NULL, 0, 0, "%s: %s", source->name, gws_status_text(status));
}

void gws__opencl_program_free(struct gws_device_program *base)
{
    struct gws__opencl_program *program = (struct gws__opencl_program *)base;
    for (cl_uint i = 0; i < program->kernels && program->kernel[i] && !base->device->lost; i++)
        (void)clReleaseKernel(program->kernel[i]);
    gws_release(base->device->runtime, program->kernel, program->kernels, sizeof(cl_kernel));
    if (program->program && !base->device->lost) (void)clReleaseProgram(program->program);
    (void)pthread_mutex_destroy(&program->lock);
}
