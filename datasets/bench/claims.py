# SPDX-License-Identifier: MIT
"""Compares the claims of a paper with the results here: for cederman, chen, thesis, dinan and rudolph."""
import measuring

ON = {True: 'holds', False: 'DOES NOT HOLD', None: 'cannot tell'}
SMALL = 'too small to tell'  # the result of every claim in a smoke run


class Part:
    """The report of an experiment: a table, figures, and the claims with their results."""

    def __init__(self, title):
        self.title, self.rows, self.plots, self.claims = title, [], [], []

    def claim(self, where, says, found, holds):
        """holds: None if the results do not decide the claim."""
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


def said(values, judge):
    """judge(values); None if there are no values."""
    return judge(values) if values else None


def claims_table(parts, who, small=False, busy=False):
    """small: the run only tried the program, so that its results decide nothing. busy: other load on the machine, so that
    failures are undecided."""
    rows = [[*row[:-1], SMALL if small else ON[None] if busy and row[-1] == ON[False] else row[-1]]
            for part in parts for row in part.claims]
    return measuring.table([['section', who, 'here', ''], *rows]) if rows else ''
