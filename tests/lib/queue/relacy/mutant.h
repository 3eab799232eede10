/* SPDX-License-Identifier: MIT */
/* Memory orders for programs that Relacy explores, and mutants. A mutant has one order of the source made weaker. An
 * environment variable selects the mutant, so one compiled program serves for all mutants
 * (tests/lib/queue/test_mutants.py makes them). */
#ifndef GWS_TESTS_RELACY_MUTANT_H
#define GWS_TESTS_RELACY_MUTANT_H

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <relacy/relacy.hpp>

/* Relacy defines these words as macros, but the sources and the C++ library need the words themselves. */
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

struct gws_relacy_mutant {
    char file[64], order[16], weaker[16];
    int from, to; /* lines of the operation */
    int met;      /* number of matching places in the source that ran; must be 1 */
};

struct gws_relacy_order {
    rl::memory_order order;
    bool mutant; /* the order is weaker than in the source */
    operator rl::memory_order() const
    {
        return order;
    }
};

static rl::memory_order gws_relacy_order_of(const char *name)
{
    static const char *const names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    static const rl::memory_order orders[] = {rl::mo_relaxed, rl::mo_acquire, rl::mo_release, rl::mo_acq_rel,
                                              rl::mo_seq_cst};
    for (int i = 0; i < 5; i++)
        if (strcmp(names[i], name) == 0) return orders[i];
    fprintf(stderr, "no order %s\n", name);
    exit(2);
}

/* Reads the mutant from GWS_MUTANT=FILE:FROM:TO:ORDER:WEAKER; FILE is the end of the path. */
static gws_relacy_mutant *gws_relacy_the_mutant()
{
    static gws_relacy_mutant mutant;
    static const char *text = getenv("GWS_MUTANT");
    if (text && !mutant.from &&
        sscanf(text, "%63[^:]:%d:%d:%15[^:]:%15s", mutant.file, &mutant.from, &mutant.to, mutant.order,
               mutant.weaker) != 5)
        exit(2);
    return &mutant;
}

static gws_relacy_order gws_relacy_order_at(const char *name, const char *file, int line)
{
    gws_relacy_mutant *mutant = gws_relacy_the_mutant();
    size_t length = strlen(mutant->file), whole = strlen(file);
    if (length == 0 || length > whole || strcmp(mutant->file, file + whole - length) != 0 || line < mutant->from ||
        line > mutant->to || strcmp(mutant->order, name) != 0)
        return {gws_relacy_order_of(name), false};
    mutant->met++;
    return {gws_relacy_order_of(mutant->weaker), true};
}

/* The macro looks up the order once for each place in the source. */
#define GWS_RELACY_ORDER(name)                                                                                         \
    ([]() {                                                                                                            \
        static const gws_relacy_order order = gws_relacy_order_at(#name, __FILE__, __LINE__);                          \
        return order;                                                                                                  \
    }())
#define memory_order_relaxed (gws_relacy_order{rl::mo_relaxed, false})
#define memory_order_acquire GWS_RELACY_ORDER(acquire)
#define memory_order_release GWS_RELACY_ORDER(release)
#define memory_order_acq_rel GWS_RELACY_ORDER(acq_rel)
#define memory_order_seq_cst GWS_RELACY_ORDER(seq_cst)

#endif
