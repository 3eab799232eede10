/* SPDX-License-Identifier: MIT */
/* The bridge: how a device whose atomics do not hold against the host's works on one thing together with it. Here is
 * where its words lie; bridge.cl is the device's side, bridge_host.h the host's.
 *
 * `words` is memory that both sides address. Each line of it has one writer, the host or the device. Where several of
 * the writer's threads write a word, they use that side's own atomics, or one of them at a time does, each ordered
 * after the one before; so no atomic of one side ever meets one of the other's.
 *
 * Orders go from the host to the device and replies back: two rings of BRIDGE_ORDERS slots, of one producer and one
 * consumer each. Order n, from 1, lies in slot n % BRIDGE_ORDERS, and its reply in the same slot of the other ring. The
 * host gives order n + BRIDGE_ORDERS only after it saw the reply to n.
 *
 * A range 0 .. count - 1 of chunks, such as a level's, is eaten by the host from the front and by the device from the
 * back: HOST_NEXT is the first chunk that the host has not begun, DEVICE_NEXT the first of those that the device has
 * begun or opened. Both carry the range's number in their upper half, so that an old word is told from a new one. Who
 * is ahead thus takes what the other has not begun: that is all the stealing takes. bridge.cl has the argument that no
 * chunk is lost, and that each of the host's threads takes at most one piece twice.
 *
 * `state` is memory of the device alone, all zero before the first kernel. It holds everything that a kernel has to
 * know of the ones before it, so that one that left can be followed by another at any point between two orders. */
#ifndef GWS_KERNELS_BRIDGE_WORDS_H
#define GWS_KERNELS_BRIDGE_WORDS_H

#define BRIDGE_LINE 16u  /* words of 64 bits */
#define BRIDGE_ORDERS 8u /* slots of a ring, of BRIDGE_SLOT words */
#define BRIDGE_SLOT 8u

/* The host's lines. */
#define BRIDGE_ORDER 0u      /* the number of the last order given */
#define BRIDGE_HOST_NEXT 16u /* range << 32 | chunk */
#define BRIDGE_ORDER_SLOTS 32u
/* The device's lines. */
#define BRIDGE_REPLY 96u        /* the number of the last reply given */
#define BRIDGE_DEVICE_NEXT 112u /* range << 32 | chunk */
#define BRIDGE_LEFT 128u        /* the number of the last launch that left */
#define BRIDGE_REPLY_SLOTS 144u
#define BRIDGE_WORDS 208u

/* In an order's slot. */
#define BRIDGE_WHAT 0u  /* 1 and up are the user's */
#define BRIDGE_COUNT 1u /* chunks in the range; 0: this order has none */
#define BRIDGE_FIRST 2u /* of them, how many the device may open at once */
#define BRIDGE_MORE 3u  /* the rest is the user's */
/* In a reply's slot, where the order had a range: how many chunks the device ran. They are the last ones. */
#define BRIDGE_RAN 0u
#define BRIDGE_REPLY_MORE 1u

#define BRIDGE_END 0u /* WHAT: the kernel is to leave, once it has replied */

/* The device's own state. */
#define BRIDGE_TAKEN 0u  /* chunks its groups have asked for in this range */
#define BRIDGE_LIMIT 16u /* 2 x how many of them they may run, + 1 once there will be no more */
#define BRIDGE_GO 32u    /* the order that the groups are to run; or what tells those of one launch to leave */
#define BRIDGE_MEET 48u  /* counts who came to the groups' meetings */
#define BRIDGE_COPY 64u  /* of the order's slot: the groups do not all cross the bus for it */
#define BRIDGE_STATE 80u

#endif
