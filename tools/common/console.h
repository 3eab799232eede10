/* SPDX-License-Identifier: MIT */
/* Messages of a tool to its user: errors, progress, names, numbers. A process runs one tool, and this module stores the
 * tool's name. */
#ifndef TOOLS_COMMON_CONSOLE_H
#define TOOLS_COMMON_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../graphws.h"

enum tool_exit {
    TOOL_DONE = 0,
    TOOL_FAILED = 1, /* an input could not be read, an output could not be written, or memory ran out */
    TOOL_MISUSED = 2,
    TOOL_WRONG = 3,    /* a result did not pass its check */
    TOOL_NO_DEVICE = 4 /* the requested device does not exist or cannot be used */
};

/* Sets the tool's name, which begins every message. Opens /dev/null in place of standard files that are closed. Buffers
 * standard output until console_finish(), which reports write errors. */
void console_begin(const char *tool);

/* Sets the memory limit in bytes that out-of-memory messages name; 0: unknown. given: --max-memory set it. */
void console_memory(uint64_t max, bool given);

/* From now on, prints nothing: neither messages nor standard output. console_muted_message() then returns the last
 * message, "" for none. */
enum { CONSOLE_MESSAGE = 1024 };
void console_mute(void);
const char *console_muted_message(void);

/* Prints "TOOL: message" on standard error and returns the exit status. */
int console_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define console_usage(...) (console_fail(__VA_ARGS__), TOOL_MISUSED)
int console_fail_at(gws_status status, const struct gws_diagnostic *where);

/* console_fail_at() for an input. GWS_INVALID becomes TOOL_MISUSED, because an option does not apply to this input. */
int console_fail_input(gws_status status, const struct gws_diagnostic *where);

/* Flushes standard output and returns the exit status: TOOL_FAILED after a write error. */
int console_finish(void);

/* The progress line is rewritten in place on standard error. console_progress_allow() enables it if standard error is a
 * terminal and quiet is false, and returns whether it did. An activity lasts until the next one begins or until
 * console_progress_end(); after one second the line shows its duration. console_progress() and console_log() are hooks
 * for struct gws_options. */
bool console_progress_allow(bool quiet);

/* Before that: another process writes to a terminal what this one writes to standard error. */
void console_progress_forwarded(void);
void console_progress_begin(const char *work, const char *name);
void console_progress(void *context, const char *work, uint64_t done, uint64_t total);
void console_progress_end(void);
void console_log(void *context, const char *line);

/* Makes console_log() print nothing. console_progress_allow() calls it. */
void console_quiet(bool is_quiet);

/* Installs handlers for SIGINT, SIGTERM and SIGHUP unless they are ignored. Before the tool ends, the handler clears
 * the progress line (if terminal is true) and deletes the unfinished output file. */
void interrupts_catch(bool terminal);

/* Calls gws_runtime_open() with these signals blocked. The runtime's threads inherit the mask, so the calling thread
 * receives the signals. */
gws_status interrupts_open_runtime(const struct gws_options *options, struct gws_runtime **runtime);

/* Hook for struct gws_options: the path of the unfinished output file, or NULL. */
void interrupts_unfinished(void *context, const char *path);

/* Writes a printable form of a name, as gws_text_plain() makes it, into text (CONSOLE_NAME bytes). Returns text. */
enum { CONSOLE_NAME = 512 };
char *console_name(const char *name, char *text);

/* Write a number in readable form into text (CONSOLE_NUMBER bytes): "264,346"; "5.9 MB"; "41.2 ms"; "17.9 M". They
 * return text. */
enum { CONSOLE_NUMBER = 32 };
char *console_count(uint64_t number, char *text);
char *console_bytes(uint64_t bytes, char *text);
char *console_time(double ms, char *text);
char *console_rate(double number, char *text);

/* Returns the bytes that this process can allocate before the system kills a process; 0: unknown. This is the machine's
 * available memory, at most the free memory of the process's control groups (versions 1 and 2), minus a sixteenth for
 * memory that no counter includes, divided by the processes of memory_share(). */
uint64_t memory_available(void);

/* Tells that so many processes of one job, this one too, run on this machine. */
void memory_share(uint32_t processes);

#endif
