/* SPDX-License-Identifier: MIT */
/* Options of searches on a device. The tool refuses an option without effect rather than ignore it, because the user
 * expects an effect. */
#include "device.h"

#include <string.h>

#include "../common/console.h"

#define FIELD(name) offsetof(struct device_settings, name)

const char *const device_steal_name[] = {"all", "cpu", "gpu", "none", NULL}; /* indexed by enum gws_bfs_steal */
const char *const device_order_name[] = {"weakest", "seq_cst", NULL};        /* indexed by enum gws_bfs_order */
static const char *const form_name[] = {"auto",    "device",        "shared",
                                        "handoff", "host-resident", NULL}; /* indexed by enum gws_bfs_strategy */
/* Former values, which the tool refuses, and their present options. */
static const char *const form_renamed[] = {"kept",    "shared (or device) --launch persistent",
                                           "levels",  "shared (or device) --launch per-level",
                                           "bridged", "handoff",
                                           "handed",  "handoff",
                                           NULL};
static const char *const launch_name[] = {"auto", "persistent", "per-level", NULL}; /* indexed by enum gws_bfs_launch */
static const char *const placement_name[] = {"auto", "device", "host", NULL};       /* indexed by enum gws_placement */

static const char *const fetch_name[] = {"both", "depth", "parent", "narrow", "nothing", NULL};
static const uint32_t fetch_parts[] = {GWS_BFS_DEPTH | GWS_BFS_PARENT, GWS_BFS_DEPTH, GWS_BFS_PARENT, GWS_BFS_NARROW,
                                       0};

const struct option_row device_row[DEVICE_ROWS] = {
    {TEXT("device", "LIST|auto|help", FIELD(devices),
          "search on cpu (the default), KIND[:N], both, such as cpu,opencl:1,\n"
          "or several, such as cuda:0,1 or cuda:all, among which the graph is\n"
          "parted; auto selects the fastest for this graph; help lists the\n"
          "kinds, gdevices the devices")},
    {CHOICE("steal", "WHO", FIELD(steal), device_steal_name, "let all, cpu, gpu or none steal (default: all)")},
    {TEXT("gpu-threshold", "auto|N", FIELD(threshold),
          "use the device for levels of at least N vertices\n(default: auto, workers x chunk)")},
    {CHOICE("order", "NAME", FIELD(order), device_order_name,
            "use the weakest correct memory orders, or seq_cst (default: weakest)")},
    {CHOICE("form", "NAME", FIELD(form), form_name,
            "search on the device alone, or with the CPU: shared (deques), handoff\n"
            "(whole levels) or host-resident (default: auto, the best of them)"),
     .renamed = form_renamed},
    {CHOICE("launch", "HOW", FIELD(launch), launch_name,
            "launch a persistent kernel, one for all levels, or one per-level\n(default: auto)")},
    {CHOICE(
        "placement", "WHERE", FIELD(placement), placement_name,
        "keep the arcs on the device, or on the host, where both read them\n(default: auto, the device if all fits)")},
    {BYTES("gpu-memory", "BYTES", FIELD(memory), 1, UINT64_MAX,
           "limit the search's memory on the device, such as 8G or 8Gi\n(default: all)")},
    {NUMBER("batch", "N", FIELD(batch), 2, 65536,
            "search from N sources in one call, for --device cuda alone\n(default: one after the other)")},
    {FLAG("no-index", FIELD(no_index), 1,
          "build no indexes of the graph for speed: hubs, rows of meshes,\nthe reverse")},
    {CHOICE("fetch", "WHAT", FIELD(fetch), fetch_name,
            "copy from the device after a search: both, depth, parent, narrow\n"
            "(depth in 8 or 16 bits) or nothing (default: both)")},
};

/* ---- checks ---- */

/* Returns an option that needs a device, or NULL if none is given. */
static const char *given(const struct device_settings *settings)
{
    static const struct device_settings none = DEVICE_SETTINGS_NONE;
    const char *name = device_groups_given(&settings->groups);
    for (size_t i = 1; i < DEVICE_ROWS && !name; i++) { /* row 0 is --device */
        const enum option_kind kind = device_row[i].kind;
        const size_t at = device_row[i].field, number = kind == OPTION_NUMBER || kind == OPTION_BYTES;
        const size_t bytes = number ? sizeof(uint64_t) : kind == OPTION_TEXT ? sizeof(char *) : sizeof(int);
        if (memcmp((const char *)settings + at, (const char *)&none + at, bytes) != 0) name = device_row[i].name;
    }
    return name;
}

static int check_numbers(const struct device_settings *settings)
{
    uint64_t number;
    int status = device_groups_check(&settings->groups);
    if (status >= 0 || !settings->threshold || strcmp(settings->threshold, "auto") == 0) return status;
    if (options_number(settings->threshold, 1, UINT64_MAX, &number)) return -1;
    return console_usage("--gpu-threshold: expected auto or a whole number from 1 on, got '%s'", settings->threshold);
}

/* The policies that devices support; the policies with thieves come first. */
static const char *const policies[] = {"chunked", "abp", "static", "cursor", "coarse"};
enum { THIEVES = 2, POLICIES = sizeof policies / sizeof *policies };

static uint32_t policy_number(const struct runtime_options *options)
{
    uint32_t i = 0;
    while (options->policy && i < POLICIES && strcmp(options->policy, policies[i]) != 0) i++;
    return i;
}

static int check_policy(const struct device_settings *settings, const struct runtime_options *options)
{
    uint32_t i = policy_number(options);
    if (i == POLICIES)
        return console_usage("--policy: devices support chunked, abp, static, cursor and coarse, not %s",
                             options->policy);
    if (i >= THIEVES && settings->steal >= 0)
        return console_usage("--steal: the policy %s does not steal; chunked and abp do", policies[i]);
    if (settings->memory && settings->placement == GWS_PLACE_DEVICE)
        return console_usage("--gpu-memory has no effect with --placement device, which keeps everything there");
    if (options->victim || options->amount)
        return console_usage("--%s requires --device cpu: only the CPU's threads support it",
                             options->victim ? "victim" : "amount");
    return -1;
}

/* Refuses options that need the CPU's threads beside the device. */
static int check_both(const struct device_settings *settings, const struct runtime_options *options)
{
    bool one_side = settings->steal == GWS_BFS_STEAL_CPU || settings->steal == GWS_BFS_STEAL_GPU;
    if (settings->form == GWS_BFS_SHARED || settings->form == GWS_BFS_HANDOFF)
        return console_usage("--form: %s needs the threads and a device, such as --device cpu,opencl",
                             form_name[settings->form]);
    if (one_side) return console_usage("--steal: a device alone allows all or none; --device cpu,opencl has two sides");
    if (options->policy && strcmp(options->policy, "coarse") == 0)
        return console_usage("--policy: coarse chooses between CPU and device, such as --device cpu,opencl");
    return -1;
}

/* Refuses batches with kernels that run single levels, because these kernels search from one source after the other. */
static int check_batch(const struct device_settings *settings, const struct runtime_options *options,
                       const struct device_choice *choice)
{
    static const char only[] = "batches need a kernel that runs whole searches";
    const char *name = device_groups_given(&settings->groups);
    if (!settings->batch) return -1;
    if (choice->cpu || strncmp(choice->address, "cuda", 4) != 0)
        return console_usage("--batch: %s; only --device cuda, without cpu, has one", only);
    if (settings->threshold) name = "gpu-threshold";
    if (settings->memory) name = "gpu-memory";
    if (settings->form > GWS_BFS_DEVICE) name = "form";
    if (settings->launch == GWS_BFS_PER_LEVEL) name = "launch";
    if (settings->fetch > 0) name = "fetch";
    if (settings->order == GWS_BFS_SEQ_CST) name = "order";
    if (settings->placement == GWS_PLACE_HOST) name = "placement";
    if (options->chunk) name = "chunk";
    if (policy_number(options) != 0 && strcmp(options->policy, "static") != 0) name = "policy";
    return name ? console_usage("--batch: %s, which this --%s excludes", only, name) : -1;
}

/* auto may select the threads or a device, so it refuses an option that either does not support. */
static int check_auto(const struct device_settings *settings, const struct runtime_options *options,
                      struct device_choice *choice)
{
    const char *name = given(settings);
    choice->cpu = choice->automatic = true;
    int status = device_option_check(settings->devices, name);
    if (status >= 0) return status;
    if (options->policy && strcmp(options->policy, "chunked") != 0)
        return console_usage("--policy: --device auto supports chunked, not %s", options->policy);
    return check_policy(settings, options);
}

/* Refuses options that searches of a parted graph lack. */
static int check_several(const struct device_settings *settings, const struct runtime_options *options,
                         const struct device_choices *list)
{
    struct device_settings rest = *settings;
    rest.no_index = 0;
    rest.fetch = -1;
    const char *name = given(&rest);
    if (options->chunk) name = "chunk";
    if (options->policy && strcmp(options->policy, "chunked") != 0) name = "policy";
    if (options->victim) name = "victim";
    if (options->amount) name = "amount";
    if (list->cpu) return console_usage("--device: several devices search without cpu");
    if (list->count > GWS_BFS_DEVICES) return console_usage("--device: more than %d devices", GWS_BFS_DEVICES);
    return name ? console_usage("--%s is not supported with several devices", name) : -1;
}

int device_check(const struct device_settings *settings, const struct runtime_options *options,
                 struct device_choice *choice, struct device_choices *list)
{
    *choice = (struct device_choice){.cpu = !settings->devices};
    if (settings->devices && strcmp(settings->devices, "help") == 0)
        return device_name_help("the fastest for this graph");
    if (settings->devices && strcmp(settings->devices, "auto") == 0) return check_auto(settings, options, choice);
    int status = settings->devices ? device_choices_parse(settings->devices, list) : -1;
    if (status < 0) status = check_numbers(settings);
    if (status >= 0) return status;
    const bool several = list->count > 1 || strstr(list->address[0], ":all");
    choice->cpu = !settings->devices || list->cpu;
    memcpy(choice->address, list->address[0], sizeof choice->address);
    if (several) return check_several(settings, options, list);
    list->count = 0;
    if (choice->address[0]) {
        status = check_policy(settings, options);
        if (status < 0 && !choice->cpu) status = check_both(settings, options);
        return status < 0 ? check_batch(settings, options, choice) : status;
    }
    return device_option_check(settings->devices, given(settings));
}

struct gws_bfs_device_options device_options(const struct device_settings *settings,
                                             const struct runtime_options *options, const struct device_choice *choice,
                                             enum gws_bfs_direction direction)
{
    enum gws_bfs_steal usual = policy_number(options) < THIEVES ? GWS_BFS_STEAL_ALL : GWS_BFS_STEAL_NONE;
    uint64_t threshold = 0;
    if (settings->threshold) options_number(settings->threshold, 1, UINT64_MAX, &threshold);
    return (struct gws_bfs_device_options){
        .cpu = choice->cpu,
        .groups = (uint32_t)settings->groups.groups,
        .group_size = (uint32_t)settings->groups.size,
        .threshold = threshold,
        .steal = settings->steal < 0 ? usual : (enum gws_bfs_steal)settings->steal,
        .order = settings->order < 0 ? GWS_BFS_WEAKEST : (enum gws_bfs_order)settings->order,
        .strategy = settings->form < 0 ? GWS_BFS_STRATEGY_AUTO : (enum gws_bfs_strategy)settings->form,
        .launch = settings->launch < 0 ? GWS_BFS_LAUNCH_AUTO : (enum gws_bfs_launch)settings->launch,
        .direction = direction,
    };
}

struct gws_device_graph_options device_graph_options(const struct device_settings *settings)
{
    enum gws_placement usual = settings->form == GWS_BFS_HOST_RESIDENT ? GWS_PLACE_HOST : GWS_PLACE_AUTO;
    return (struct gws_device_graph_options){
        .placement = settings->placement < 0 ? usual : (enum gws_placement)settings->placement,
        .memory = settings->memory,
        .without = settings->no_index ? GWS_INDEX_ALL : 0};
}

uint32_t device_parts(const struct device_settings *settings)
{
    return fetch_parts[settings->fetch < 0 ? 0 : settings->fetch];
}
