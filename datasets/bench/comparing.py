# SPDX-License-Identifier: MIT
"""Compares two runs of datasets/bench/run, by the noise that each measured.

A figure has a value for each round. Its noise is half of their range (as a factor). Since three rounds may agree by chance,
it is at least the median noise of the run's figures, and at least the drift of the machine's speed. A change counts if it
is more than twice the noise of both runs together, and more than 2 %: with normally distributed rounds, one figure in a
thousand exceeds that by chance.
Between runs the machine may change, or other users may load it. So each run times the same checksums between its rounds,
and a change must count both by itself and relative to the checksums."""
import json
import os
from math import log
from pathlib import Path
from statistics import median, quantiles

MIN_CHANGE = 0.02
MACHINE = ('machine', 'checksums')  # the key of the figure of the machine alone


class Run:
    """The content of a file of --save or --json."""

    def __init__(self, about, figures, end=None):
        self.about, self.end, self.figures = about, end, {(one['section'], one['name']): one for one in figures}
        tools = [spread(figure) for key, figure in self.figures.items() if key != MACHINE]
        self.noise = max(median(tools) if tools else 0.0, drift(self.figures.get(MACHINE)))

    def noise_of(self, figure):
        return max(spread(figure), self.noise)


def spread(figure):
    """Half of the range of the rounds, as a logarithm: 0.1 is about 10 % up or down."""
    return log(max(figure['values']) / min(figure['values'])) / 2


def drift(machine):
    """Half of the interquartile range of the checksums, which are timed throughout the run."""
    if not machine or len(machine['values']) < 2:
        return 0.0
    quarter = quantiles(machine['values'], n=4, method='inclusive')
    return log(quarter[2] / quarter[0]) / 2


def read(path):
    """Raises ValueError if the file is not one of these."""
    try:
        lines = [json.loads(line) for line in Path(path).read_text(encoding='utf-8').splitlines()]
        about, figures = lines[0], [line for line in lines if line['kind'] == 'figure']
        if about['kind'] != 'run' or not all(min(figure['values']) > 0 and figure['median'] > 0 for figure in figures):
            raise ValueError('nothing measured')
        return Run(about, figures, next(line for line in lines if line['kind'] == 'end'))
    except (ValueError, LookupError, TypeError, StopIteration) as problem:
        raise ValueError(f'{path} is not a file of --save') from problem


def save(path, records):
    """Writes the whole file or none."""
    draft = Path(f'{path}.draft')
    try:
        draft.write_text(''.join(json.dumps(record) + '\n' for record in records), encoding='utf-8')
        os.replace(draft, path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def change(now, old, key):
    """(relative change of the time, -1 better, 0 within noise or 1 worse), or None if the old run lacks the figure."""
    before, after = old.figures.get(key), now.figures[key]
    if before is None:
        return None
    ratio = after['median'] / before['median']
    noise = max(log(1 + MIN_CHANGE), 2 * (now.noise_of(after) + old.noise_of(before)))
    low, high = sorted([log(ratio), log(ratio / machine(now, old))])
    return ratio - 1, 1 if low > noise else -1 if high < -noise else 0


def machine(now, old):
    """The ratio of the times of the same checksums in both runs."""
    if MACHINE not in now.figures or MACHINE not in old.figures:
        return 1.0
    return now.figures[MACHINE]['median'] / old.figures[MACHINE]['median']


def verdict(found):
    if found is None:
        return 'new'
    return f'{found[0]:+.1%} ' + {-1: 'better', 0: '', 1: 'WORSE'}[found[1]]


def summary(now, old):
    """The summary of all figures: lines of text."""
    changes = {key: change(now, old, key) for key in now.figures if key != MACHINE}
    both = [found for found in changes.values() if found]
    lines = [f'{what}: the baseline is of {old.about.get(key)}, this run of {now.about.get(key)}; times do not compare'
             for what, key in (('another machine', 'cpu'), ('another number of CPUs', 'cores'))
             if old.about.get(key) != now.about.get(key)]
    if not both:
        return lines + ['nothing that the baseline has was measured']
    lines.append(f'against the baseline of {old.about.get("date")}: {sum(c[1] > 0 for c in both)} worse, '
                 f'{sum(c[1] < 0 for c in both)} better, {sum(c[1] == 0 for c in both)} within the noise; half of all '
                 f'changes are above {median(c[0] for c in both):+.1%}, and the machine took '
                 f'{machine(now, old) - 1:+.1%} time for checksums')
    gone = [key for key in old.figures if key not in now.figures]
    return lines + ([f'{len(gone)} figures of the baseline were not measured'] if gone else [])


def regressions(now, old):
    return [key for key in now.figures if key != MACHINE and (change(now, old, key) or (0, 0))[1] > 0]
