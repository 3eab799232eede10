/* SPDX-License-Identifier: MIT */
#include "master_slave_state.h"

enum { MAX_MASTERS = 1 << 24 };

#define FIELD(name) offsetof(struct master_slave_state, name)

const struct option_row master_slave_row[MASTER_SLAVE_ROWS] = {
    {NUMBER("masters", "N", FIELD(options.masters), 1, MAX_MASTERS, "run N masters concurrently (default: 1)")},
    {NUMBER("slaves", "N", FIELD(options.slaves), 0, UINT64_C(1) << 31,
            "spawn N slaves from each master in a round (default: 16)")},
    {NUMBER("rounds", "N", FIELD(options.rounds), 1, UINT64_MAX, "run N rounds of each master (default: 16)")},
    {REAL("master-work", "US", FIELD(options.master_us), 1e9,
          "run a master for US microseconds in a round (default: 10)")},
    {REAL("slave-work", "US", FIELD(options.slave_us), 1e9, "run a slave for US microseconds (default: 10)")},
    {FLAG("await", FIELD(await), 1, "begin a round when all slaves of the last one have finished")},
};

const struct master_slave_state master_slave_initial = {
    .options = {.masters = 1, .slaves = 16, .rounds = 16, .master_us = 10, .slave_us = 10}};

int master_slave_check(void *context)
{
    struct master_slave_state *state = context;
    state->options.await = state->await;
    return -1;
}

#define MEMBER(name, key) JSON_FIELD(struct master_slave_state, name, key)
const struct json_field master_slave_parameter[MASTER_SLAVE_ROWS] = {
    {MEMBER(options.masters, "masters")},   {MEMBER(options.slaves, "slaves")},
    {MEMBER(options.rounds, "rounds")},     {MEMBER(options.master_us, "master_us")},
    {MEMBER(options.slave_us, "slave_us")}, {MEMBER(options.await, "await")}};

const struct json_field master_slave_found[MASTER_SLAVE_RESULTS] = {
    {MEMBER(result.rounds, "rounds")}, {MEMBER(result.slaves, "slaves")}, {MEMBER(result.strays, "strays")}};

const char master_slave_description[] =
    "{masters} master{s} of {master_us} us, {rounds} rounds of {slaves} slaves of {slave_us} us{await?, awaited}";
const char master_slave_finding[] =
    "ran       {rounds} rounds and {slaves} slaves, {strays} of them away from their master\n";
