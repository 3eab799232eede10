/* SPDX-License-Identifier: MIT */
/* Gzip input. A backend inflates the data of a member. This file reads the member's header and trailer. The next byte
 * after a member (MEMBER_OVER) begins another member or is padding. */
#include "inflate.h"

/* ---- header and trailer of a member (RFC 1952, 2.3), read byte by byte, since a buffer may end anywhere ---- */

/* The field of a member that contains the next byte. The fields before the data are in file order. The header's flags
 * say which optional fields are present. */
enum field {
    MEMBER_FIXED,
    MEMBER_EXTRA_SIZE,
    MEMBER_EXTRA,
    MEMBER_NAME,
    MEMBER_COMMENT,
    MEMBER_HEAD_CHECK,
    MEMBER_DATA,
    MEMBER_TAIL,
    MEMBER_OVER
};

struct gzip_member {
    enum field field;
    uint32_t at;     /* bytes of the field read so far */
    uint32_t flags;  /* the header's flag byte */
    uint32_t number; /* the field's number so far, lowest byte first */
    uint32_t extra;  /* bytes in the extra field */
    uint32_t check;  /* CRC-32 of the header, then of the text */
    uint64_t length; /* bytes of the text */
};

enum { deflate_method = 8, flag_check = 2, flag_extra = 4, flag_name = 8, flag_comment = 16, flags_unknown = 0xe0 };
enum { fixed_size = 10, tail_size = 8 };

/* Returns true if the member's flags include its current field. */
static bool has_field(const struct gzip_member *member)
{
    static const uint32_t flag[] = {[MEMBER_EXTRA_SIZE] = flag_extra,
                                    [MEMBER_EXTRA] = flag_extra,
                                    [MEMBER_NAME] = flag_name,
                                    [MEMBER_COMMENT] = flag_comment,
                                    [MEMBER_HEAD_CHECK] = flag_check};
    if (member->field >= MEMBER_DATA) return true;
    return (member->flags & flag[member->field]) != 0 && (member->field != MEMBER_EXTRA || member->extra > 0);
}

static void next_field(struct gzip_member *member)
{
    do member->field++;
    while (!has_field(member));
    member->at = member->number = 0;
    if (member->field == MEMBER_DATA) member->check = 0;
}

static const char *fixed_byte(struct gzip_member *member, unsigned char byte)
{
    if ((member->at == 0 && byte != 0x1f) || (member->at == 1 && byte != 0x8b)) return "incorrect header check";
    if (member->at == 2 && byte != deflate_method) return "unknown compression method";
    if (member->at == 3 && (byte & flags_unknown)) return "unknown header flags set";
    if (member->at == 3) member->flags = byte;
    if (++member->at == fixed_size) next_field(member);
    return NULL;
}

/* Adds a byte to the number. Returns true once the number has size bytes. */
static bool number_byte(struct gzip_member *member, unsigned char byte, uint32_t size)
{
    member->number |= (uint32_t)byte << (8 * (member->at++ & 3));
    return member->at == size;
}

static const char *tail_byte(struct gzip_member *member, unsigned char byte)
{
    bool last = number_byte(member, byte, tail_size);
    if (member->at != 4 && !last) return NULL;
    if (!last && member->number != member->check) return "incorrect data check";
    if (last && member->number != (uint32_t)member->length) return "incorrect length check";
    member->number = 0;
    if (last) next_field(member);
    return NULL;
}

static const char *head_check_byte(struct gzip_member *member, unsigned char byte)
{
    if (!number_byte(member, byte, 2)) return NULL;
    if (member->number != (member->check & 0xffff)) return "header crc mismatch";
    next_field(member);
    return NULL;
}

static void extra_size_byte(struct gzip_member *member, unsigned char byte)
{
    if (!number_byte(member, byte, 2)) return;
    member->extra = member->number;
    next_field(member);
}

/* Reads a byte of the header or the trailer. Returns an error text, or NULL. */
static const char *read_byte(struct gzip_member *member, const struct gws__inflate_backend *backend, unsigned char byte)
{
    if (member->field == MEMBER_TAIL) return tail_byte(member, byte);
    if (member->field == MEMBER_HEAD_CHECK) return head_check_byte(member, byte);
    member->check = backend->checksum(member->check, &byte, 1);
    if (member->field == MEMBER_FIXED) return fixed_byte(member, byte);
    if (member->field == MEMBER_EXTRA_SIZE)
        extra_size_byte(member, byte);
    else if (member->field == MEMBER_EXTRA ? ++member->at == member->extra : byte == 0)
        next_field(member);
    return NULL;
}

/* Adds inflated text to the checksum and the length. */
static void add_text(struct gzip_member *member, const struct gws__inflate_backend *backend, const void *text,
                     uint64_t size)
{
    member->check = backend->checksum(member->check, text, size);
    member->length += size;
}

/* ---- the inflater ---- */

struct gws__inflater {
    struct gws_runtime *runtime;
    const struct gws__inflate_backend *backend;
    void *state; /* the state of the backend */
    struct gzip_member member;
};

struct gws__inflater *gws__inflater_new_with(struct gws_runtime *runtime, const struct gws__inflate_backend *backend)
{
    struct gws__inflater *inflater = gws_allocate(runtime, 1, sizeof *inflater);
    if (!inflater) return NULL;
    *inflater = (struct gws__inflater){.runtime = runtime, .backend = backend, .state = backend->open(runtime)};
    if (inflater->state) return inflater;
    gws__inflater_free(inflater);
    return NULL;
}

struct gws__inflater *gws__inflater_new(struct gws_runtime *runtime)
{
    return gws__inflater_new_with(runtime, gws__inflate_isal ? gws__inflate_isal : &gws__inflate_zlib);
}

void gws__inflater_free(struct gws__inflater *inflater)
{
    if (!inflater) return;
    if (inflater->state) inflater->backend->close(inflater->runtime, inflater->state);
    gws_release(inflater->runtime, inflater, 1, sizeof *inflater);
}

static gws_status corrupt(const struct gws__input *input, const char *why)
{
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "the gzip data is corrupt: %s", why);
}

/* Moves on after a member. Another member, zeros up to the end, or the end must follow. */
static gws_status next_member(struct gws__input *input)
{
    struct gws__inflater *inflater = input->inflater;
    if (*input->at == 0) {
        input->at++;
        return GWS_OK;
    }
    if (*input->at != 0x1f)
        return gws__input_fail(input, GWS_CORRUPT, 0, 0, "bytes after the gzip data that are not gzip");
    inflater->member = (struct gzip_member){0};
    inflater->backend->restart(inflater->state);
    return GWS_OK;
}

static gws_status frame_byte(struct gws__input *input, unsigned char byte)
{
    const char *wrong = read_byte(&input->inflater->member, input->inflater->backend, byte);
    return wrong ? corrupt(input, wrong) : GWS_OK;
}

/* Continues with the trailer after the data ended. The trailer begins with the bytes that the backend read ahead. */
static gws_status end_data(struct gws__input *input, const struct gws__inflate_step *step)
{
    gws_status status = GWS_OK;
    input->inflater->member.field = MEMBER_TAIL;
    for (unsigned i = 0; status == GWS_OK && i < step->unread_size; i++) status = frame_byte(input, step->unread[i]);
    return status;
}

/* Inflates the bytes at hand into at most size bytes. A backend that makes no progress although input and output space
 * are left is broken. */
static gws_status inflate_some(struct gws__input *input, unsigned char *bytes, uint64_t size, uint64_t *made)
{
    struct gws__inflater *inflater = input->inflater;
    struct gws__inflate_step step = {
        .in = input->at, .in_size = (uint64_t)(input->end - input->at), .out = bytes, .out_size = size};
    enum gws__inflate_end end = inflater->backend->step(inflater->state, &step);
    bool stands = step.in == input->at && step.in_size > 0 && step.out == bytes;
    input->at = step.in;
    *made = size - step.out_size;
    add_text(&inflater->member, inflater->backend, bytes, *made);
    if (end == GWS__INFLATE_NO_MEMORY) return GWS_NO_MEMORY;
    if (end == GWS__INFLATE_ENDED) return end_data(input, &step);
    return end == GWS__INFLATE_BAD_DATA || stands ? corrupt(input, "invalid deflate data") : GWS_OK;
}

/* Refills an empty input. Sets *over to true at a legal end of the input. */
static gws_status need_input(struct gws__input *input, gws__refill *refill, bool *over)
{
    if (input->at < input->end) return GWS_OK;
    gws_status status = refill(input);
    if (status != GWS_OK || input->at < input->end) return status;
    *over = input->inflater->member.field == MEMBER_OVER;
    if (*over) return GWS_OK;
    return gws__input_fail(input, GWS_TRUNCATED, 0, 0, "the gzip data ends too early");
}

gws_status gws__inflate(struct gws__input *input, gws__refill *refill, void *bytes, uint64_t size, uint64_t *got)
{
    const struct gzip_member *member = &input->inflater->member;
    uint64_t filled = 0, made = 1;
    bool over = false;
    gws_status status = GWS_OK;
    while (status == GWS_OK && filled < size) {
        /* A backend may still hold text of input that it has consumed. */
        bool holds = member->field == MEMBER_DATA && made > 0;
        if (!holds) status = need_input(input, refill, &over);
        if (status != GWS_OK || over) break;
        if (member->field == MEMBER_OVER) {
            status = next_member(input);
        } else if (member->field == MEMBER_DATA) {
            status = inflate_some(input, (unsigned char *)bytes + filled, size - filled, &made);
            filled += made;
        } else {
            status = frame_byte(input, *input->at++);
        }
    }
    *got = filled;
    return status;
}
