/* SPDX-License-Identifier: MIT */
/* The host-device protocol: a device and a host work together although their atomics are not coherent with each other.
 * This header has the layout of the words. range.cl is the device's side. lib/hetero/range.h is the host's side.
 *
 * Both sides address `words`. Only one side, the host or the device, writes to each cache line. If several threads of
 * that side write a word, they use the atomics of that side, or they write one after the other in a defined order. So
 * an atomic operation of one side never meets an atomic operation of the other side.
 *
 * Messages are orders from the host to the device, and replies. Messages pass through two rings of PROTOCOL_SLOTS slots
 * with one producer and one consumer each. Order n, from 1, lies in slot n % PROTOCOL_SLOTS, and its reply in the same
 * slot of the other ring. The host publishes order n + PROTOCOL_SLOTS only after it has seen the reply to n.
 *
 * A range 0 .. count - 1 consists of chunks, such as the chunks of a level. The host processes the range from the
 * front, the device from the back. HOST_NEXT is the first chunk that the host has not begun. DEVICE_NEXT is the first
 * chunk that the device has begun or opened. The upper half of both words is the number of the range, which
 * distinguishes an old word from a new one. The faster side thus acquires chunks that the slower side has not begun.
 * The protocol needs no other form of stealing. range.cl proves that no chunk is lost, and that each host thread
 * acquires at most one claim that also runs on the device.
 *
 * `state` is memory of the device alone, all zero before the first kernel. It holds everything that a kernel needs from
 * earlier kernels. So when a kernel has exited between two orders, a new kernel can continue. */
#ifndef GWS_KERNELS_PROTOCOL_WORDS_H
#define GWS_KERNELS_PROTOCOL_WORDS_H

#define PROTOCOL_SLOTS 8u /* number of slots of a ring; a slot has PROTOCOL_SLOT words */
#define PROTOCOL_SLOT 8u

/* The host's lines of 16 words of 64 bits. */
#define PROTOCOL_ORDER 0u   /* the number of the last published order */
#define RANGE_HOST_NEXT 16u /* range << 32 | chunk */
#define PROTOCOL_ORDERS 32u /* the slots */
/* The device's lines. */
#define PROTOCOL_REPLY 96u     /* the number of the last published reply */
#define RANGE_DEVICE_NEXT 112u /* range << 32 | chunk */
#define PROTOCOL_EXITED 128u   /* the number of the last launch that exited */
#define PROTOCOL_REPLIES 144u  /* the slots */
#define PROTOCOL_WORDS 208u

/* In an order's slot. */
#define ORDER_KIND 0u
#define ORDER_COUNT 1u   /* chunks in the range; 0: the order has no range */
#define ORDER_FIRST 2u   /* the number of chunks that the device may open at once */
#define ORDER_SPLIT 3u   /* the first chunk planned for the device. A side that passes this chunk steals. */
#define ORDER_PAYLOAD 4u /* the other words belong to the algorithm */
/* In a reply's slot, if the order had a range: the number of chunks that the device ran, which are the last ones of the
 * range. */
#define REPLY_RAN 0u
#define REPLY_PAYLOAD 1u /* the other words belong to the algorithm */

/* Kinds of orders. ORDER_END: the kernel replies and exits. ORDER_MERGE: both sides merge their results. ORDER_RUN and
 * higher: both sides run a range. The algorithm defines these kinds. */
#define ORDER_END 0u
#define ORDER_MERGE 1u
#define ORDER_RUN 2u

/* A group's statistics, RANGE_STATS words each in the host's memory: chunks run, chunks stolen (run, but planned for
 * the host), and steals. */
#define RANGE_STATS 8u
#define RANGE_STATS_RAN 0u
#define RANGE_STATS_STOLEN 1u

/* The device's own state. */
#define RANGE_ACQUIRED 0u    /* chunks of this range that groups have requested */
#define RANGE_LIMIT 16u      /* 2 x the number of open chunks, + 1 if no more will follow */
#define PROTOCOL_GO 32u      /* the number of the order that the groups run, or a launch's exit code */
#define PROTOCOL_ARRIVED 48u /* the number of arrivals at barriers */
#define PROTOCOL_COPY 64u    /* a copy of the order's slot, which spares the groups reads over the bus */
#define PROTOCOL_STATE 80u   /* the other words belong to the algorithm */

#endif
