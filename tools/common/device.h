/* SPDX-License-Identifier: MIT */
/* Devices in all tools: parsing --device, opening a device, exit statuses, times and statistics. A token of --device is
 * "cpu", or a kind of device with an optional number, such as "cuda:1". */
#ifndef TOOLS_COMMON_DEVICE_H
#define TOOLS_COMMON_DEVICE_H

#include "../../graphws.h"
#include "../../lib/hetero.h"
#include "json.h"
#include "options.h"

/* Launch geometry. */
struct device_groups {
    uint64_t groups, size; /* number of work-groups, and work-items in each; 0: chosen automatically */
};

enum { DEVICE_GROUPS_ROWS = 2 };
extern const struct option_row device_groups_row[DEVICE_GROUPS_ROWS]; /* groups, group-size */

/* Returns the name, without dashes, of the option that was given; NULL: none. */
const char *device_groups_given(const struct device_groups *groups);

/* Refuses the device option `given` (NULL: none) if device (NULL: none) is the CPU or may resolve to it. Returns -1, or
 * the exit status. */
int device_option_check(const char *device, const char *given);

/* Refuses a group size that is not a power of two, which the kernels need. Returns -1, or the exit status. */
int device_groups_check(const struct device_groups *groups);

/* The meaning of "auto" in tools that do not measure which device is fastest. */
#define DEVICE_ABOUT_AUTO "the first CUDA device, or else the cpu"

/* Prints the answer to --device help: the CPU, "auto" with its meaning (NULL: the tool has no "auto"), then every kind
 * and, if it is unavailable, the reason. Returns the exit status. */
int device_name_help(const char *about_auto);

enum { DEVICE_ADDRESS = sizeof((struct gws_device_info *)0)->address };

/* A parsed --device list: the CPU's threads, a device, or both. */
struct device_choice {
    bool cpu;
    bool automatic;               /* auto: not resolved yet */
    char address[DEVICE_ADDRESS]; /* for gws_device_open(); empty: no device */
};

/* Parses a list such as "cpu,opencl:1" into choice, which must be zero. used: a participle such as "searched on" for
 * the message that only one device is allowed. Returns -1, or the exit status. */
int device_choose(const char *devices, const char *used, struct device_choice *choice);

/* A parsed --device list that may name several devices, such as "cpu,cuda:0,1" or "opencl:all". */
enum { DEVICE_CHOICES_MAX = 16 };
struct device_choices {
    bool cpu;
    uint32_t count;
    char address[DEVICE_CHOICES_MAX][DEVICE_ADDRESS]; /* for gws_device_open(), or KIND:all */
};

/* Parses a list into list, which must be zero. A number alone names another device of the kind before it. Returns -1,
 * or the exit status. */
int device_choices_parse(const char *devices, struct device_choices *list);

/* Replaces KIND:all by the usable devices of that kind. Returns -1, or the exit status: TOOL_NO_DEVICE if there are
 * none. */
int device_choices_resolve(struct gws_runtime *runtime, struct device_choices *list);

/* Writes the address of the first usable CUDA device into address (DEVICE_ADDRESS bytes). Returns false if there is
 * none. Tools that do not measure resolve "auto" this way. */
bool device_find_cuda(struct gws_runtime *runtime, char *address);

/* Returns how often a resolved list has the device of entry i, whose parts share it. */
uint32_t device_shares(const struct device_choices *list, uint32_t i);

/* Opens the device for this number of shares. Returns -1, or the exit status after reporting the error: TOOL_NO_DEVICE
 * if the device does not exist. */
int device_open(struct gws_runtime *runtime, const char *address, uint32_t shares, struct gws_device **device);

/* Reports a failed operation on a device and returns the exit status. An unsupported operation is misuse. */
int device_fail(gws_status status, const struct gws_diagnostic *where);

/* ---- times ---- */

/* The time of a run on a device, from input in host memory to result in host memory. The sum of the parts is the total
 * time. All times are in milliseconds of the host's monotonic clock. The tool builds programs once; this time is not in
 * the total. */
struct device_times {
    double translate_ms; /* compiling programs, or loading them from the cache */
    double upload_ms;    /* copying the input to the device */
    double prepare_ms;   /* indexes, memory, and the rest of the call outside the other parts */
    double run_ms;       /* the run time that the tool reports */
    double fetch_ms;     /* copying the result to the host */
};

/* Prints "clock upload 3.1 ms, prepare 0.9 ms, WHAT 0.19 ms, fetch 0.31 ms: 4.5 ms together; programs built in 512
 * ms" */
void device_times_print(const struct device_times *times, const char *what, FILE *out);

/* Adds the object "times" to the open object. */
void device_times_json(const struct device_times *times, struct json *json);

/* Prints how many pairs of devices address each other's memory. */
void device_print_links(struct gws_device *const *device, uint32_t count, FILE *out);

/* ---- statistics of a hybrid run ---- */

/* The work of the CPU's threads and of a device in one run. */
struct hybrid_stats {
    struct gws_side_stats cpu, device;
    uint64_t launches, handed_off; /* batches handed off to the device, and their tasks */
};

/* Adds the counts of one run to a sum. */
void hybrid_stats_add(struct hybrid_stats *sum, const struct hybrid_stats *run);

/* Prints the lines "threads" and "groups", and "handoff" if batches were handed off. what: the tasks, such as
 * "octants". */
void hybrid_stats_print(const struct hybrid_stats *stats, const char *what, FILE *out);

/* Adds the list "by_device": the CPU if cpu is true, then the device unless it is NULL. */
void hybrid_stats_json(const struct hybrid_stats *stats, bool cpu, const char *device, struct json *json);

#endif
