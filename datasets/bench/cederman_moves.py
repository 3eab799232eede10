# SPDX-License-Identifier: MIT
"""The part of cederman about four-in-a-row (section 35.4.1, Figures 35.6 to 35.9): gtask connect4 on a device."""
from statistics import median
from typing import NamedTuple

from claims import EXCEEDS, Part, percent, said
from measuring import number
from plotting import Bars, Lines

STACK, BLOCK = 128, 64  # tasks of a worker's stack and of a block (kernels/task/task_words.h)
PAPER_MOVES, PAPER_TASKS = 7, 800000  # the static scheme allocates memory for so many tasks at so many moves
PAPER_WAITING = 12000  # and stealing
PAPER_GAIN = 2  # there stealing is so many times as fast
BAND = (1.5, 3)


class Moves(NamedTuple):
    """A configuration; groups 0: as many as run at the same time."""
    ahead: int
    groups: int
    schedule: str = 'steal'
    tool = 'gtask'

    def words(self, options):
        return ['connect4', f'--device={options.device}', f'--ahead={self.ahead}',
                f'--schedule={self.schedule}', *([f'--groups={self.groups}'] if self.groups else []),
                '--warmup=1', f'--repeat={options.repeat}']

    def __str__(self):
        return f'four-in-a-row, {self.ahead} moves, {self.groups or "all"} groups, {self.schedule}'

    @staticmethod
    def select(found):
        """ms: the kernel's time in the last run; run_ms: a whole run, with the tables of values."""
        device = found['on_device']
        return {'ms': device['kernel_ms'], 'run_ms': found['ms']['median'], 'tasks': found['nodes'], 'workers': device['workers'],
                'groups': device['groups'], 'pushes': device['pushes'], 'steals': device['steals'], 'idle': device['idle']}


def configs_of_moves(setup):
    return [Moves(ahead, groups) for ahead in setup['ahead'] for groups in (*setup['groups'], 0)] + [
        Moves(ahead, 0, 'static') for ahead in setup['ahead']]


def capacity(one):
    """The maximum number of tasks that can have waited at the same time: full stacks, and all published blocks."""
    return one['workers'] * STACK + one['pushes'] * BLOCK


def by_groups(found, ahead):
    """{groups that ran: positions a ms} of the measured configurations; a device may run fewer groups than asked for."""
    rates = {}
    for config in (Moves(ahead, groups) for groups in (*found.setup['groups'], 0)):
        if config in found.results:
            rates.setdefault(found.results[config][-1]['groups'], found.rates(config))
    return dict(sorted(rates.items()))


def groups_claims(part, rates):
    """Adds the claims on the number of groups; rates: {moves: {groups: positions a ms}}."""
    several = {ahead: some for ahead, some in rates.items() if len(some) > 1}
    fewest = {ahead: next(iter(some.values()))[0] / max(some.values())[0] for ahead, some in several.items()}
    part.claim('Figure 35.8', 'a group for each multiprocessor gives poor performance in all cases (here: below 70 % of the best)',
               ', '.join(f'{ahead} moves: {value:.0%}' for ahead, value in fewest.items()) + ' of the best' if fewest else '-',
               said(list(fewest.values()), lambda some: max(some) < 0.7))
    best = {ahead: (max(some, key=some.get), max(some)) for ahead, some in several.items()}
    few, many = [best[4]] if 4 in best else [], [value for ahead, value in best.items() if ahead > 4]
    part.claim('Figure 35.8', 'with four moves there are too few tasks for the most groups',
               ', '.join(f'{groups} of {all_groups} groups are the best' for groups, all_groups in few) or '-',
               said(few, lambda some: some[0][0] < some[0][1]))
    part.claim('Figure 35.8', 'with more than four moves the most groups are the best',
               ', '.join(f'{ahead} moves: {groups} of {all_groups}' for ahead, (groups, all_groups) in best.items() if ahead > 4) or '-',
               said(many, lambda some: all(groups == all_groups for groups, all_groups in some)))


def tasks_claims(part, measured, speeds, levels, gains):
    """Adds the claims on speed and memory; measured: {moves: round}, speeds: {moves: positions a ms}, levels: {moves: positions of the last level}, gains: {moves:
    how many times as fast stealing is as the static schedule}."""
    rates = [rate for rate, _, _ in speeds.values()]
    part.claim('Figure 35.9', 'stealing scales with the number of moves (here: the rate more than doubles)',
               ', '.join(f'{ahead} moves: {number(rate)} a ms' for ahead, rate in zip(measured, rates)) or '-',
               said(rates[1:], lambda later: later[-1] > 2 * rates[0]))
    last = levels.get(PAPER_MOVES)
    part.claim('Figure 35.9', f'the static scheme stores about {PAPER_TASKS:,} tasks at {PAPER_MOVES} moves (here: within 10 %)',
               f'the last level has {last:,} positions' if last else f'{PAPER_MOVES - 1} and {PAPER_MOVES} moves are not measured',
               abs(last / PAPER_TASKS - 1) < 0.1 if last else None)
    part.claim('Figure 35.9', f'stealing is twice as fast as the static scheme at {PAPER_MOVES} moves (here: 1.5 to 3 times)',
               ', '.join(f'{ahead} moves: {percent(gain)}' for ahead, (gain, _, _) in gains.items()) or '-',
               judged(gains[PAPER_MOVES][0]) if PAPER_MOVES in gains else None)
    known = [ahead for ahead in measured if ahead in levels]
    last = max(known, default=None)
    is_small = last and capacity(measured[last]) <= levels[last] / 10
    part.claim('Figure 35.9', 'stealing stores a small part of the tasks of the static scheme (here: a tenth, with the most moves)',
               f'{last} moves: at most {capacity(measured[last]):,} of {levels[last]:,}' if last else '-', True if is_small else None)


def judged(gain):
    """Whether a gain is in the band; EXCEEDS if it is above."""
    return gain >= BAND[0] and (EXCEEDS if gain > BAND[1] else True)


def moves(found):
    part = Part('3. Four-in-a-row (section 35.4.1, Figures 35.8 and 35.9)')
    setup, rates, measured, speeds, levels, gains, fixed = found.setup, {}, {}, {}, {}, {}, {}
    part.rows = [['moves', 'groups', 'schedule', 'kernel ms', 'run ms', 'positions', 'positions a ms', 'idle', 'steals', 'waiting tasks at most',
                  'last level']]
    for ahead in setup['ahead']:
        rates[ahead] = by_groups(found, ahead)
        for config in (config for config in configs_of_moves(setup) if config.ahead == ahead and config in found.results):
            one = found.results[config][-1]
            if config == Moves(ahead, 0):
                measured[ahead], speeds[ahead] = one | {'ms': found.ms(config)}, found.rates(config)
            if config.schedule == 'static':
                fixed[ahead] = found.rates(config)
            if config.schedule == 'static' and ahead in measured:
                gains[ahead] = found.gains(Moves(ahead, 0), config)
            before = found.results.get(config._replace(ahead=ahead - 1))
            if before:
                levels[ahead] = one['tasks'] - before[-1]['tasks']
            part.rows.append([str(ahead), str(one['groups']), config.schedule, number(found.ms(config)),
                              number(median(each['run_ms'] for each in found.results[config])), f'{one["tasks"]:,}',
                              number(found.rate(config)), f'{one["idle"]:.0%}', f'{one["steals"]:,}', f'{capacity(one):,}',
                              f'{levels[ahead]:,}' if ahead in levels else '-'])
    groups_claims(part, rates)
    tasks_claims(part, measured, speeds, levels, gains)
    part.plots = [Lines('moves-groups', 'Four-in-a-row: work-groups', 'positions a millisecond', 'work-groups',
                        {f'{ahead} moves': list(some.items()) for ahead, some in rates.items() if some}),
                  Lines('schedules', 'Four-in-a-row: schedules', 'positions a millisecond', 'moves ahead',
                        {'stealing': list(speeds.items()), 'static': list(fixed.items())}),
                  Bars('schedules-gains', 'Four-in-a-row: how many times as fast stealing is', 'times as fast as the static scheme',
                       [f'{ahead} moves' for ahead in gains], {'stealing': list(gains.values())},
                       {'stealing': {f'{PAPER_MOVES} moves': PAPER_GAIN}}),
                  Lines('moves', 'Four-in-a-row: memory', 'tasks', 'moves ahead',
                        {'stealing: waiting tasks at most': [(ahead, capacity(one)) for ahead, one in measured.items()],
                         'static: the last level': list(levels.items())},
                        paper={'stealing: waiting tasks at most': [(PAPER_MOVES, PAPER_WAITING)],
                               'static: the last level': [(PAPER_MOVES, PAPER_TASKS)]})]
    return part
