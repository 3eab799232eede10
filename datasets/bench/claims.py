# SPDX-License-Identifier: MIT
"""Compares the claims of a paper with the results here: for cederman, chen, thesis, dinan and rudolph."""
import measuring

EXCEEDS = 'exceeds'
ON = {True: 'holds', False: 'DOES NOT HOLD', None: 'cannot tell', EXCEEDS: 'more than that'}
SMALL = 'too small to tell'  # the result of every claim in a smoke run


class Part:
    """The report of an experiment: a table, figures, and the claims with their results."""

    def __init__(self, title):
        self.title, self.rows, self.plots, self.claims = title, [], [], []

    def claim(self, where, says, found, holds):
        """holds: None if the results do not decide the claim; EXCEEDS if they are beyond its band, to the good side."""
        self.claims.append([where, says, found, ON[holds]])


def percent(ratio):
    return f'{100 * (ratio - 1):+.1f} %'


def share(value):
    return '-' if value is None else f'{value:.1%}'


def on(threads):
    return f'{threads} thread{"s" * (threads != 1)}'


def near(value, stated, factor=2):
    """Whether a value is in the band around the paper's: at most `factor` times smaller or larger."""
    return stated / factor <= value <= stated * factor


def gain_band(stated):
    """The band of a gain as text: half to twice of what the paper says; stated: a ratio of times."""
    return f'here: {50 * (stated - 1):.3g} to {200 * (stated - 1):.3g} %'


def gains(ratio, stated):
    """Whether a gain is in that band, or EXCEEDS it. Ratios of times."""
    return EXCEEDS if ratio - 1 > 2 * (stated - 1) else ratio - 1 >= (stated - 1) / 2


def said(values, judge):
    """judge(values); None if there are no values."""
    return judge(values) if values else None


def claims_table(parts, who, small=False, busy=False):
    """small: the run only tried the program, so that its results decide nothing. busy: other load on the machine, so that
    failures are undecided."""
    rows = [[*row[:-1], SMALL if small else ON[None] if busy and row[-1] == ON[False] else row[-1]]
            for part in parts for row in part.claims]
    return measuring.table([['section', who, 'here', ''], *rows]) if rows else ''
