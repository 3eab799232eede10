/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"

#define FIELD(name) offsetof(struct device_groups, name)

enum { MOST_DEVICES = 32 };

const struct option_row device_groups_row[DEVICE_GROUPS_ROWS] = {
    {NUMBER("groups", "N", FIELD(groups), 1, UINT32_MAX, "work-groups, each of them a worker (default: chosen)")},
    {NUMBER("group-size", "N", FIELD(size), 1, 1024,
            "work-items in each; for searches and octrees a power of two\n(default: chosen)")},
};

const char *device_groups_given(const struct device_groups *groups)
{
    return groups->groups ? "groups" : groups->size ? "group-size" : NULL;
}

int device_option_check(const char *device, const char *given)
{
    if (given && device && strcmp(device, "auto") == 0)
        return console_usage("--%s is for devices, and --device auto may pick none", given);
    bool cpu = !device || strcmp(device, "cpu") == 0;
    return given && cpu ? console_usage("--%s is for devices, and --device names none", given) : -1;
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
        printf("%-16s%s%s%s%s\n", name, about, off ? " (not here: " : "", off ? off : "", off ? ")" : "");
    return console_finish();
}

static bool is_kind(const char *word, size_t length)
{
    const char *name;
    for (uint32_t i = 0; (name = gws_device_kind_at(i, NULL, NULL)); i++)
        if (strlen(name) == length && strncmp(name, word, length) == 0) return true;
    return false;
}

/* ---- a list ---- */

static int choose_device(struct device_choice *choice, const char *word, const char *used)
{
    size_t kind = strcspn(word, ":");
    uint64_t number;
    if (!is_kind(word, kind))
        return console_usage("--device: no kind of device '%.*s'; --device help lists them", (int)kind, word);
    if (word[kind] && !options_number(word + kind + 1, 0, UINT32_MAX, &number))
        return console_usage("--device: expected a number after '%.*s:', got '%s'", (int)kind, word, word + kind + 1);
    if (choice->address[0])
        return console_usage("--device: one device can be %s, not both %s and %s", used, choice->address, word);
    snprintf(choice->address, sizeof choice->address, "%s", word);
    return -1;
}

static int choose_word(struct device_choice *choice, const char *word, const char *used)
{
    if (strcmp(word, "cpu") != 0) return choose_device(choice, word, used);
    if (choice->cpu) return console_usage("--device: cpu is named twice");
    choice->cpu = true;
    return -1;
}

int device_choose(const char *devices, const char *used, struct device_choice *choice)
{
    for (const char *word = devices;;) {
        size_t length = strcspn(word, ",");
        char copy[sizeof choice->address];
        if (length >= sizeof copy) return console_usage("--device: no device is called '%.*s'", (int)length, word);
        memcpy(copy, word, length);
        copy[length] = '\0';
        int status = choose_word(choice, copy, used);
        if (status >= 0 || !word[length]) return status;
        word += length + 1;
    }
}

/* ---- opening ---- */

bool device_find_cuda(struct gws_runtime *runtime, char *address)
{
    struct gws_device_info *info = calloc(MOST_DEVICES, sizeof *info);
    uint32_t count = 0;
    bool found = false;
    if (!info) return false;
    gws_device_list(runtime, info, MOST_DEVICES, &count);
    for (uint32_t i = 0; i < count && i < MOST_DEVICES && !found; i++) {
        found = info[i].api == GWS_DEVICE_CUDA && !info[i].unusable[0];
        if (found) memcpy(address, info[i].address, DEVICE_ADDRESS);
    }
    free(info);
    return found;
}

int device_open(struct gws_runtime *runtime, const char *address, struct gws_device **device)
{
    struct gws_diagnostic where = {0};
    gws_status status = gws_device_open(runtime, address, NULL, device, &where);
    if (status == GWS_OK) return -1;
    const char *why = where.message[0] ? where.message : gws_status_text(status);
    bool named = strncmp(why, address, strlen(address)) == 0; /* most messages begin so */
    int failure = named ? console_fail("no device %s", why) : console_fail("no device %s: %s", address, why);
    return status == GWS_NO_MEMORY ? failure : TOOL_NO_DEVICE;
}

int device_fail(gws_status status, const struct gws_diagnostic *where)
{
    int failure = console_fail_at(status, where);
    return status == GWS_INVALID || status == GWS_UNSUPPORTED ? TOOL_MISUSED : failure;
}

/* ---- what it took ---- */

static double together(const struct device_times *times)
{
    return times->upload_ms + times->prepare_ms + times->run_ms + times->fetch_ms;
}

void device_times_print(const struct device_times *times, const char *what, FILE *out)
{
    char text[6][CONSOLE_NUMBER];
    fprintf(out, "clock     upload %s, prepare %s, %s %s, fetch %s: %s together; programs built in %s\n",
            console_time(times->upload_ms, text[0]), console_time(times->prepare_ms, text[1]), what,
            console_time(times->run_ms, text[2]), console_time(times->fetch_ms, text[3]),
            console_time(together(times), text[4]), console_time(times->translate_ms, text[5]));
}

void device_times_json(const struct device_times *times, struct json *json)
{
    json_open(json, "times", '{');
    json_number(json, "translate_ms", times->translate_ms);
    json_number(json, "upload_ms", times->upload_ms);
    json_number(json, "prepare_ms", times->prepare_ms);
    json_number(json, "ms", times->run_ms);
    json_number(json, "fetch_ms", times->fetch_ms);
    json_number(json, "total_ms", together(times));
    json_text(json, "clock", "host, monotonic, around calls");
    json_close(json, '}');
}
