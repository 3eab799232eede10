/* SPDX-License-Identifier: MIT */
/* The machine that gsim simulates: a preset, and options that replace its parts. */
#include <inttypes.h>
#include <string.h>

#include "here.h"
#include "simulation.h"

const char *const machine_topology[] = {"flat", "hosts", "torus", "tree", NULL};

#define FIELD(name) offsetof(struct machine_options, name)

const struct option_row machine_row[MACHINE_ROWS] = {
    {TEXT("workers", "N,..", FIELD(workers),
          "simulate N workers, or one number of workers after another, such as\n1,16,256 (default: 16)")},
    {TEXT("preset", "NAME|help", FIELD(preset), "take the costs of this machine; help lists them (default: threads)")},
    {TEXT("cost", "NAME=NS,..|help", FIELD(costs),
          "replace costs of the preset, in nanoseconds, such as\nserver=5000,retry=0; help lists them")},
    {CHOICE("topology", "NAME", FIELD(topology), machine_topology,
            "join hosts as flat (one host), hosts (one switch), torus or tree\n(default: the preset's)")},
    {NUMBER("host", "N", FIELD(host), 1, GWS_SIM_MAX_WORKERS, "put N workers on a host (default: the preset's)")},
    {NUMBER("cache", "N", FIELD(cache), 1, GWS_SIM_MAX_WORKERS,
            "let N workers of a host share a cache (default: the preset's)")},
    {FLAG("newest", FIELD(newest), 1,
          "run the newest of some stolen tasks first, as Dinan et al.; threads run\nthe oldest")},
    {FLAG("ticket", FIELD(ticket), 1, "with --wait: serve waiting thieves in the order of their tickets")},
};

int machine_workers(const struct machine_options *options, uint32_t *workers, uint32_t *numbers)
{
    char text[sizeof "1048576"], shown[CONSOLE_NAME];
    const char *at = options->workers;
    *numbers = 0;
    for (size_t length; *numbers < SIM_MAX_ROWS; at += length + 1) {
        uint64_t number;
        length = strcspn(at, ",");
        snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : 0), at);
        if (!options_number(text, 1, GWS_SIM_MAX_WORKERS, &number))
            return console_usage("--workers: expected whole numbers from 1 to %d with commas between them, got '%s'",
                                 GWS_SIM_MAX_WORKERS, console_name(options->workers, shown));
        workers[(*numbers)++] = (uint32_t)number;
        if (at[length] == '\0') return -1;
    }
    return console_usage("--workers: at most %d numbers", SIM_MAX_ROWS);
}

static const char here[] = "here";

/* Lists the library's presets, and the one that is measured, which begins with the costs of the first one. */
static const char *preset_name(uint32_t i, const char **about)
{
    const struct gws_sim_preset *preset = gws_sim_preset_at(i);
    if (about) *about = preset ? preset->about : "threads of this machine, measured now";
    if (preset) return preset->name;
    return i > 0 && gws_sim_preset_at(i - 1) ? here : NULL;
}

static int open_preset(const char *name, bool measures, struct gws_sim_machine *machine)
{
    uint32_t i = 0;
    while (strcmp(preset_name(i, NULL), name) != 0) i++;
    const bool is_here = !gws_sim_preset_at(i);
    *machine = gws_sim_preset_at(is_here ? 0 : i)->machine;
    const gws_status status = is_here && measures ? here_measure(machine) : GWS_OK;
    return status == GWS_OK ? -1 : console_fail("--preset %s: %s", name, gws_status_text(status));
}

static int list_costs(const struct gws_sim_machine *machine)
{
    const char *name, *about;
    for (uint32_t i = 0; (name = gws_sim_cost_at(i, &about)); i++)
        printf("%-12s%12g  %s\n", name, machine->cost[i], about);
    return console_finish();
}

static int set_cost(struct gws_sim_machine *machine, const char *text, size_t length)
{
    const char *name = NULL, *equals = memchr(text, '=', length), *end = NULL;
    uint32_t i = 0;
    double ns = -1;
    const size_t letters = equals ? (size_t)(equals - text) : length;
    while ((name = gws_sim_cost_at(i, NULL)) && (strlen(name) != letters || memcmp(name, text, letters) != 0)) i++;
    char shown[CONSOLE_NAME], part[64];
    snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : sizeof part - 1), text);
    if (!name) return console_usage("--cost: unknown cost in '%s'; --cost help lists them", console_name(part, shown));
    if (equals) end = options_real(equals + 1, &ns);
    if (end != text + length || ns < 0 || ns > 1e12)
        return console_usage("--cost %s: expected a number from 0 to 1e12 after '='", name);
    machine->cost[i] = ns;
    return -1;
}

static int set_costs(struct gws_sim_machine *machine, const char *text)
{
    int status = -1;
    for (size_t length; status < 0; text += length + 1) {
        length = strcspn(text, ",");
        status = set_cost(machine, text, length);
        if (text[length] == '\0') break;
    }
    return status;
}

int machine_open(const struct machine_options *options, bool measures, struct gws_sim_machine *machine)
{
    const bool lists = options->costs && strcmp(options->costs, "help") == 0;
    int status = options_check_name("preset", preset_name, 10, options->preset);
    if (status < 0) status = open_preset(options->preset, measures || lists, machine);
    if (status >= 0) return status;
    if (options->topology >= 0) machine->topology = (enum gws_sim_topology)options->topology;
    if (options->host && machine->topology == GWS_SIM_FLAT)
        return console_usage("--host has no effect in the topology flat");
    if (options->host) machine->host = (uint32_t)options->host;
    if (options->cache) machine->cache = (uint32_t)options->cache;
    if (lists) return list_costs(machine);
    return options->costs ? set_costs(machine, options->costs) : -1;
}
