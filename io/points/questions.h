/* SPDX-License-Identifier: MIT */
#ifndef GWS_IO_POINTS_QUESTIONS_H
#define GWS_IO_POINTS_QUESTIONS_H

#include "../input/input.h"
#include "../question_io.h"

/* gws_questions_read() of an input that is open. */
gws_status gws__questions_read_input(struct gws__input *input, const struct gws_question_kind *kind, uint32_t kinds,
                                     struct gws_question **question, uint64_t *count, struct gws_where *where);

#endif
