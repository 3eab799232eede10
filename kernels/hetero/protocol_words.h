/* SPDX-License-Identifier: MIT */
/* The host-device protocol: how a device whose atomics do not hold against the host's works on one thing together with
 * it. Here is where its words lie; range.cl is the device's side, lib/hetero/range.h the
 * host's.
 *
 * `words` is memory that both sides address. Each line of it has one writer, the host or the device. Where several of
 * the writer's threads write a word, they use that side's own atomics, or one of them at a time does, each ordered
 * after the one before; so no atomic of one side ever meets one of the other's.
 *
 * Messages are orders from the host to the device and replies back: two rings of PROTOCOL_SLOTS slots, of one producer
 * and one consumer each. Order n, from 1, lies in slot n % PROTOCOL_SLOTS, and its reply in the same slot of the other
 * ring. The host publishes order n + PROTOCOL_SLOTS only after it saw the reply to n.
 *
 * A range 0 .. count - 1 of chunks, such as a level's, is processed by the host from the front and by the device from
 * the back: HOST_NEXT is the first chunk that the host has not begun, DEVICE_NEXT the first of those that the device
 * has begun or opened. Both carry the range's number in their upper half, so that an old word is told from a new one.
 * The side that is ahead thus takes what the other has not begun: that is all the stealing takes. range.cl has the
 * argument that no chunk is lost, and that each of the host's threads takes at most one claim twice.
 *
 * `state` is memory of the device alone, all zero before the first kernel. It holds everything that a kernel has to
 * know of the ones before it, so that one that left can be followed by another at any point between two orders. */
#ifndef GWS_KERNELS_PROTOCOL_WORDS_H
#define GWS_KERNELS_PROTOCOL_WORDS_H

#define PROTOCOL_SLOTS 8u /* of a ring, of PROTOCOL_SLOT words each */
#define PROTOCOL_SLOT 8u

/* The host's lines of 16 words of 64 bits. */
#define PROTOCOL_ORDER 0u   /* the number of the last order published */
#define RANGE_HOST_NEXT 16u /* range << 32 | chunk */
#define PROTOCOL_ORDERS 32u /* the slots */
/* The device's lines. */
#define PROTOCOL_REPLY 96u     /* the number of the last reply published */
#define RANGE_DEVICE_NEXT 112u /* range << 32 | chunk */
#define PROTOCOL_EXITED 128u   /* the number of the last launch that left */
#define PROTOCOL_REPLIES 144u  /* the slots */
#define PROTOCOL_WORDS 208u

/* In an order's slot. */
#define ORDER_KIND 0u
#define ORDER_COUNT 1u   /* chunks in the range; 0: this order has none */
#define ORDER_FIRST 2u   /* of them, how many the device may open at once */
#define ORDER_SPLIT 3u   /* the first chunk that was to be the device's: who goes beyond it steals */
#define ORDER_PAYLOAD 4u /* the rest is the algorithm's */
/* In a reply's slot, where the order had a range: how many chunks the device ran. They are the last ones. */
#define REPLY_RAN 0u
#define REPLY_PAYLOAD 1u /* the rest is the algorithm's */

/* Kinds of orders: the kernel is to leave once it has replied; both sides are to merge what they found; and from
 * ORDER_RUN on, in whichever ways the algorithm has, a range is to be run. */
#define ORDER_END 0u
#define ORDER_MERGE 1u
#define ORDER_RUN 2u

/* What a group did of ranges, RANGE_STATS words each in memory of the host's: chunks, those of them that were to be the
 * host's, and how often it took such. */
#define RANGE_STATS 8u
#define RANGE_STATS_RAN 0u
#define RANGE_STATS_STOLEN 1u

/* The device's own state. */
#define RANGE_TAKEN 0u       /* chunks its groups have asked for in this range */
#define RANGE_LIMIT 16u      /* 2 x how many of them they may run, + 1 once there will be no more */
#define PROTOCOL_GO 32u      /* the order that the groups are to run; or what tells those of one launch to leave */
#define PROTOCOL_ARRIVED 48u /* counts the groups that came to a barrier */
#define PROTOCOL_COPY 64u    /* of the order's slot: the groups do not all cross the bus for it */
#define PROTOCOL_STATE 80u   /* the rest is the algorithm's */

#endif
