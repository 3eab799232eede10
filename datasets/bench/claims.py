# SPDX-License-Identifier: MIT
"""What a text says beside what is found here: cederman, thesis, dinan and rudolph."""
import measuring

ON = {True: 'holds', False: 'DOES NOT HOLD', None: 'cannot tell'}


class Part:
    """What an experiment made of the findings: a table, figures, and what is said beside what is."""

    def __init__(self, title):
        self.title, self.rows, self.plots, self.claims = title, [], [], []

    def claim(self, where, says, found, holds):
        """holds: None where what was found cannot tell."""
        self.claims.append([where, says, found, ON[holds]])


def percent(ratio):
    return f'{100 * (ratio - 1):+.1f} %'


def share(value):
    return '-' if value is None else f'{value:.1%}'


def on(threads):
    return f'{threads} thread{"s" * (threads != 1)}'


def said(values, judge):
    """What judge says of all values; None where there are none."""
    return judge(values) if values else None


def claims_table(parts, who):
    rows = [row for part in parts for row in part.claims]
    return measuring.table([['section', who, 'here', ''], *rows]) if rows else ''
