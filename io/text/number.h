/* SPDX-License-Identifier: MIT */
/* Decimal numbers to 32-bit integers, exactly: rounding looks at the digits, not at a binary approximation. */
#ifndef GWS_IO_NUMBER_H
#define GWS_IO_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

struct gws__number {
    int32_t rounded; /* to the nearest integer, halves away from zero; 0 unless fits */
    bool whole;      /* the number is an integer, however it is written */
    bool fits;       /* rounded is a 32-bit integer; false for nan and inf */
};

/* Reads [+-] digits [. digits] [e [+-] digits] (with a digit before or behind the point), nan, inf or infinity at p.
 * Returns the first byte behind it, or NULL when there is no number. */
const char *gws__number_scan(const char *p, const char *end, struct gws__number *number);

/* The same to a double, correctly rounded; nan and inf are no numbers here, nor is one of more than 127 characters. */
const char *gws__number_scan_real(const char *p, const char *end, double *value);

#endif
