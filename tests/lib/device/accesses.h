/* SPDX-License-Identifier: MIT */
/* What time_accesses.c times, for host and device. */
#ifndef GWS_TESTS_LIB_DEVICE_ACCESSES_H
#define GWS_TESTS_LIB_DEVICE_ACCESSES_H

#define ACCESSES_PUSH 0u
#define ACCESSES_POP 1u
#define ACCESSES_STEAL 2u
#define ACCESSES_LOCK 3u
#define ACCESSES_READ 4u
#define ACCESSES_WORD 5u
#define ACCESSES_PAUSE 6u
#define ACCESSES_MESSAGE 7u
#define ACCESSES_COPY 8u
#define ACCESSES_NOTHING 9u

#define ACCESSES_PATIENCE 100000000u /* polls of a side for the other one */

#endif
