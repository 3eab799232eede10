/* SPDX-License-Identifier: MIT */
/* The head and tail of a gzip member, byte by byte, so that it does not matter where the input is cut. */
#include "inflate.h"

enum { deflate_method = 8, flag_check = 2, flag_extra = 4, flag_name = 8, flag_comment = 16, flags_unknown = 0xe0 };
enum { fixed_size = 10, tail_size = 8 };

/* True if the member has the stage, by its flags. */
static bool has_stage(const struct gws__member *member)
{
    static const uint32_t flag[] = {[GWS__MEMBER_EXTRA_SIZE] = flag_extra,
                                    [GWS__MEMBER_EXTRA] = flag_extra,
                                    [GWS__MEMBER_NAME] = flag_name,
                                    [GWS__MEMBER_COMMENT] = flag_comment,
                                    [GWS__MEMBER_HEAD_CHECK] = flag_check};
    if (member->stage >= GWS__MEMBER_DATA) return true;
    return (member->flags & flag[member->stage]) != 0 && (member->stage != GWS__MEMBER_EXTRA || member->extra > 0);
}

static void next_stage(struct gws__member *member)
{
    do member->stage++;
    while (!has_stage(member));
    member->at = member->number = 0;
    if (member->stage == GWS__MEMBER_DATA) member->check = 0;
}

static const char *fixed_byte(struct gws__member *member, unsigned char byte)
{
    if ((member->at == 0 && byte != 0x1f) || (member->at == 1 && byte != 0x8b)) return "incorrect header check";
    if (member->at == 2 && byte != deflate_method) return "unknown compression method";
    if (member->at == 3 && (byte & flags_unknown)) return "unknown header flags set";
    if (member->at == 3) member->flags = byte;
    if (++member->at == fixed_size) next_stage(member);
    return NULL;
}

/* Adds a byte to the number; true when it has so many. */
static bool number_byte(struct gws__member *member, unsigned char byte, uint32_t size)
{
    member->number |= (uint32_t)byte << (8 * (member->at++ & 3));
    return member->at == size;
}

static const char *tail_byte(struct gws__member *member, unsigned char byte)
{
    bool last = number_byte(member, byte, tail_size);
    if (member->at != 4 && !last) return NULL;
    if (!last && member->number != member->check) return "incorrect data check";
    if (last && member->number != (uint32_t)member->length) return "incorrect length check";
    member->number = 0;
    if (last) next_stage(member);
    return NULL;
}

static const char *head_check_byte(struct gws__member *member, unsigned char byte)
{
    if (!number_byte(member, byte, 2)) return NULL;
    if (member->number != (member->check & 0xffff)) return "header crc mismatch";
    next_stage(member);
    return NULL;
}

static void extra_size_byte(struct gws__member *member, unsigned char byte)
{
    if (!number_byte(member, byte, 2)) return;
    member->extra = member->number;
    next_stage(member);
}

const char *gws__member_byte(struct gws__member *member, const struct gws__engine *engine, unsigned char byte)
{
    if (member->stage == GWS__MEMBER_TAIL) return tail_byte(member, byte);
    if (member->stage == GWS__MEMBER_HEAD_CHECK) return head_check_byte(member, byte);
    member->check = engine->checksum(member->check, &byte, 1);
    if (member->stage == GWS__MEMBER_FIXED) return fixed_byte(member, byte);
    if (member->stage == GWS__MEMBER_EXTRA_SIZE)
        extra_size_byte(member, byte);
    else if (member->stage == GWS__MEMBER_EXTRA ? ++member->at == member->extra : byte == 0)
        next_stage(member);
    return NULL;
}

void gws__member_text(struct gws__member *member, const struct gws__engine *engine, const void *text, uint64_t size)
{
    member->check = engine->checksum(member->check, text, size);
    member->length += size;
}
