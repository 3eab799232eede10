# SPDX-License-Identifier: MIT
"""What the text of Rudolph, Slivkin-Allalouf and Upfal (SPAA 1991) can be asked without a machine: the bound of Theorem 1 by
the recurrence of its proof, the process that the proof is about, tasks that never move, and the example of section 4.3."""
import math
import random
from fractions import Fraction


def constants(delta):
    """alpha, beta, C of Theorem 1, for changes of a load by at most delta in a step. The balancing probability of a worker
    with L tasks is min(beta / L, 1). The print of the constants is damaged; with these both cases of the proof close."""
    alpha = 6 + 8 * delta
    beta = alpha + 1
    return alpha, beta, 8 * beta + 16 * (alpha + 1) * delta


def step_bound(load, mean, delta):
    """The bound of the proof on the next expected load, at the expected load `load` and the mean `mean`: a change, tasks from
    one's own balancing, and the smaller of the two bounds of what others take."""
    _, beta, _ = constants(delta)
    excess = max(Fraction(0), load - 2 * mean)
    taken = min(beta * excess / (8 * mean), excess / 16) if mean > 0 else excess / 16
    return load + delta + Fraction(beta, 2) - taken


def recurrence_closes(delta, means):
    """Whether a load at the bound alpha A + C stays below it in the next step, whose mean is A - delta at least."""
    alpha, _, c = constants(delta)
    return all(step_bound(Fraction(alpha * mean + c), Fraction(mean), delta) <= alpha * max(0, mean - delta) + c for mean in means)


def balanced_process(processors, steps, seed, growing=1):
    """Simulates the process of the proof: in each step a load changes by 1, first for `growing` processors that only gain
    while the others lose; then each processor balances with a random other one with probability 1 / load, and a pair whose
    processor balances itself, or which others chose too, does not. Returns (the largest ratio of a processor's load, in
    the mean over time, to the mean load in that time; the largest load ever over the mean at the time)."""
    draw = random.Random(seed)
    load, total, area, longest = [4] * processors, [0] * processors, 0, 0.0
    for _ in range(steps):
        for p in range(processors):
            load[p] = max(0, load[p] + (1 if p < growing else -1 if draw.random() < growing / (processors - growing) else 0))
        starts = [p for p in range(processors) if draw.random() * max(1, load[p]) < 1]
        partner = {p: (p + 1 + draw.randrange(processors - 1)) % processors for p in starts}
        chosen = list(partner.values())
        for p, other in partner.items():
            if other not in partner and chosen.count(other) == 1:
                both = load[p] + load[other]
                load[p], load[other] = both // 2, both - both // 2
        mean = sum(load) / processors
        area += mean
        longest = max(longest, max(load) / max(mean, 1))
        total = [a + b for a, b in zip(total, load)]
    return max(total) / max(area, 1), longest


def fullest_pile(tasks, piles):
    """The expected length of the longest of the piles if each task goes to a random pile: the sum over m of the probability
    that some pile has m tasks or more."""
    expected, inverse = 0.0, [1 / math.factorial(k) for k in range(tasks + 1)]
    for bound in range(tasks):
        terms = [1.0] + [0.0] * tasks  # of the exponential generating function of fillings without a pile longer than bound
        for _ in range(piles):
            terms = [sum(terms[n - k] * inverse[k] for k in range(min(n, bound) + 1)) for n in range(tasks + 1)]
        expected += 1 - terms[tasks] * math.factorial(tasks) / piles ** tasks
    return expected


def queue_example(processors, short, long):
    """Section 4.3: one long task and `processors` short ones. Returns the times of a global queue in time slices, and of local
    queues, in the mean over the place of the long task."""
    in_one = long + Fraction(short, processors)
    alone, shared = Fraction(long), long + Fraction(short, 2)
    return float(in_one), float(Fraction(1, processors) * shared + Fraction(processors - 1, processors) * alone)
