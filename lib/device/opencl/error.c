/* SPDX-License-Identifier: MIT */
/* What OpenCL answers, as a status and a line of text. */
#include "opencl.h"

#define ERROR_LIST(X)                                                                                                  \
    X(DEVICE_NOT_FOUND)                                                                                                \
    X(DEVICE_NOT_AVAILABLE)                                                                                            \
    X(COMPILER_NOT_AVAILABLE)                                                                                          \
    X(MEM_OBJECT_ALLOCATION_FAILURE)                                                                                   \
    X(OUT_OF_RESOURCES)                                                                                                \
    X(OUT_OF_HOST_MEMORY)                                                                                              \
    X(MAP_FAILURE)                                                                                                     \
    X(BUILD_PROGRAM_FAILURE)                                                                                           \
    X(EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                                                       \
    X(INVALID_VALUE)                                                                                                   \
    X(INVALID_DEVICE)                                                                                                  \
    X(INVALID_CONTEXT)                                                                                                 \
    X(INVALID_COMMAND_QUEUE)                                                                                           \
    X(INVALID_MEM_OBJECT)                                                                                              \
    X(INVALID_BINARY)                                                                                                  \
    X(INVALID_BUILD_OPTIONS)                                                                                           \
    X(INVALID_PROGRAM)                                                                                                 \
    X(INVALID_PROGRAM_EXECUTABLE)                                                                                      \
    X(INVALID_KERNEL)                                                                                                  \
    X(INVALID_ARG_INDEX)                                                                                               \
    X(INVALID_ARG_VALUE)                                                                                               \
    X(INVALID_ARG_SIZE)                                                                                                \
    X(INVALID_KERNEL_ARGS)                                                                                             \
    X(INVALID_WORK_GROUP_SIZE)                                                                                         \
    X(INVALID_GLOBAL_WORK_SIZE)                                                                                        \
    X(INVALID_BUFFER_SIZE)

static const char *name_of(cl_int error)
{
    switch (error) {
#define ERROR_NAME(name)                                                                                               \
    case CL_##name:                                                                                                    \
        return "CL_" #name;
        ERROR_LIST(ERROR_NAME)
#undef ERROR_NAME
    default:
        return "OpenCL error";
    }
}

static gws_status status_of(cl_int error)
{
    switch (error) {
    case CL_OUT_OF_HOST_MEMORY:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        return GWS_NO_MEMORY;
    case CL_INVALID_ARG_INDEX:
    case CL_INVALID_ARG_VALUE:
    case CL_INVALID_ARG_SIZE:
    case CL_INVALID_KERNEL_ARGS:
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_INVALID_BUILD_OPTIONS:
        return GWS_INVALID;
    default:
        return GWS_DEVICE;
    }
}

gws_status gws__opencl_fail(struct gws_where *where, const char *subject, const char *call, cl_int error)
{
    return gws_where_set(where, status_of(error), NULL, 0, 0, "%s: %s: %s (%d)", subject, call, name_of(error), error);
}

gws_status gws__opencl_lose(struct gws__opencl_device *device, struct gws_where *where, const char *call, cl_int error)
{
    gws_status status = gws__opencl_fail(where, device->base.info.address, call, error);
    if (status == GWS_DEVICE) device->base.lost = true;
    return status;
}
