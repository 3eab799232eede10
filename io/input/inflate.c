/* SPDX-License-Identifier: MIT */
/* Gzip input: member.c reads heads and tails, an engine the data between them. Behind a member (GWS__MEMBER_OVER) the
 * next byte starts another one, or is padding. */
#include "inflate.h"

struct gws__inflater {
    struct gws_runtime *runtime;
    const struct gws__engine *engine;
    void *state; /* the engine's */
    struct gws__member member;
};

struct gws__inflater *gws__inflater_new_with(struct gws_runtime *runtime, const struct gws__engine *engine)
{
    struct gws__inflater *inflater = gws_allocate(runtime, 1, sizeof *inflater);
    if (!inflater) return NULL;
    *inflater = (struct gws__inflater){.runtime = runtime, .engine = engine, .state = engine->open(runtime)};
    if (inflater->state) return inflater;
    gws__inflater_free(inflater);
    return NULL;
}

struct gws__inflater *gws__inflater_new(struct gws_runtime *runtime)
{
    const struct gws__engine *quickest = gws__engine_isal();
    return gws__inflater_new_with(runtime, quickest ? quickest : gws__engine_zlib());
}

void gws__inflater_free(struct gws__inflater *inflater)
{
    if (!inflater) return;
    if (inflater->state) inflater->engine->close(inflater->runtime, inflater->state);
    gws_release(inflater->runtime, inflater, 1, sizeof *inflater);
}

static gws_status corrupt(const struct gws__input *input, const char *why)
{
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "the gzip data is corrupt: %s", why);
}

/* Behind a member: another one, zeros up to the end, or the end. */
static gws_status next_member(struct gws__input *input)
{
    struct gws__inflater *inflater = input->inflater;
    if (*input->at == 0) {
        input->at++;
        return GWS_OK;
    }
    if (*input->at != 0x1f)
        return gws__input_fail(input, GWS_CORRUPT, 0, 0, "bytes that are not gzip behind the gzip data");
    inflater->member = (struct gws__member){0};
    inflater->engine->restart(inflater->state);
    return GWS_OK;
}

static gws_status frame_byte(struct gws__input *input, unsigned char byte)
{
    const char *wrong = gws__member_byte(&input->inflater->member, input->inflater->engine, byte);
    return wrong ? corrupt(input, wrong) : GWS_OK;
}

/* The data is over: goes on to the tail, which begins with what the engine read too far. */
static gws_status end_data(struct gws__input *input, const struct gws__engine_step *step)
{
    gws_status status = GWS_OK;
    input->inflater->member.stage = GWS__MEMBER_TAIL;
    for (unsigned i = 0; status == GWS_OK && i < step->behind_size; i++) status = frame_byte(input, step->behind[i]);
    return status;
}

/* Inflates what is at hand into at most size bytes. An engine that stands still with both input and room is broken. */
static gws_status inflate_some(struct gws__input *input, unsigned char *bytes, uint64_t size, uint64_t *made)
{
    struct gws__inflater *inflater = input->inflater;
    struct gws__engine_step step = {
        .in = input->at, .in_size = (uint64_t)(input->end - input->at), .out = bytes, .out_size = size};
    enum gws__engine_end end = inflater->engine->step(inflater->state, &step);
    bool stands = step.in == input->at && step.in_size > 0 && step.out == bytes;
    input->at = step.in;
    *made = size - step.out_size;
    gws__member_text(&inflater->member, inflater->engine, bytes, *made);
    if (end == GWS__ENGINE_NO_MEMORY) return GWS_NO_MEMORY;
    if (end == GWS__ENGINE_ENDED) return end_data(input, &step);
    return end == GWS__ENGINE_BAD_DATA || stands ? corrupt(input, "invalid deflate data") : GWS_OK;
}

/* Gets more input where there is none; *over says that this was all, and that it may end there. */
static gws_status need_input(struct gws__input *input, gws__refill *refill, bool *over)
{
    if (input->at < input->end) return GWS_OK;
    gws_status status = refill(input);
    if (status != GWS_OK || input->at < input->end) return status;
    *over = input->inflater->member.stage == GWS__MEMBER_OVER;
    if (*over) return GWS_OK;
    return gws__input_fail(input, GWS_TRUNCATED, 0, 0, "the gzip data ends too early");
}

gws_status gws__inflate(struct gws__input *input, gws__refill *refill, void *bytes, uint64_t size, uint64_t *got)
{
    const struct gws__member *member = &input->inflater->member;
    uint64_t filled = 0, made = 1;
    bool over = false;
    gws_status status = GWS_OK;
    while (status == GWS_OK && filled < size) {
        /* An engine may still hold text of input that is used up. */
        bool holds = member->stage == GWS__MEMBER_DATA && made > 0;
        if (!holds) status = need_input(input, refill, &over);
        if (status != GWS_OK || over) break;
        if (member->stage == GWS__MEMBER_OVER) {
            status = next_member(input);
        } else if (member->stage == GWS__MEMBER_DATA) {
            status = inflate_some(input, (unsigned char *)bytes + filled, size - filled, &made);
            filled += made;
        } else {
            status = frame_byte(input, *input->at++);
        }
    }
    *got = filled;
    return status;
}
