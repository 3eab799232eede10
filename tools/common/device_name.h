/* SPDX-License-Identifier: MIT */
/* The words of --device that all tools have: "cpu", or a kind of device and its number, "cuda:1". */
#ifndef TOOLS_COMMON_DEVICE_NAME_H
#define TOOLS_COMMON_DEVICE_NAME_H

/* Answers --device help: the CPU, "auto" with what it does (NULL: the tool has no such word), then every kind with why
 * one is off. The status to exit with. */
int device_name_help(const char *about_auto);

/* Refuses a word that is no KIND or KIND:N: the status to exit with, or -1 when it is one. */
int device_name_check(const char *word);

#endif
