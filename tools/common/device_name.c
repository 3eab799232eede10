/* SPDX-License-Identifier: MIT */
#include "device_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../graphws.h"
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
