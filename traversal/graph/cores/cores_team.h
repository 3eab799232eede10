/* SPDX-License-Identifier: MIT */
/* The state of a team that computes coreness; peel_team.c explains it. */
#ifndef GWS_CORES_TEAM_H
#define GWS_CORES_TEAM_H

#include "cores_state.h"

/* Entries of the array of degrees above this value are hubs. */
static const uint32_t cores_hub = UINT32_MAX - (1 << 16);

enum {
    cores_block = 1024,    /* number of consecutive vertices that one member lists */
    cores_capacity = 1024, /* capacity of a stack */
    cores_line = 64,
};

struct gws__cores_hub {
    uint32_t vertex;
    uint32_t degree;  /* at the last count; 0 if the hub has been removed */
    uint64_t counted; /* number of vertices that had been removed at the last count */
};

struct gws__cores_member {
    uint32_t *lost;   /* hubs entries: number of neighbours that each hub has lost since its last count */
    uint32_t *listed; /* the remaining vertices of this member */
    uint64_t count;
    uint64_t removed;
    uint32_t members;  /* of the team */
    uint32_t smallest; /* the smallest degree above k in the list */
    uint32_t spilled;
    uint64_t key; /* min of degree + counted over the member's hubs; while removed + k is less, no hub has degree k */
    uint32_t spill[256], stack[cores_capacity];
    char pad[cores_line];
};

struct gws__cores_slot {
    _Atomic uint64_t tail, cursor;
    char pad[cores_line - 16];
};

struct gws__cores_team {
    struct gws__cores *cores;
    uint32_t hubs, min_degree; /* min_degree: of a hub */
    uint32_t *frontier[2];
    struct gws__cores_hub *hub;
    struct gws__cores_member *member;
    uint32_t *lists; /* the lists of all members: vertices + members * cores_block entries */
    uint32_t *lost;
    struct gws__cores_slot slot[3];
    _Atomic uint32_t hub_count;
    bool cancelled;
    _Atomic uint64_t of_class[32]; /* number of vertices whose degree has this number of bits after the first one */
};

/* team_open.c: chooses the hubs and allocates the arrays for that number of members, of which the caller has set
 * team->cores. The caller must close the team also after a failure. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__cores_team_open(struct gws__cores_team *team, uint32_t members);
void gws__cores_team_close(struct gws__cores_team *team, uint32_t members);

#endif
