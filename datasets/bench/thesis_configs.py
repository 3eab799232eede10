# SPDX-License-Identifier: MIT
"""Configurations of searches, named as in the thesis (2C_16G: 2 CPU threads and 16 groups on the device), and their
results on road maps."""
from statistics import median
from typing import NamedTuple

from plotting import middle

class Config(NamedTuple):
    """A configuration; 0 groups: CPU only, 0 cpus: device only."""
    cpus: int
    groups: int
    steal: str = 'all'
    threshold: str = 'auto'
    policy: str = 'chunked'
    order: str = 'weakest'
    form: str = ''  # 'handoff': hybrid, with gbfs's own choice of groups; 'own': the device only, likewise

    @property
    def name(self):
        if self.form:
            return f'{self.cpus}C handoff' if self.cpus else 'device only, as gbfs chooses'
        if not self.groups:
            return f'{self.cpus}C only'
        size = f'{self.cpus}C_{self.groups}G' if self.cpus else f'{self.groups}G'
        shown = [*(['coarse'] if self.policy == 'coarse' else [] if self.steal == 'all' else ['steal ' + self.steal]),
                *([] if self.threshold == 'auto' else ['threshold ' + self.threshold]),
                *([] if self.order == 'weakest' else [self.order])]
        return ' '.join([size, *shown])

    def options(self, device, chunk, group_size):
        """The options of gbfs, which refuses those without effect. group_size None: gbfs decides."""
        given = [f'--threads={max(1, self.cpus)}', '--direction=top-down']
        if self.form:
            return [*given, f'--device={"cpu," if self.cpus else ""}{device}', *(['--form=handoff'] if self.cpus else [])]
        if not self.groups:
            return [*given, '--device=cpu']
        given += [f'--device={"cpu," if self.cpus else ""}{device}', f'--groups={self.groups}', f'--chunk={chunk}',
                  f'--policy={self.policy}', f'--order={self.order}']
        given += [f'--group-size={group_size}'] if group_size else []
        given += [f'--steal={self.steal}'] if self.policy != 'coarse' else []
        return given + ([f'--gpu-threshold={self.threshold}'] if self.cpus else [])


CPU = Config(2, 0)
HANDOFF, OWN = Config(2, 0, form='handoff'), Config(0, 0, form='own')


class Workers(NamedTuple):
    """Three numbers of work-groups, as many as the device has compute units, twice and four times as many."""
    few: int
    some: int
    many: int

    @property
    def sizes(self):
        """Threads and groups of the hybrid configurations."""
        return ((1, self.few), (1, self.some), (2, self.some), (2, self.many))

    @property
    def best(self):
        return Config(2, self.some)

    @property
    def alone(self):
        """Each side alone."""
        return [CPU, *(Config(0, groups) for groups in self)]

    def in_thesis(self, size):
        """The name in the thesis of one of the sizes, if it differs here, in brackets."""
        cpus, groups = THESIS.sizes[self.sizes.index(size)]
        return '' if self == THESIS else f' (there {cpus}C_{groups}G)'


THESIS = Workers(8, 16, 32)  # its device has 8 compute units
BEST = THESIS.best


class Findings:
    """By map and configuration: the time of each round, and gbfs's report of the last run."""

    def __init__(self, maps, chunk, workers=THESIS):
        self.maps, self.chunk, self.workers, self.rows = maps, chunk, workers, {}

    def put(self, road, config, times, about):
        self.rows[road, config.name] = (times, about)

    def has(self, *configs):
        return [road for road in self.maps if all((road, config.name) in self.rows for config in configs)]

    def ms(self, road, config):
        return median(self.rows[road, config.name][0])

    def about(self, road, config):
        return self.rows[road, config.name][1]

    def spread(self, road, config):
        """The median of the times and the ends of its error bar."""
        return middle(self.rows[road, config.name][0])

    def ratios(self, road, config, than):
        return [a / b for a, b in zip(self.rows[road, config.name][0], self.rows[road, than.name][0])]

    def times_longer(self, road, config, than):
        """The median over the rounds, each of which measured both in turn."""
        return median(self.ratios(road, config, than))

    def gain(self, road, config, than):
        """By how many percent the other configuration takes longer, with the ends of its error bar."""
        return middle(100 * (ratio - 1) for ratio in self.ratios(road, than, config))

    def best_alone(self, road):
        """The milliseconds of the CPU alone, and of the best number of groups alone; None if not measured."""
        cpu, *device = (self.ms(road, config) if road in self.has(config) else None for config in self.workers.alone)
        return cpu, min((ms for ms in device if ms is not None), default=None)

    def frontier(self, road):
        """Sizes of the levels, from any configuration."""
        return next(about['level_sizes'] for (name, _), (_, about) in self.rows.items() if name == road)

    def guide(self, cpus, groups):
        return (cpus + groups) * self.chunk

    def joins(self, cpus, groups):
        """Maps whose frontier reaches the threshold; on others the device does nothing."""
        return [road for road in self.maps if max(self.frontier(road), default=0) >= self.guide(cpus, groups)]
