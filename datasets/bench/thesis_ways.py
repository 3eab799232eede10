# SPDX-License-Identifier: MIT
"""Ways to search, called as in the thesis (2C_16G are 2 CPU threads and 16 groups on the device), and what was found of
them on road maps."""
from statistics import median
from typing import NamedTuple

SIZES = ((1, 8), (1, 16), (2, 16), (2, 32))


class Way(NamedTuple):
    """One way to search; 0 groups: the CPU alone, 0 cpus: the device alone."""
    cpus: int
    groups: int
    steal: str = 'all'
    threshold: str = 'auto'
    policy: str = 'chunked'
    order: str = 'weakest'

    @property
    def name(self):
        if not self.groups:
            return f'{self.cpus}C alone'
        size = f'{self.cpus}C_{self.groups}G' if self.cpus else f'{self.groups}G'
        told = [*(['coarse'] if self.policy == 'coarse' else [] if self.steal == 'all' else ['steal ' + self.steal]),
                *([] if self.threshold == 'auto' else ['threshold ' + self.threshold]),
                *([] if self.order == 'weakest' else [self.order])]
        return ' '.join([size, *told])

    def options(self, device, chunk, group_size):
        """Of gbfs; those of a device or of thieves are refused where there are none. group_size None: chosen there."""
        given = [f'--threads={max(1, self.cpus)}', '--direction=top-down']
        if not self.groups:
            return [*given, '--device=cpu']
        given += [f'--device={"cpu," if self.cpus else ""}{device}', f'--groups={self.groups}', f'--chunk={chunk}',
                  f'--policy={self.policy}', f'--order={self.order}']
        given += [f'--group-size={group_size}'] if group_size else []
        given += [f'--steal={self.steal}'] if self.policy != 'coarse' else []
        return given + ([f'--gpu-threshold={self.threshold}'] if self.cpus else [])


CPU = Way(2, 0)
BEST = Way(2, 16)


class Findings:
    """By map and way: times, one of each round, and what gbfs said of the last run."""

    def __init__(self, maps, chunk):
        self.maps, self.chunk, self.rows = maps, chunk, {}

    def put(self, road, way, times, about):
        self.rows[road, way.name] = (times, about)

    def has(self, *ways):
        return [road for road in self.maps if all((road, way.name) in self.rows for way in ways)]

    def ms(self, road, way):
        return median(self.rows[road, way.name][0])

    def about(self, road, way):
        return self.rows[road, way.name][1]

    def times_longer(self, road, way, than):
        """The median over the rounds, each of which measured both in turn."""
        return median(a / b for a, b in zip(self.rows[road, way.name][0], self.rows[road, than.name][0]))

    def frontier(self, road):
        """Sizes of the levels, as any way found them."""
        return next(about['level_sizes'] for (name, _), (_, about) in self.rows.items() if name == road)

    def guide(self, cpus, groups):
        return (cpus + groups) * self.chunk

    def joins(self, cpus, groups):
        """Maps whose frontier ever reaches the threshold: on others the device does nothing."""
        return [road for road in self.maps if max(self.frontier(road), default=0) >= self.guide(cpus, groups)]
