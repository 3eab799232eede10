/* SPDX-License-Identifier: MIT */
/* Words of others, such as names of files and of devices, for people to read: on one line, and none that steers a
 * terminal. UTF-8 stays as it is. The messages and the logged lines of the library have gone through
 * gws_text_plain(). */
#ifndef GWS_TEXT_H
#define GWS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of the well-formed UTF-8 character (Unicode standard, table 3-7) that text begins with, and its number in
 * *code: 0 bytes where there is none, and *code is the first byte. Reads nothing behind a 0. */
GWS_API uint32_t gws_text_character(const char *text, uint32_t *code);

/* Whether a character is a control character (C0, DEL, C1), ends a line, or changes or hides the order of what is
 * around it (bidirectional marks, byte-order mark). All are below U+10000. */
GWS_API bool gws_text_is_control(uint32_t code);

/* Copies text into plain (size bytes, 8 or more; always terminated; not the same memory). Characters that steer become
 * \x1b or \u202e, bytes that are no UTF-8 \xff; a text that is already plain stays as it is. One that is too long loses
 * its middle to "...". Returns plain. */
GWS_API char *gws_text_plain(const char *text, char *plain, uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
