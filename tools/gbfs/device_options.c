/* SPDX-License-Identifier: MIT */
/* An option that would do nothing is refused rather than passed over: who gives it expects something of it. */
#include "device_options.h"

#include <string.h>

#include "../common/console.h"

#define FIELD(name) offsetof(struct device_settings, name)

const char *const device_steal_name[] = {"all", "cpu", "gpu", "none", NULL}; /* as enum gws_bfs_steal */
const char *const device_order_name[] = {"weakest", "seq_cst", NULL};        /* as enum gws_bfs_order */
static const char *const form_name[] = {"auto",    "device",        "shared",
                                        "handoff", "host-resident", NULL}; /* as enum gws_bfs_strategy */
static const char *const form_was[] = {"kept",    "shared (or device) --launch persistent",
                                       "levels",  "shared (or device) --launch per-level",
                                       "bridged", "handoff",
                                       "handed",  "handoff",
                                       NULL};
static const char *const launch_name[] = {"auto", "persistent", "per-level", NULL}; /* as enum gws_bfs_launch */
static const char *const placement_name[] = {"auto", "device", "host", NULL};       /* as enum gws_placement */

static const char *const fetch_name[] = {"both", "depth", "parent", "narrow", "nothing", NULL};
static const uint32_t fetch_parts[] = {GWS_BFS_DEPTH | GWS_BFS_PARENT, GWS_BFS_DEPTH, GWS_BFS_PARENT, GWS_BFS_NARROW,
                                       0};

const struct option_row device_row[DEVICE_ROWS] = {
    {TEXT("device", "LIST|auto|help", FIELD(devices),
          "what searches: cpu (the default), KIND[:N], or both, such as\n"
          "cpu,opencl:1; auto picks what is fastest for this graph; help\n"
          "lists the kinds, gdevices the devices")},
    {CHOICE("steal", "WHO", FIELD(steal), device_steal_name, "who may steal: all, cpu, gpu or none (default: all)")},
    {TEXT("gpu-threshold", "auto|N", FIELD(threshold),
          "the device joins levels of at least so many vertices\n(default: auto, workers x chunk)")},
    {CHOICE("order", "NAME", FIELD(order), device_order_name,
            "memory orders: weakest that will do, or seq_cst (default: weakest)")},
    {CHOICE("form", "NAME", FIELD(form), form_name,
            "who searches: device, or with the CPU shared (deques), handoff\n"
            "(of whole levels) or host-resident (default: auto, the best of them)"),
     .was = form_was},
    {CHOICE("launch", "HOW", FIELD(launch), launch_name,
            "how kernels start: persistent, one for all levels, or per-level\n(default: auto)")},
    {CHOICE("placement", "WHERE", FIELD(placement), placement_name,
            "where the arcs lie: device, or host, for both to read there\n(default: auto, the device if all fits)")},
    {BYTES("gpu-memory", "BYTES", FIELD(memory), 1, UINT64_MAX,
           "the most that the search may take on the device, such as 8G or 8Gi\n(default: all)")},
    {NUMBER("batch", "N", FIELD(batch), 2, 65536,
            "search from N sources in one call, for --device cuda alone\n(default: one after the other)")},
    {FLAG("no-index", FIELD(no_index), 1,
          "without what is made from the graph for speed: hubs, rows of meshes,\nthe reverse")},
    {CHOICE("fetch", "WHAT", FIELD(fetch), fetch_name,
            "what comes from a device after a search: both, depth, parent, narrow\n"
            "(depth in 8 or 16 bits) or nothing (default: both)")},
};

/* ---- what goes together ---- */

/* An option of which nothing comes without a device; NULL if none is given. */
static const char *given(const struct device_settings *settings)
{
    static const struct device_settings none = DEVICE_SETTINGS_NONE;
    const char *name = device_groups_given(&settings->groups);
    for (size_t i = 1; i < DEVICE_ROWS && !name; i++) { /* --device is the first */
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

/* The policies that devices have; those with thieves come first. */
static const char *const policies[] = {"chunked", "abp", "static", "cursor", "coarse"};
enum { THIEVES = 2, POLICIES = sizeof policies / sizeof *policies };

static uint32_t policy_number(const struct engine_settings *engine)
{
    uint32_t i = 0;
    while (engine->policy && i < POLICIES && strcmp(engine->policy, policies[i]) != 0) i++;
    return i;
}

static int check_policy(const struct device_settings *settings, const struct engine_settings *engine)
{
    uint32_t i = policy_number(engine);
    if (i == POLICIES)
        return console_usage("--policy: devices know chunked, abp, static, cursor and coarse, not %s", engine->policy);
    if (i >= THIEVES && settings->steal >= 0)
        return console_usage("--steal: with the policy %s nobody steals; with chunked and abp they do", policies[i]);
    if (settings->memory && settings->placement == GWS_PLACE_DEVICE)
        return console_usage("--gpu-memory: with --placement device all lies there, however much that is");
    if (engine->victim || engine->amount)
        return console_usage("--%s is for searches by the CPU's threads alone", engine->victim ? "victim" : "amount");
    return -1;
}

/* What needs the CPU's threads beside the device. */
static int check_both(const struct device_settings *settings, const struct engine_settings *engine)
{
    bool one_side = settings->steal == GWS_BFS_STEAL_CPU || settings->steal == GWS_BFS_STEAL_GPU;
    if (settings->form == GWS_BFS_SHARED || settings->form == GWS_BFS_HANDOFF)
        return console_usage("--form: %s has two sides; --device cpu,opencl has them", form_name[settings->form]);
    if (one_side) return console_usage("--steal: there is one side only, so all or none; --device cpu,opencl has two");
    if (engine->policy && strcmp(engine->policy, "coarse") == 0)
        return console_usage("--policy: coarse chooses between CPU and device, such as --device cpu,opencl");
    return -1;
}

/* Kernels that do not run whole searches search from one source after the other. */
static int check_batch(const struct device_settings *settings, const struct engine_settings *engine,
                       const struct device_choice *choice)
{
    static const char only[] = "searches in one call are by one kernel for all";
    const char *name = device_groups_given(&settings->groups);
    if (!settings->batch) return -1;
    if (choice->cpu || strncmp(choice->address, "cuda", 4) != 0)
        return console_usage("--batch: %s; --device cuda, alone, has them", only);
    if (settings->threshold) name = "gpu-threshold";
    if (settings->memory) name = "gpu-memory";
    if (settings->form > GWS_BFS_DEVICE) name = "form";
    if (settings->launch == GWS_BFS_PER_LEVEL) name = "launch";
    if (settings->fetch > 0) name = "fetch";
    if (settings->order == GWS_BFS_SEQ_CST) name = "order";
    if (settings->placement == GWS_PLACE_HOST) name = "placement";
    if (engine->chunk) name = "chunk";
    if (policy_number(engine) != 0 && strcmp(engine->policy, "static") != 0) name = "policy";
    return name ? console_usage("--batch: %s; this --%s is not for them", only, name) : -1;
}

/* What is picked may be the threads or a device: an option that one of them does not know would do nothing. */
static int check_auto(const struct device_settings *settings, const struct engine_settings *engine,
                      struct device_choice *choice)
{
    const char *name = given(settings);
    choice->cpu = choice->automatic = true;
    int status = device_option_check(settings->devices, name);
    if (status >= 0) return status;
    if (engine->policy && strcmp(engine->policy, "chunked") != 0)
        return console_usage("--policy: --device auto picks among searches with chunked, not %s", engine->policy);
    return check_policy(settings, engine);
}

int device_check(const struct device_settings *settings, const struct engine_settings *engine,
                 struct device_choice *choice)
{
    *choice = (struct device_choice){.cpu = !settings->devices};
    if (settings->devices && strcmp(settings->devices, "help") == 0)
        return device_name_help("what takes the least time for this graph");
    if (settings->devices && strcmp(settings->devices, "auto") == 0) return check_auto(settings, engine, choice);
    int status = settings->devices ? device_choose(settings->devices, "searched on", choice) : -1;
    if (status < 0) status = check_numbers(settings);
    if (status >= 0) return status;
    if (choice->address[0]) {
        status = check_policy(settings, engine);
        if (status < 0 && !choice->cpu) status = check_both(settings, engine);
        return status < 0 ? check_batch(settings, engine, choice) : status;
    }
    return device_option_check(settings->devices, given(settings));
}

struct gws_bfs_device_options device_options(const struct device_settings *settings,
                                             const struct engine_settings *engine, const struct device_choice *choice,
                                             enum gws_bfs_direction direction)
{
    enum gws_bfs_steal usual = policy_number(engine) < THIEVES ? GWS_BFS_STEAL_ALL : GWS_BFS_STEAL_NONE;
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
