/* SPDX-License-Identifier: MIT */
/* Questions from files: lines of a word and some numbers. What the words mean is the caller's business. */
#ifndef GWS_QUESTION_IO_H
#define GWS_QUESTION_IO_H

#include "../lib/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GWS_QUESTION_NUMBERS = 8 };

/* A word that a line may begin with, how many finite numbers follow (at most GWS_QUESTION_NUMBERS), and the whole form,
 * such as "ball X Y Z RADIUS", for messages. */
struct gws_question_kind {
    const char *name;
    uint32_t numbers;
    const char *form;
};

struct gws_question {
    uint32_t kind; /* which of the kinds */
    uint64_t line; /* where it stood, from 1 */
    double number[GWS_QUESTION_NUMBERS];
};

/* Reads path ("-": standard input; plain or gzip): a question a line, words apart by blanks or commas, comments with #
 * and blank lines allowed. *question is a new array of *count entries, which the caller gives back with
 * gws_release(runtime, *question, *count, sizeof **question). Errors: GWS_SYSTEM, GWS_SYNTAX (another word, too few or
 * too many numbers, one that is not finite), GWS_NO_MEMORY, those of compressed files; where has line and column. */
GWS_API gws_status gws_questions_read(struct gws_runtime *runtime, const char *path,
                                      const struct gws_question_kind *kind, uint32_t kinds,
                                      struct gws_question **question, uint64_t *count, struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
