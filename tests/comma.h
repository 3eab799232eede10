/* SPDX-License-Identifier: MIT */
/* A locale with a decimal comma, in which the lower case of I is not i. The test makes it, because the machine may have
 * none. */
#ifndef GWS_TESTS_COMMA_H
#define GWS_TESTS_COMMA_H

#include "harness.h"

#include <ctype.h>
#include <locale.h>

/* Sets the locale of the process. Returns false, after a message about the skipped test, if localedef is missing.
 * setlocale(LC_ALL, "C") resets the locale. */
static inline bool gws_test_comma(void)
{
    static const char source[] = "LC_CTYPE\ntolower (<A>,<a>)\ntoupper (<a>,<A>)\nEND LC_CTYPE\n"
                                 "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    char command[3 * GWS_TEST_PATH];
    snprintf(command, sizeof command, "localedef -c -i '%s' -f ANSI_X3.4-1968 '%s' >'%s' 2>&1",
             gws_test_file("comma.txt", source, sizeof source - 1), gws_test_temp("xx_XX"), gws_test_temp("comma.log"));
    const char *folder = gws_test_temp("");
    if (system(command) >= 0) setenv("LOCPATH", folder, 1); /* the status is of no use: it reports missing categories */
    char number[8] = "";
    if (setlocale(LC_ALL, "xx_XX")) snprintf(number, sizeof number, "%.1f", 1.5);
    if (strcmp(number, "1,5") == 0 && tolower('I') != 'i') return true;
    printf("skipped: no locale with a decimal comma (localedef makes one)\n");
    return false;
}

#endif
