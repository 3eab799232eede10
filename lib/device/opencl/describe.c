/* SPDX-License-Identifier: MIT */
/* Finding and describing the devices of all platforms. If the device's OpenCL version lacks a query, the answer is the
 * guarantee of that version. */
#include <stdio.h>
#include <string.h>

#include "../../text.h"
#include "opencl.h"

enum { max_string = 1024, no_platforms = -1001 }; /* CL_PLATFORM_NOT_FOUND_KHR of cl_ext.h */

/* ---- finding ---- */

static void complain(struct gws_runtime *runtime, const char *call, cl_int error)
{
    struct gws_diagnostic where = {0};
    (void)gws__opencl_fail(&where, "opencl", call, error);
    gws_report_log(runtime, where.message);
}

uint32_t gws__opencl_find(struct gws_runtime *runtime, cl_device_id *id)
{
    cl_platform_id platform[gws__opencl_platforms];
    cl_uint platforms = 0, found = 0;
    cl_int error = clGetPlatformIDs(gws__opencl_platforms, platform, &platforms);
    if (error != CL_SUCCESS && error != no_platforms) complain(runtime, "clGetPlatformIDs", error);
    if (error != CL_SUCCESS) return 0;
    if (platforms > gws__opencl_platforms) platforms = gws__opencl_platforms;
    for (cl_uint i = 0; i < platforms && found < gws__opencl_devices; i++) {
        cl_uint capacity = gws__opencl_devices - found, here = 0;
        error = clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, capacity, id + found, &here);
        if (error != CL_SUCCESS && error != CL_DEVICE_NOT_FOUND) complain(runtime, "clGetDeviceIDs", error);
        if (error == CL_SUCCESS) found += here < capacity ? here : capacity;
    }
    return found;
}

/* ---- describing ---- */

/* A device to query, and the driver's first error. An unknown query is no error. */
struct opencl_query {
    cl_device_id id;
    cl_int error;
};

static bool query_info(struct opencl_query *query, cl_device_info what, size_t size, void *answer, size_t *wrote)
{
    cl_int error = clGetDeviceInfo(query->id, what, size, answer, wrote);
    if (error != CL_SUCCESS && error != CL_INVALID_VALUE && query->error == CL_SUCCESS) query->error = error;
    return error == CL_SUCCESS;
}

/* Sets text to the device's answer without surrounding blanks, truncated to size. */
static void string_of(struct opencl_query *query, cl_device_info what, char *text, size_t size)
{
    char answer[max_string] = "";
    if (!query_info(query, what, sizeof answer - 1, answer, NULL)) answer[0] = '\0';
    size_t begin = strspn(answer, " \t"), end = strlen(answer);
    while (end > begin && strchr(" \t\r\n", answer[end - 1])) answer[--end] = '\0';
    gws_text_plain(answer + begin, text, size);
}

/* Returns the device's answer, a number of any width, or `otherwise` if the device has none. */
static uint64_t number_of(struct opencl_query *query, cl_device_info what, uint64_t otherwise)
{
    union {
        cl_uint narrow;
        cl_ulong wide;
    } answer = {.wide = 0};
    size_t size = 0;
    if (!query_info(query, what, sizeof answer, &answer, &size)) return otherwise;
    return size == sizeof answer.narrow ? answer.narrow : answer.wide;
}

/* Returns the device's OpenCL version: 300 for "OpenCL 3.0 ...". */
static uint32_t version_of(struct opencl_query *query)
{
    char text[max_string];
    unsigned major = 0, minor = 0;
    string_of(query, CL_DEVICE_VERSION, text, sizeof text);
    return sscanf(text, "OpenCL %u.%u", &major, &minor) == 2 ? major * 100 + minor * 10 : 0;
}

static void describe_driver(struct opencl_query *query, struct gws_device_info *info)
{
    cl_platform_id platform = NULL;
    char name[64] = "", version[48];
    if (query_info(query, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL))
        (void)clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    string_of(query, CL_DRIVER_VERSION, version, sizeof version);
    snprintf(info->driver, sizeof info->driver, "%s %s", name, version);
}

static enum gws_svm svm_of(struct opencl_query *query)
{
    uint64_t able = number_of(query, CL_DEVICE_SVM_CAPABILITIES, 0);
    if (!(able & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
        return able & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER ? GWS_SVM_COARSE : GWS_SVM_NONE;
    return able & CL_DEVICE_SVM_ATOMICS ? GWS_SVM_ATOMICS : GWS_SVM_FINE;
}

/* Returns the capabilities that OpenCL 2 requires of every device, in the bits of OpenCL 3. */
static uint64_t atomics_of_2(enum gws_svm svm)
{
    uint64_t able = CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
    return svm == GWS_SVM_ATOMICS ? able | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES : able;
}

static void describe_atomics(struct opencl_query *query, struct gws_device_info *info)
{
    if (info->version < 200) return;
    uint64_t able = number_of(query, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, atomics_of_2(info->svm));
    info->scope = able & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES ? GWS_ATOMIC_ALL_DEVICES
                  : able & CL_DEVICE_ATOMIC_SCOPE_DEVICE    ? GWS_ATOMIC_DEVICE
                                                            : GWS_ATOMIC_GROUP;
    info->order = able & CL_DEVICE_ATOMIC_ORDER_SEQ_CST   ? GWS_ATOMIC_SEQ_CST
                  : able & CL_DEVICE_ATOMIC_ORDER_ACQ_REL ? GWS_ATOMIC_ACQ_REL
                                                          : GWS_ATOMIC_RELAXED;
}

/* Adds capabilities that NVIDIA's driver does not report, because OpenCL 3.0 does not require them of every device. The
 * driver's compiler accepts all memory orders at device scope, the scans, and through inline PTX the collectives of
 * warps. From compute capability 7.0 on, the hardware implements all of these correctly. */
static void describe_more(struct opencl_query *query, struct gws_device_info *info)
{
    /* CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV and CL_DEVICE_WARP_SIZE_NV of cl_ext.h. */
    enum { compute_capability = 0x4000, warp_size = 0x4003, first = 7 };
    info->warp = 1;
    if (!strstr(info->vendor, "NVIDIA") || info->version < 300 || number_of(query, compute_capability, 0) < first)
        return;
    if (info->scope < GWS_ATOMIC_DEVICE) info->scope = GWS_ATOMIC_DEVICE;
    info->order = GWS_ATOMIC_SEQ_CST;
    info->collectives = true;
    info->warp = (uint32_t)number_of(query, warp_size, 1);
}

static void describe_sizes(struct opencl_query *query, struct gws_device_info *info)
{
    info->units = (uint32_t)number_of(query, CL_DEVICE_MAX_COMPUTE_UNITS, 1);
    info->groups = info->units;
    info->max_group_size = number_of(query, CL_DEVICE_MAX_WORK_GROUP_SIZE, 1);
    info->memory = number_of(query, CL_DEVICE_GLOBAL_MEM_SIZE, 0);
    info->max_buffer = number_of(query, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 0);
    info->local_memory = number_of(query, CL_DEVICE_LOCAL_MEM_SIZE, 0);
    info->max_shared = info->svm >= GWS_SVM_FINE ? info->max_buffer : 0;
    info->cache = number_of(query, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 0);
    info->unified = number_of(query, CL_DEVICE_HOST_UNIFIED_MEMORY, 0) != 0;
}

static const char *why_unusable(struct opencl_query *query, const struct gws_device_info *info)
{
    if (info->version < 200) return "no OpenCL 2.0, hence no C11 atomics";
    if (info->scope < GWS_ATOMIC_DEVICE) return "atomics hold within a work-group only";
    if (!number_of(query, CL_DEVICE_AVAILABLE, 0)) return "the driver reports the device as not available";
    if (!number_of(query, CL_DEVICE_COMPILER_AVAILABLE, 0)) return "no OpenCL C compiler";
    return "";
}

void gws__opencl_describe(cl_device_id id, uint32_t index, struct gws_device_info *info)
{
    struct opencl_query local = {.id = id}, *query = &local;
    *info = (struct gws_device_info){.api = GWS_DEVICE_OPENCL,
                                     .type = GWS_DEVICE_OTHER,
                                     .compiles = true,
                                     .version = version_of(query),
                                     .svm = svm_of(query)};
    snprintf(info->address, sizeof info->address, "opencl:%u", index);
    string_of(query, CL_DEVICE_NAME, info->name, sizeof info->name);
    string_of(query, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor);
    describe_driver(query, info);
    uint64_t type = number_of(query, CL_DEVICE_TYPE, 0);
    if (type & CL_DEVICE_TYPE_CPU) info->type = GWS_DEVICE_CPU;
    if (type & CL_DEVICE_TYPE_GPU) info->type = GWS_DEVICE_GPU;
    info->collectives = number_of(query, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
                                  info->version >= 200 && info->version < 300);
    describe_atomics(query, info);
    describe_more(query, info);
    describe_sizes(query, info);
    snprintf(info->unusable, sizeof info->unusable, "%s", why_unusable(query, info));
    if (query->error != CL_SUCCESS)
        snprintf(info->unusable, sizeof info->unusable, "the driver failed to describe the device (error %d)",
                 query->error);
}
