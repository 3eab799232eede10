/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "options.h"

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

int device_name_check(const char *word)
{
    size_t kind = strcspn(word, ":");
    uint64_t number;
    if (!is_kind(word, kind))
        return console_usage("--device: no kind of device '%.*s'; --device help lists them", (int)kind, word);
    if (word[kind] && !options_number(word + kind + 1, 0, UINT32_MAX, &number))
        return console_usage("--device: expected a number after '%.*s:', got '%s'", (int)kind, word, word + kind + 1);
    return -1;
}

int device_open(struct gws_runtime *runtime, const char *address, struct gws_device **device)
{
    struct gws_where where = {0};
    gws_status status = gws_device_open(runtime, address, NULL, device, &where);
    if (status == GWS_OK) return -1;
    int failure = console_fail("no device %s: %s", address, where.message[0] ? where.message : gws_status_text(status));
    return status == GWS_NO_MEMORY ? failure : TOOL_NO_DEVICE;
}

int device_fail(gws_status status, const struct gws_where *where)
{
    int failure = console_fail_at(status, where);
    return status == GWS_INVALID || status == GWS_UNSUPPORTED ? TOOL_MISUSED : failure;
}
