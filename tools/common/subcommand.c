/* SPDX-License-Identifier: MIT */
#include "subcommand.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../graphws.h"
#include "console.h"

enum { MAX_GROUPS = 32, MAX_ABOUT = 2048, MAX_SYNOPSIS = 64, NAME_WIDTH = 14 };

/* Adds the option groups of a subcommand. state: the struct with their fields; NULL if the groups are only for
 * --help. */
static uint32_t add_groups(struct option_group *group, const struct subcommand *command, void *state)
{
    for (uint32_t i = 0; i < command->groups; i++) {
        const struct subcommand_rows *rows = &command->group[i];
        void *settings = state ? (char *)state + rows->offset : NULL;
        group[i] = (struct option_group){i ? NULL : command->name, rows->row, rows->rows, settings};
    }
    return command->groups;
}

static const struct subcommand *named(const struct subcommand_tool *tool, const char *name)
{
    for (uint32_t i = 0; tool->table[i]; i++)
        if (strcmp(tool->table[i]->name, name) == 0) return tool->table[i];
    return NULL;
}

/* Writes the lines of --help that list the subcommands into text (MAX_ABOUT bytes). */
static char *list_all(const struct subcommand_tool *tool, char *text)
{
    snprintf(text, MAX_ABOUT, "%s", tool->about);
    for (uint32_t i = 0; tool->table[i]; i++) {
        size_t used = strlen(text);
        snprintf(text + used, MAX_ABOUT - used, "\n  %-*s%s", NAME_WIDTH, tool->table[i]->name, tool->table[i]->about);
    }
    return text;
}

int subcommand_refuse_none(const struct subcommand_tool *tool)
{
    char list[512];
    snprintf(list, sizeof list, "%s", tool->also ? tool->also : "");
    for (uint32_t i = 0; tool->table[i]; i++) {
        size_t used = strlen(list);
        const char *between = used == 0 ? "" : tool->table[i + 1] ? ", " : " or ";
        snprintf(list + used, sizeof list - used, "%s%s", between, tool->table[i]->name);
    }
    return console_usage("expected %s %s first: %s", strchr("AEIOU", tool->kind[0]) ? "an" : "a", tool->kind, list);
}

static int check_operands(const struct subcommand_tool *tool, const struct subcommand *command, int count,
                          char **operand)
{
    if (!command) return -1;
    const int max = tool->operand ? 1 : 0;
    if (count > max && !max) return console_usage("expected options only, got '%s' too", operand[0]);
    if (count > max) return console_usage("expected one %s, got '%s' too", tool->operand, operand[max]);
    return -1;
}

static int parse_options(const struct subcommand_tool *tool, int argc, char **argv, struct subcommand_call *call)
{
    char about[MAX_ABOUT], synopsis[MAX_SYNOPSIS];
    const struct subcommand *command = call->command;
    struct option_group group[MAX_GROUPS];
    uint32_t groups = 0;
    bool help = !command && argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    for (uint32_t i = 0; tool->table[i]; i++)
        if (help || tool->table[i] == command) groups += add_groups(group + groups, tool->table[i], call->state);
    memcpy(group + groups, tool->common, tool->commons * sizeof *group);
    snprintf(synopsis, sizeof synopsis, "%s [options]%s%s", command ? command->name : tool->kind,
             tool->operand ? " " : "", tool->operand ? tool->operand : "");
    const struct command_line line = {.name = tool->name,
                                      .synopsis = synopsis,
                                      .about = command ? command->about : list_all(tool, about),
                                      .closing = tool->closing,
                                      .group = group,
                                      .groups = groups + tool->commons};
    int first = argc, status = help ? options_help(&line) : options_parse(&line, argc, argv, &first);
    if (status < 0) status = check_operands(tool, command, argc - first, argv + first);
    if (status < 0 && first < argc) call->operand = argv[first];
    return status;
}

int subcommand_parse(const struct subcommand_tool *tool, int argc, char **argv, struct subcommand_call *call)
{
    *call = (struct subcommand_call){.command = argc > 1 ? named(tool, argv[1]) : NULL};
    console_begin(tool->name);
    if (!call->command && argc > 1 && argv[1][0] != '-')
        return console_usage("unknown %s '%s'; %s --help lists them", tool->kind, argv[1], tool->name);
    if (call->command && !(call->state = malloc(call->command->bytes)))
        return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    const int named = call->command != NULL;
    if (named) memcpy(call->state, call->command->initial, call->command->bytes);
    return parse_options(tool, argc - named, argv + named, call);
}
