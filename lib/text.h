/* SPDX-License-Identifier: MIT */
/* Foreign text, such as names of files and of devices, made safe to print. Safe text is one line without terminal
 * control characters. UTF-8 stays unchanged. All messages and log lines of the library have passed gws_text_plain(). */
#ifndef GWS_TEXT_H
#define GWS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the length in bytes of the well-formed UTF-8 character (Unicode standard, table 3-7) at the start of text.
 * *code receives its code point. If there is no such character, the function returns 0 and *code receives the first
 * byte. The function reads nothing behind a 0. */
GWS_API uint32_t gws_text_character(const char *text, uint32_t *code);

/* Returns whether a character is a control character (C0, DEL, C1), ends a line, or changes or hides the order of its
 * neighbours (bidirectional marks, byte-order mark). All such characters are below U+10000. */
GWS_API bool gws_text_is_control(uint32_t code);

/* Copies text into plain (size bytes, 8 or more; always terminated; not the same memory). Control characters become
 * \x1b or \u202e, and bytes that are not UTF-8 become \xff. Plain text stays unchanged. If the text is too long, "..."
 * replaces its middle. Returns plain. */
GWS_API char *gws_text_plain(const char *text, char *plain, uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
