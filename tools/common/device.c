/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "workers.h"

#define FIELD(name) offsetof(struct device_groups, name)

enum { MAX_DEVICES = 32 };

const struct option_row device_groups_row[DEVICE_GROUPS_ROWS] = {
    {NUMBER("groups", "N", FIELD(groups), 1, UINT32_MAX, "run N work-groups, each a worker (default: automatic)")},
    {NUMBER("group-size", "N", FIELD(size), 1, 1024,
            "run N work-items in each; for searches and octrees a power of two\n(default: automatic)")},
};

const char *device_groups_given(const struct device_groups *groups)
{
    return groups->groups ? "groups" : groups->size ? "group-size" : NULL;
}

int device_option_check(const char *device, const char *given)
{
    if (given && device && strcmp(device, "auto") == 0)
        return console_usage("--%s requires a device, and --device auto may select none", given);
    bool cpu = !device || strcmp(device, "cpu") == 0;
    return given && cpu ? console_usage("--%s requires a device, and --device names none", given) : -1;
}

int device_groups_check(const struct device_groups *groups)
{
    if ((groups->size & (groups->size - 1)) == 0) return -1;
    return console_usage("--group-size: expected a power of two, got %d", (int)groups->size);
}

int device_name_help(const char *about_auto)
{
    const char *name, *about, *off;
    printf("%-16s%s\n", "cpu", "the CPU's threads");
    if (about_auto) printf("%-16s%s\n", "auto", about_auto);
    for (uint32_t i = 0; (name = gws_device_kind_at(i, &about, &off)); i++)
        printf("%-16s%s%s%s%s\n", name, about, off ? " (unavailable: " : "", off ? off : "", off ? ")" : "");
    return console_finish();
}

static bool is_kind(const char *token, size_t length)
{
    const char *name;
    for (uint32_t i = 0; (name = gws_device_kind_at(i, NULL, NULL)); i++)
        if (strlen(name) == length && strncmp(name, token, length) == 0) return true;
    return false;
}

/* ---- parsing a list ---- */

static bool is_all(const char *address)
{
    const char *number = strchr(address, ':');
    return number && strcmp(number, ":all") == 0;
}

static int add_device(struct device_choices *list, const char *token)
{
    size_t kind = strcspn(token, ":");
    uint64_t number;
    if (!is_kind(token, kind))
        return console_usage("--device: unknown kind of device '%.*s'; --device help lists them", (int)kind, token);
    if (token[kind] && !is_all(token) && !options_number(token + kind + 1, 0, UINT32_MAX, &number))
        return console_usage("--device: expected a number after '%.*s:', got '%s'", (int)kind, token, token + kind + 1);
    if (list->count == DEVICE_CHOICES_MAX) return console_usage("--device: more than %d devices", DEVICE_CHOICES_MAX);
    snprintf(list->address[list->count++], DEVICE_ADDRESS, "%s", token);
    return -1;
}

/* Adds a number alone as another device of the kind before it. */
static int add_number(struct device_choices *list, const char *token)
{
    const char *last = list->address[list->count - 1];
    char address[2 * DEVICE_ADDRESS];
    snprintf(address, sizeof address, "%.*s:%s", (int)strcspn(last, ":"), last, token);
    if (strlen(address) >= DEVICE_ADDRESS) return console_usage("--device: unknown device '%s'", token);
    return add_device(list, address);
}

static int add_token(struct device_choices *list, const char *token)
{
    uint64_t number;
    bool is_number = list->count > 0 && options_number(token, 0, UINT32_MAX, &number);
    if (is_number && strchr(list->address[list->count - 1], ':')) return add_number(list, token);
    if (strcmp(token, "cpu") != 0) return add_device(list, token);
    if (list->cpu) return console_usage("--device: cpu is named twice");
    list->cpu = true;
    return -1;
}

int device_choices_parse(const char *devices, struct device_choices *list)
{
    for (const char *token = devices;;) {
        size_t length = strcspn(token, ",");
        char copy[DEVICE_ADDRESS];
        if (length >= sizeof copy) return console_usage("--device: unknown device '%.*s'", (int)length, token);
        memcpy(copy, token, length);
        copy[length] = '\0';
        int status = add_token(list, copy);
        if (status >= 0 || !token[length]) return status;
        token += length + 1;
    }
}

int device_choose(const char *devices, const char *used, struct device_choice *choice)
{
    struct device_choices list = {.count = 0};
    int status = device_choices_parse(devices, &list);
    if (status >= 0) return status;
    if (list.count > 1)
        return console_usage("--device: only one device can be %s, not both %s and %s", used, list.address[0],
                             list.address[1]);
    if (is_all(list.address[0])) return console_usage("--device: only one device can be %s", used);
    choice->cpu = list.cpu;
    memcpy(choice->address, list.address[0], sizeof choice->address);
    return -1;
}

static int add_all(struct device_choices *list, const char *address, const struct gws_device_info *info, uint32_t count)
{
    const size_t kind = strcspn(address, ":") + 1; /* with the colon */
    const uint32_t before = list->count;
    for (uint32_t i = 0; i < count; i++) {
        if (info[i].unusable[0] || strncmp(info[i].address, address, kind) != 0) continue;
        int status = add_device(list, info[i].address);
        if (status >= 0) return status;
    }
    if (list->count > before) return -1;
    (void)console_fail("no device %s", address);
    return TOOL_NO_DEVICE;
}

int device_choices_resolve(struct gws_runtime *runtime, struct device_choices *list)
{
    const struct device_choices given = *list;
    struct gws_device_info *info = calloc(MAX_DEVICES, sizeof *info);
    uint32_t count = 0;
    int status = -1;
    if (!info) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    for (uint32_t i = 0; i < given.count && count == 0; i++)
        if (is_all(given.address[i])) gws_device_list(runtime, info, MAX_DEVICES, &count);
    if (count > MAX_DEVICES) count = MAX_DEVICES;
    list->count = 0;
    for (uint32_t i = 0; i < given.count && status < 0; i++)
        status = is_all(given.address[i]) ? add_all(list, given.address[i], info, count)
                                          : add_device(list, given.address[i]);
    free(info);
    return status;
}

/* ---- opening ---- */

bool device_find_cuda(struct gws_runtime *runtime, char *address)
{
    struct gws_device_info *info = calloc(MAX_DEVICES, sizeof *info);
    uint32_t count = 0;
    bool found = false;
    if (!info) return false;
    gws_device_list(runtime, info, MAX_DEVICES, &count);
    for (uint32_t i = 0; i < count && i < MAX_DEVICES && !found; i++) {
        found = info[i].api == GWS_DEVICE_CUDA && !info[i].unusable[0];
        if (found) memcpy(address, info[i].address, DEVICE_ADDRESS);
    }
    free(info);
    return found;
}

uint32_t device_shares(const struct device_choices *list, uint32_t i)
{
    uint32_t shares = 0;
    for (uint32_t k = 0; k < list->count; k++) shares += strcmp(list->address[k], list->address[i]) == 0;
    return shares;
}

int device_open(struct gws_runtime *runtime, const char *address, uint32_t shares, struct gws_device **device)
{
    const struct gws_device_options options = {.shares = shares};
    struct gws_diagnostic where = {0};
    gws_status status = gws_device_open(runtime, address, &options, device, &where);
    if (status == GWS_OK) return -1;
    const char *why = where.message[0] ? where.message : gws_status_text(status);
    bool named = strncmp(why, address, strlen(address)) == 0; /* most messages already begin with the address */
    int failure = named ? console_fail("no device %s", why) : console_fail("no device %s: %s", address, why);
    return status == GWS_NO_MEMORY ? failure : TOOL_NO_DEVICE;
}

int device_fail(gws_status status, const struct gws_diagnostic *where)
{
    int failure = console_fail_at(status, where);
    return status == GWS_INVALID || status == GWS_UNSUPPORTED ? TOOL_MISUSED : failure;
}

/* ---- times ---- */

static double total_ms(const struct device_times *times)
{
    return times->upload_ms + times->prepare_ms + times->run_ms + times->fetch_ms;
}

void device_times_print(const struct device_times *times, const char *what, FILE *out)
{
    char text[6][CONSOLE_NUMBER];
    fprintf(out, "clock     upload %s, prepare %s, %s %s, fetch %s: %s together; programs built in %s\n",
            console_time(times->upload_ms, text[0]), console_time(times->prepare_ms, text[1]), what,
            console_time(times->run_ms, text[2]), console_time(times->fetch_ms, text[3]),
            console_time(total_ms(times), text[4]), console_time(times->translate_ms, text[5]));
}

void device_times_json(const struct device_times *times, struct json *json)
{
    json_open(json, "times", '{');
    json_number(json, "translate_ms", times->translate_ms);
    json_number(json, "upload_ms", times->upload_ms);
    json_number(json, "prepare_ms", times->prepare_ms);
    json_number(json, "ms", times->run_ms);
    json_number(json, "fetch_ms", times->fetch_ms);
    json_number(json, "total_ms", total_ms(times));
    json_text(json, "clock", "host, monotonic, around calls");
    json_close(json, '}');
}

void device_print_links(struct gws_device *const *device, uint32_t count, FILE *out)
{
    uint32_t peers = 0;
    for (uint32_t d = 0; d < count; d++)
        for (uint32_t other = 0; other < d; other++)
            peers += gws_device_peer(gws_device_describe(device[d]), gws_device_describe(device[other])).access;
    fprintf(out, "links     pairs of devices: %" PRIu32 " by peer memory\n", peers);
}

/* ---- statistics of a hybrid run ---- */

void hybrid_stats_add(struct hybrid_stats *sum, const struct hybrid_stats *run)
{
    gws_side_add(&sum->cpu, &run->cpu);
    gws_side_add(&sum->device, &run->device);
    sum->launches += run->launches;
    sum->handed_off += run->handed_off;
}

static void print_side(const char *name, const struct gws_side_stats *side, uint64_t tasks, FILE *out)
{
    char ran[CONSOLE_NUMBER], stolen[CONSOLE_NUMBER], steals[CONSOLE_NUMBER];
    fprintf(out, "%-10s%s tasks, %.1f %% of all; %s of them stolen in %s steal%s\n", name,
            console_count(side->run, ran), workers_share(side->run, tasks),
            console_count(gws_side_stolen(side), stolen), console_count(side->steals, steals),
            side->steals == 1 ? "" : "s");
}

void hybrid_stats_print(const struct hybrid_stats *stats, const char *what, FILE *out)
{
    char handed_off[CONSOLE_NUMBER], launches[CONSOLE_NUMBER];
    uint64_t tasks = stats->cpu.run + stats->device.run;
    print_side("threads", &stats->cpu, tasks, out);
    print_side("groups", &stats->device, tasks, out);
    if (stats->launches > 0)
        fprintf(out, "handoff   %s %s to the device in %s launch%s\n", console_count(stats->handed_off, handed_off),
                what, console_count(stats->launches, launches), stats->launches == 1 ? "" : "es");
}

#define OF_SIDE(name, key)                                                                                             \
    {                                                                                                                  \
        JSON_FIELD(struct gws_side_stats, name, key)                                                                   \
    }
static const struct json_field side_field[] = {OF_SIDE(made, "made"),
                                               OF_SIDE(run, "tasks"),
                                               OF_SIDE(stolen_from_cpu, "stolen_from_cpu"),
                                               OF_SIDE(stolen_from_device, "stolen_from_device"),
                                               OF_SIDE(steals, "steals"),
                                               OF_SIDE(failed, "failed_steals"),
                                               OF_SIDE(busy_ms, "busy_ms")};

static void side_json(const struct gws_side_stats *side, const char *device, struct json *json)
{
    json_open(json, NULL, '{');
    json_text(json, "device", device);
    json_count(json, "stolen", gws_side_stolen(side));
    json_fields(json, (struct json_table)JSON_TABLE(side_field), side);
    json_close(json, '}');
}

void hybrid_stats_json(const struct hybrid_stats *stats, bool cpu, const char *device, struct json *json)
{
    json_open(json, "by_device", '[');
    if (cpu) side_json(&stats->cpu, "cpu", json);
    if (device) side_json(&stats->device, device, json);
    json_close(json, ']');
}
