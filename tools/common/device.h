/* SPDX-License-Identifier: MIT */
/* Devices as all tools have them: the words of --device, which are "cpu", or a kind of device and its number, "cuda:1";
 * opening one, and the statuses to exit with. */
#ifndef TOOLS_COMMON_DEVICE_H
#define TOOLS_COMMON_DEVICE_H

#include "../../graphws.h"
#include "json.h"
#include "options.h"

/* How large a device's share of the work is cut. */
struct device_groups {
    uint64_t groups, size; /* 0: chosen */
};

enum { DEVICE_GROUPS_ROWS = 2 };
extern const struct option_row device_groups_row[DEVICE_GROUPS_ROWS]; /* groups, group-size */

/* The option that is given, without dashes; NULL: none. */
const char *device_groups_given(const struct device_groups *groups);

/* Refuses an option for devices (NULL: none is given) where device (NULL: none) is the CPU, or may turn out to be it:
 * the status to exit with, or -1. */
int device_option_check(const char *device, const char *given);

/* Refuses a size that is no power of two, where the kernels need one: the status to exit with, or -1. */
int device_groups_check(const struct device_groups *groups);

/* What "auto" is in tools that do not measure what is fastest. */
#define DEVICE_ABOUT_AUTO "the first CUDA device, or else the cpu"

/* Answers --device help: the CPU, "auto" with what it does (NULL: the tool has no such word), then every kind with why
 * one is off. The status to exit with. */
int device_name_help(const char *about_auto);

enum { DEVICE_ADDRESS = sizeof((struct gws_device_info *)0)->address };

/* What a list of such words says: the CPU's threads, a device beside them or alone. */
struct device_choice {
    bool cpu;
    bool automatic;               /* auto: neither of these yet */
    char address[DEVICE_ADDRESS]; /* as gws_device_open() takes it; empty: no device */
};

/* Reads a list such as "cpu,opencl:1" into choice, which is cleared; used: what a tool does with a device, for the
 * message that there can be one only. The status to exit with, or -1 when it is one. */
int device_choose(const char *devices, const char *used, struct device_choice *choice);

/* Writes the name of the first CUDA device that can be used, "auto" in tools that do not measure what is fastest, into
 * address (DEVICE_ADDRESS bytes); false when there is none. */
bool device_find_cuda(struct gws_runtime *runtime, char *address);

/* Opens the device of that name: -1, or the status to exit with after the mistake has been reported, which is one of
 * its own where the device is not there. */
int device_open(struct gws_runtime *runtime, const char *address, struct gws_device **device);

/* Reports what could not be done on a device, and answers the status to exit with: what it cannot do is misuse. */
int device_fail(gws_status status, const struct gws_diagnostic *where);

/* ---- what it took ---- */

/* Where the time of a run on a device went, from input in the host's memory to the result there: parts that add up, in
 * milliseconds, all by the host's monotonic clock. Building programs is apart from them: it happens once. */
struct device_times {
    double translate_ms; /* building programs: translating them, or loading what was translated before */
    double upload_ms;    /* the input to the device */
    double prepare_ms;   /* indexes and memory, and what else a call does around the other parts */
    double run_ms;       /* what the tool tells as a run's time */
    double fetch_ms;     /* the result to the host */
};

/* "clock     upload 3.1 ms, prepare 0.9 ms, WHAT 0.19 ms, fetch 0.31 ms: 4.5 ms together; programs built in 512 ms" */
void device_times_print(const struct device_times *times, const char *what, FILE *out);

/* Adds the object "times" to the one that is open. */
void device_times_json(const struct device_times *times, struct json *json);

#endif
