/* SPDX-License-Identifier: MIT */
/* What is done before a signal ends the tool: the progress line goes, and so does a file that is not finished. */
#ifndef TOOLS_COMMON_INTERRUPTS_H
#define TOOLS_COMMON_INTERRUPTS_H

#include <signal.h>
#include <stdbool.h>

/* Takes SIGINT, SIGTERM and SIGHUP, unless they are ignored. terminal: the progress line is on one. */
void interrupts_take(bool terminal);

/* Between these two no thread that is made gets them: so they come to the calling one. */
void interrupts_hold(sigset_t *before);
void interrupts_release(const sigset_t *before);

/* Hook for struct gws_options. */
void interrupts_unfinished(void *context, const char *path);

#endif
