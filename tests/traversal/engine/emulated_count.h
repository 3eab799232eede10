/* SPDX-License-Identifier: MIT */
/* How many devices the tests of parted graphs emulate at most, and the groups of each. */
#ifndef GWS_TESTS_TRAVERSAL_EMULATED_COUNT_H
#define GWS_TESTS_TRAVERSAL_EMULATED_COUNT_H

enum { max_emulated = 8, emulated_groups = 2 };

#endif
