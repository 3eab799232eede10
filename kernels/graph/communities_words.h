/* SPDX-License-Identifier: MIT */
/* The words that the kernel of communities (communities.cl) shares with the host. */
#ifndef GWS_KERNELS_COMMUNITIES_WORDS_H
#define GWS_KERNELS_COMMUNITIES_WORDS_H

#ifndef COMMUNITIES_SHORT
#define COMMUNITIES_SHORT 8u /* max arcs of a row for a lane */
#endif
#ifndef COMMUNITIES_LONG
#define COMMUNITIES_LONG 1024u /* a longer row is for a group, not for a warp */
#endif
#ifndef COMMUNITIES_ALONE
#define COMMUNITIES_ALONE 65536u /* max arcs and nodes of a level for one group alone */
#endif

/* The steps. Each is a launch. */
#define COMMUNITIES_PROPAGATE 0u /* all iterations of label propagation */
#define COMMUNITIES_SUM 1u       /* degrees of the nodes and of their communities */
#define COMMUNITIES_MOVE 2u      /* all rounds of moves on a level */
#define COMMUNITIES_REFINE 3u    /* parts of the communities, for Leiden */
#define COMMUNITIES_NUMBER 4u    /* numbers the nodes of the next level */
#define COMMUNITIES_COUNT 5u     /* lengths of their rows */
#define COMMUNITIES_WRITE 6u     /* their rows */
#define COMMUNITIES_LABEL 7u     /* the end of a pass: the labels of the vertices */
#define COMMUNITIES_SUMMARISE 8u /* sizes, and the sum of squares of the modularity */

/* The types of weights. */
#define WEIGHT_ONES 0u   /* every arc weighs 1 */
#define WEIGHT_WORDS 1u  /* integers of 32 bits, not negative */
#define WEIGHT_FLOATS 2u /* floats */
#define WEIGHT_LONGS 3u  /* integers of 64 bits */

/* Words of count (32 bits). A step that passes many barriers has words for each of four phases in turn. */
#define FOUND_ROUNDS 1u  /* rounds or iterations that have run */
#define FOUND_NODES 2u   /* nodes of the next level */
#define FOUND_LABELS 3u  /* communities */
#define FOUND_LARGEST 4u /* vertices of the largest community */
#define FOUND_LONG 5u    /* long rows of the level */
#define FIRST_PHASE 8u   /* the first phase: */
#define PHASE_MIDDLE 0u  /* rows for warps */
#define PHASE_LONG 1u    /* rows for groups */
#define PHASE_MOVES 2u   /* labels that change */
#define PHASE_CURSOR 3u  /* the next rows of warps */
#define PHASE_GROUP 4u   /* the next row of a group */
#define PHASE_STOP 5u    /* 1: the host has cancelled the run */
#define PHASE_WORDS 6u
#define COMMUNITIES_COUNTS (FIRST_PHASE + 4u * PHASE_WORDS)

/* Words of sums (64 bits). */
#define LEVEL_INSIDE 0u  /* weights within communities */
#define LEVEL_TOTAL 1u   /* degrees of all nodes */
#define LEVEL_SQUARES 2u /* see modularity_square() */
#define LEVEL_ARCS 3u    /* arcs of the next level */
#define LEVEL_MOVES 4u
#define COMMUNITIES_SUMS 5u

struct gws__communities_step {
    double resolution, scale; /* scale: see gws__level */
    u64 total;                /* the degrees of all nodes */
    u32 vertices;             /* of the graph */
    u32 nodes, made;          /* of the level, and of the next one */
    u32 longs;                /* long rows of the step COMMUNITIES_COUNT */
    u32 step;
    u32 round;                   /* the first round of the step */
    u32 max;                     /* of iterations */
    u32 halves;                  /* 2: rows of incoming arcs count too */
    u32 weights, out;            /* the types of the weights of the level, and of the next one */
    u32 loops_once;              /* 1: a self-loop is one arc, and counts twice */
    u32 refines;                 /* 1: Leiden */
    u32 summary;                 /* 1: the labels are in node[] */
    u32 begins;                  /* 1: every vertex starts as its own community; 2: a later pass begins; 0: neither */
    u32 warp_slots, group_slots; /* sizes of the tables, powers of 2 */
};

#endif
