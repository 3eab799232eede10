/* SPDX-License-Identifier: MIT */
/* The box kernel in portable C. Unlike the other kernels, this kernel rounds after each multiplication. So its
 * coefficients may differ from the other kernels' coefficients in the last bits. */
#include "madness_box.h"

#define TARGET
#define ROWS 1
#define WIDE 2
#define FOLDED_ROWS 1
#define FOLDED 2
#define WIDTH 2
#define EACH(f) f(0), f(1), f(2), f(3)
typedef double vector __attribute__((vector_size(16)));

static inline vector fuse(vector x, vector y, vector z)
{
    vector product = x * y;
    return product + z;
}

static inline vector swap(vector x, int distance)
{
    (void)distance;
    return (vector){x[1], x[0]};
}

#include "madness_box_body.h"

static bool is_here(void)
{
    return true;
}

const struct gws__madness_box gws__madness_plain = {"plain", "C for any processor", is_here, project, compare};
