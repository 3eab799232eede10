/* SPDX-License-Identifier: MIT */
/* What a tool says to a person: errors, progress, names, numbers. One process, one tool: its name is kept here. */
#ifndef TOOLS_COMMON_CONSOLE_H
#define TOOLS_COMMON_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../graphws.h"

enum tool_exit {
    TOOL_DONE = 0,
    TOOL_FAILED = 1, /* an input could not be read, an output not written, memory was short */
    TOOL_MISUSED = 2,
    TOOL_WRONG = 3,    /* a result did not pass its check */
    TOOL_NO_DEVICE = 4 /* the device that was asked for is not there, or cannot be used */
};

/* Takes the tool's name, which begins every message, fills the place of standard files that are closed, and keeps what
 * goes to standard output until console_finish(), so that it says why it cannot be written. */
void console_begin(const char *tool);

/* Takes the bytes that may be used, by --max-memory if that is given, for messages that memory is short; 0: not known.
 */
void console_memory(uint64_t max, bool given);

/* Print "TOOL: message" on standard error and answer the status to exit with. */
int console_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define console_usage(...) (console_fail(__VA_ARGS__), TOOL_MISUSED)
int console_fail_at(gws_status status, const struct gws_diagnostic *where);

/* The same for an input: where it is one that an option is not for, the status is that of misuse. */
int console_fail_input(gws_status status, const struct gws_diagnostic *where);

/* Flushes standard output; the status to exit with: an error there is a failure. */
int console_finish(void);

/* The progress line: on standard error, rewritten in place, if that is a terminal and the tool is not to be quiet,
 * which the first call says and answers. What began lasts until the next thing begins, or console_progress_end(); from
 * one second on the line says for how long. console_progress() and console_log() are hooks for struct gws_options. */
bool console_progress_allow(bool quiet);
void console_progress_begin(const char *work, const char *name);
void console_progress(void *context, const char *work, uint64_t done, uint64_t total);
void console_progress_end(void);
void console_log(void *context, const char *line);

/* A name for people, as gws_text_plain() shows it, into text (CONSOLE_NAME bytes). Returns text. */
enum { CONSOLE_NAME = 512 };
char *console_name(const char *name, char *text);

/* Text of a number for people, into text (CONSOLE_NUMBER bytes): "264,346"; "5.9 MB"; "41.2 ms"; "17.9 M".
 * Returns text. */
enum { CONSOLE_NUMBER = 32 };
char *console_count(uint64_t number, char *text);
char *console_bytes(uint64_t bytes, char *text);
char *console_time(double ms, char *text);
char *console_rate(double number, char *text);

/* How much memory there is for a tool. */

/* Bytes that this process can take before the system kills something: what the machine has available, and no more than
 * what is free in its control groups (versions 1 and 2), less a sixteenth for what nobody counts. 0: not known. */
uint64_t memory_available(void);

#endif
