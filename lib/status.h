/* SPDX-License-Identifier: MIT */
/* Status codes, and the place of an error in an input.
 *
 * Every function that can fail returns a gws_status. Such a function writes its outputs on success only. The library
 * never prints, exits or aborts. */
#ifndef GWS_STATUS_H
#define GWS_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GWS_API __attribute__((visibility("default")))

/* name, text. The order is part of the ABI: append only. */
#define GWS_STATUS_LIST(X)                                                                                             \
    X(OK, "success")                                                                                                   \
    X(INVALID, "invalid argument")                                                                                     \
    X(NO_MEMORY, "out of memory")                                                                                      \
    X(TOO_LARGE, "too large: a size overflows or a limit is exceeded")                                                 \
    X(OUT_OF_RANGE, "a vertex or value is out of range")                                                               \
    X(SYSTEM, "operating system error")                                                                                \
    X(SYNTAX, "malformed input")                                                                                       \
    X(TRUNCATED, "the input ends too early")                                                                           \
    X(CORRUPT, "invalid checksum or structure")                                                                        \
    X(UNKNOWN_FORMAT, "unknown format")                                                                                \
    X(UNSUPPORTED, "not supported")                                                                                    \
    X(NEEDS_REVERSE, "the directed graph needs its reverse for this operation")                                        \
    X(WRONG_RESULT, "wrong result")                                                                                    \
    X(DEVICE, "a device failed or did not answer in time")                                                             \
    X(BUSY, "the runtime is in use: another thread is inside a call, or the caller is inside a loop body")             \
    X(CANCELLED, "cancelled")

typedef enum gws_status {
#define GWS_STATUS_NAME(name, text) GWS_##name,
    GWS_STATUS_LIST(GWS_STATUS_NAME)
#undef GWS_STATUS_NAME
} gws_status;

/* Returns the text of a status, without a full stop. The text is never NULL, even for an invalid number. It has static
 * storage. */
GWS_API const char *gws_status_text(gws_status status);

/* The place and the reason of a failure. A caller passes a pointer to such a struct, or NULL. The library fills the
 * struct on failure only. line and column count from 1; 0: none (a binary file, a missing file). */
struct gws_diagnostic {
    uint64_t line;
    uint64_t column;
    char file[256];    /* the file's name after gws_text_plain(); '' for an empty name; "" for none */
    char message[256]; /* the found and the expected input, in one line, after gws_text_plain() */
};

/* Formats "FILE:LINE:COLUMN: MESSAGE", without missing parts, into text (size bytes, always terminated). If the message
 * is empty, the text of status replaces it. Returns text. */
GWS_API char *gws_diagnostic_text(const struct gws_diagnostic *where, gws_status status, char *text, uint64_t size);

/* Fills *where (unless it is NULL) and returns status. A failing function can thus end with one return statement. file
 * may be NULL. line and column 0 mean none. format and the other arguments are as for printf in the C locale. */
GWS_API gws_status gws_diagnostic_set(struct gws_diagnostic *where, gws_status status, const char *file, uint64_t line,
                                      uint64_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Works like gws_diagnostic_set() with the status's own text as the message. Has no effect for GWS_OK. */
static inline gws_status gws_diagnostic_status(struct gws_diagnostic *where, gws_status status)
{
    if (status != GWS_OK) (void)gws_diagnostic_set(where, status, NULL, 0, 0, "%s", gws_status_text(status));
    return status; /* status itself, whose value static analysis sees */
}

#define GWS_VERSION "1.0.0"

/* Returns the version of the linked library, such as "1.0.0". */
GWS_API const char *gws_version(void);

#ifdef __cplusplus
}
#endif
#endif
