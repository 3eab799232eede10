/* SPDX-License-Identifier: MIT */
/* Boxes of a MADNESS tree in plain C. Rounds after each multiplication, which the others do not: the last bits of a
 * coefficient may differ from theirs, and only from theirs. */
#include "madness_box.h"

#define TARGET
#define ROWS 1
#define WIDE 2
#define FOLDED_ROWS 1
#define FOLDED 2
#define WIDTH 2
#define EACH(f) f(0), f(1), f(2), f(3)
typedef double part __attribute__((vector_size(16)));

static inline part fuse(part x, part y, part z)
{
    part product = x * y;
    return product + z;
}

static inline part swap(part x, int apart)
{
    (void)apart;
    return (part){x[1], x[0]};
}

#include "madness_box_body.h"

static bool is_here(void)
{
    return true;
}

const struct gws__madness_box gws__madness_plain = {"plain", "C for any processor", is_here, project, compare};
