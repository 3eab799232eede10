/* SPDX-License-Identifier: MIT */
/* A group of edges has fields of as many bits as its largest values need: the difference of a source from the one
 * before, and the target, or its difference from the source if that takes fewer bits. */
#include "edge_pack.h"

#include <string.h>

#include "../../lib/bits.h"
#include "../../lib/parallel.h"

enum { slack = 8 }; /* bytes behind a group's fields, which are read and written 8 at a time */

struct pack_group {
    uint64_t at; /* its first byte */
    uint32_t first;
    uint8_t from_bits, to_bits;
    bool relative; /* targets are differences from their sources */
};

struct gws__edge_pack {
    uint64_t count, groups, bytes;
    uint32_t added; /* to all sources when they are read */
    struct pack_group *group;
    char *bits;
};

/* A signed difference as a number without sign; small differences give small numbers. */
static inline uint64_t fold(uint32_t value, uint32_t from)
{
    const int64_t difference = (int64_t)value - from;
    return difference < 0 ? (uint64_t)~difference << 1 | 1 : (uint64_t)difference << 1;
}

static inline uint32_t unfold(uint64_t number, uint32_t from)
{
    return from + (uint32_t)(number & 1 ? ~(number >> 1) : number >> 1);
}

static uint8_t bits_of(uint64_t number)
{
    return (uint8_t)(number ? 64 - __builtin_clzll(number) : 0);
}

static uint64_t edges_of(const struct gws__edge_pack *pack, uint64_t group)
{
    const uint64_t left = pack->count - group * GWS__PACK_EDGES;
    return left < GWS__PACK_EDGES ? left : GWS__PACK_EDGES;
}

static uint64_t bytes_of(const struct pack_group *group, uint64_t edges)
{
    return (edges * (uint64_t)(group->from_bits + group->to_bits) + 7) / 8 + slack;
}

/* ---- packing ---- */

static struct pack_group plan(const struct gws_edge *edge, uint64_t count, uint64_t at)
{
    uint64_t from = 0, to = 0, relative = 0; /* the bits of all values */
    uint32_t before = edge->from;
    for (uint64_t i = 0; i < count; i++) {
        from |= fold(edge[i].from, before);
        to |= edge[i].to;
        relative |= fold(edge[i].to, edge[i].from);
        before = edge[i].from;
    }
    return (struct pack_group){.at = at,
                               .first = edge->from,
                               .from_bits = bits_of(from),
                               .to_bits = bits_of(relative < to ? relative : to),
                               .relative = relative < to};
}

static void write_group(const struct gws__edge_pack *pack, const struct pack_group *group, const struct gws_edge *edge,
                        uint64_t count)
{
    char *bits = pack->bits + group->at;
    uint32_t before = group->first;
    memset(bits, 0, bytes_of(group, count));
    const uint32_t from_bits = group->from_bits, to_bits = group->to_bits;
    for (uint64_t i = 0, at = 0; i < count; i++, at += from_bits + to_bits) {
        gws_bits_put(bits, at, fold(edge[i].from, before));
        gws_bits_put(bits, at + from_bits, group->relative ? fold(edge[i].to, edge[i].from) : edge[i].to);
        before = edge[i].from;
    }
}

struct gws__edge_pack *gws__edge_pack_new(struct gws_runtime *runtime, const struct gws_edge *edge, uint64_t count)
{
    struct gws__edge_pack *pack = gws_allocate(runtime, 1, sizeof *pack);
    if (!pack) return NULL;
    *pack = (struct gws__edge_pack){.count = count, .groups = (count + GWS__PACK_EDGES - 1) / GWS__PACK_EDGES};
    pack->group = gws_allocate(runtime, pack->groups, sizeof *pack->group);
    for (uint64_t i = 0; pack->group && i < pack->groups; i++) {
        pack->group[i] = plan(edge + i * GWS__PACK_EDGES, edges_of(pack, i), pack->bytes);
        pack->bytes += bytes_of(&pack->group[i], edges_of(pack, i));
    }
    if (pack->group) pack->bits = gws_allocate(runtime, pack->bytes, 1);
    if (!pack->bits) {
        gws__edge_pack_free(runtime, pack);
        return NULL;
    }
    for (uint64_t i = 0; i < pack->groups; i++)
        write_group(pack, &pack->group[i], edge + i * GWS__PACK_EDGES, edges_of(pack, i));
    return pack;
}

void gws__edge_pack_free(struct gws_runtime *runtime, struct gws__edge_pack *pack)
{
    if (!pack) return;
    gws_release(runtime, pack->bits, pack->bytes, 1);
    gws_release(runtime, pack->group, pack->groups, sizeof *pack->group);
    gws_release(runtime, pack, 1, sizeof *pack);
}

void gws__edge_pack_write(const struct gws__edge_pack *pack, uint64_t begin, const struct gws_edge *edge)
{
    struct pack_group *group = &pack->group[begin / GWS__PACK_EDGES];
    group->first = edge->from;
    write_group(pack, group, edge, edges_of(pack, begin / GWS__PACK_EDGES));
}

void gws__edge_pack_add(struct gws__edge_pack *pack, uint32_t number)
{
    pack->added += number;
}

/* ---- reading ---- */

/* Copies edges `skip` .. count - 1 of a group. */
static void read_group(const struct gws__edge_pack *pack, const struct pack_group *group, uint64_t skip, uint64_t count,
                       struct gws_edge *edge)
{
    const char *bits = pack->bits + group->at;
    const uint32_t from_bits = group->from_bits, to_bits = group->to_bits;
    uint32_t from = group->first;
    for (uint64_t i = 0, at = 0; i < count; i++, at += from_bits + to_bits) {
        from = unfold(gws_bits_get(bits, at, from_bits), from);
        if (i < skip) continue;
        const uint64_t to = gws_bits_get(bits, at + from_bits, to_bits);
        edge[i - skip] = (struct gws_edge){from + pack->added, group->relative ? unfold(to, from) : (uint32_t)to};
    }
}

void gws__edge_pack_read(const struct gws__edge_pack *pack, uint64_t begin, uint64_t end, struct gws_edge *edge)
{
    while (begin < end) {
        const uint64_t i = begin / GWS__PACK_EDGES, first = i * GWS__PACK_EDGES;
        const uint64_t last = end - first < GWS__PACK_EDGES ? end : first + GWS__PACK_EDGES;
        read_group(pack, &pack->group[i], begin - first, last - first, edge);
        edge += last - begin;
        begin = last;
    }
}
