/* SPDX-License-Identifier: MIT */
/* What a graphws call answers, and where in an input something was wrong.
 *
 * Every function that can fail returns a gws_status. Outputs are written on success only. The library never prints,
 * exits or aborts. */
#ifndef GWS_STATUS_H
#define GWS_STATUS_H

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
    X(SYSTEM, "the operating system refused")                                                                          \
    X(SYNTAX, "malformed input")                                                                                       \
    X(TRUNCATED, "the input ends too early")                                                                           \
    X(CORRUPT, "the input's checksum or structure is wrong")                                                           \
    X(UNKNOWN_FORMAT, "the format is not known")                                                                       \
    X(UNSUPPORTED, "not supported")                                                                                    \
    X(NEEDS_REVERSE, "a directed graph needs its reverse for this")                                                    \
    X(WRONG_RESULT, "a result does not hold")                                                                          \
    X(DEVICE, "a device failed or did not answer in time")

typedef enum gws_status {
#define GWS_STATUS_NAME(name, text) GWS_##name,
    GWS_STATUS_LIST(GWS_STATUS_NAME)
#undef GWS_STATUS_NAME
} gws_status;

/* The text of a status, without a full stop; never NULL, also for a number that is no status. Static storage. */
GWS_API const char *gws_status_text(gws_status status);

/* Where and why a call failed. Callers pass a pointer to one, or NULL when they do not care; it is filled only on
 * failure. line and column count from 1; 0 means that there is none (a binary file, a missing file). */
struct gws_diagnostic {
    uint64_t line;
    uint64_t column;
    char file[256];    /* the file's name as gws_text_plain() shows it, '' for an empty one; "" for none */
    char message[256]; /* what was found and what was expected, one line, also as it shows it */
};

/* "FILE:LINE:COLUMN: MESSAGE", without the parts that are missing, into text (size bytes, always terminated).
 * status gives the message where where's is empty. Returns text. */
GWS_API char *gws_diagnostic_text(const struct gws_diagnostic *where, gws_status status, char *text, uint64_t size);

/* Fills *where (nothing when it is NULL) and returns status, so that a failing line reads `return
 * gws_diagnostic_set(...)`. file may be NULL; line and column 0 mean none; format and the rest are as for printf in the
 * C locale. */
GWS_API gws_status gws_diagnostic_set(struct gws_diagnostic *where, gws_status status, const char *file, uint64_t line,
                                      uint64_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));

#define GWS_VERSION "0.1.0"

/* The version of the library that is linked, such as "0.1.0". */
GWS_API const char *gws_version(void);

#ifdef __cplusplus
}
#endif
#endif
