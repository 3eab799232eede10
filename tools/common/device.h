/* SPDX-License-Identifier: MIT */
/* Devices as all tools have them: the words of --device, which are "cpu", or a kind of device and its number, "cuda:1";
 * opening one, and the statuses to exit with. */
#ifndef TOOLS_COMMON_DEVICE_H
#define TOOLS_COMMON_DEVICE_H

#include "../../graphws.h"

/* Answers --device help: the CPU, "auto" with what it does (NULL: the tool has no such word), then every kind with why
 * one is off. The status to exit with. */
int device_name_help(const char *about_auto);

/* Refuses a word that is no KIND or KIND:N: the status to exit with, or -1 when it is one. */
int device_name_check(const char *word);

/* Opens the device of that name: -1, or the status to exit with after the mistake has been reported, which is one of
 * its own where the device is not there. */
int device_open(struct gws_runtime *runtime, const char *address, struct gws_device **device);

/* Reports what could not be done on a device, and answers the status to exit with: what it cannot do is misuse. */
int device_fail(gws_status status, const struct gws_where *where);

#endif
