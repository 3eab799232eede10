/* SPDX-License-Identifier: MIT */
/* Boxes of a MADNESS tree in plain C. Rounds after each multiplication, which the others do not: the last bits of a
 * coefficient may differ from theirs, and only from theirs. */
#include "madness_box.h"

typedef struct {
    double at[8];
} lanes;
#define TARGET
#define INSTRUCTION static inline __attribute__((always_inline))
#define ROWS 1
#define WIDE 2
#define FOLDED_ROWS 1
#define FOLDED 2

INSTRUCTION lanes load(const double *array)
{
    lanes x;
    for (int c = 0; c < 8; c++) x.at[c] = array[c];
    return x;
}

INSTRUCTION void store(double *array, lanes x)
{
    for (int c = 0; c < 8; c++) array[c] = x.at[c];
}

INSTRUCTION lanes spread(double x)
{
    return (lanes){{x, x, x, x, x, x, x, x}};
}

INSTRUCTION lanes zero(void)
{
    return spread(0);
}

INSTRUCTION lanes add(lanes x, lanes y)
{
    for (int c = 0; c < 8; c++) x.at[c] += y.at[c];
    return x;
}

INSTRUCTION lanes subtract(lanes x, lanes y)
{
    for (int c = 0; c < 8; c++) x.at[c] -= y.at[c];
    return x;
}

INSTRUCTION lanes times(lanes x, lanes y)
{
    for (int c = 0; c < 8; c++) x.at[c] *= y.at[c];
    return x;
}

INSTRUCTION lanes fused(lanes x, lanes y, lanes z)
{
    return add(times(x, y), z);
}

INSTRUCTION lanes neighbour(lanes x, uint32_t axis)
{
    lanes y;
    for (unsigned c = 0; c < 8; c++) y.at[c] = x.at[c ^ (4u >> axis)];
    return y;
}

INSTRUCTION double total(lanes x)
{
    return ((x.at[0] + x.at[4]) + (x.at[2] + x.at[6])) + ((x.at[1] + x.at[5]) + (x.at[3] + x.at[7]));
}

#include "madness_box_body.h"

static bool is_here(void)
{
    return true;
}

const struct gws__madness_box gws__madness_plain = {"plain", "C for any processor", is_here, project, compare};
