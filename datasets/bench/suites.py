# SPDX-License-Identifier: MIT
"""The work of datasets/bench/run, and its configurations."""
from typing import NamedTuple

import measuring


class Work(NamedTuple):
    """Work for a tool. tiny: the smallest work of its kind, to test whether a configuration is available."""
    tool: str
    name: str
    words: tuple
    tiny: tuple
    files: tuple = ()  # possible names of a data set; words are then its substitute

    def kind(self):
        """Works of a kind have the same configurations."""
        return ' '.join([self.tool, *self.tiny[:-1]]) if self.tool != 'gtask' else f'gtask {self.tiny[0]}'

    def verifies(self):
        """Whether a check is cheap: for other works it runs them serially."""
        return self.tool == 'gbfs' or self.tiny[0] in ('uts', 'bpc', 'quicksort', 'master-slave')


class Config(NamedTuple):
    """A configuration. threads 0: device only; device '': none; groups 0: the tool decides."""
    threads: int
    policy: str = ''
    device: str = ''
    groups: int = 0

    @property
    def name(self):
        words = [f'{self.threads} thread{"s" * (self.threads != 1)}'] if self.threads else []
        words += [self.device] if self.device else []
        text = ' + '.join(words)
        return text + (f', {self.policy}' if self.policy else '') + (f', {self.groups} group{"s" * (self.groups != 1)}' if self.groups else '')

    def options(self):
        given = [f'--threads={self.threads}'] if self.threads else []
        given += [f'--policy={self.policy}'] if self.policy else []
        if self.device:
            given.append(f'--device={"cpu," if self.threads else ""}{self.device}')
        return given + ([f'--groups={self.groups}'] if self.groups else [])


def graph(name, *files):
    return Work('gbfs', files[0] if files else name, (name,), ('grid:8x8',), measuring.road_files(files[0]) if files else ())


def snap(name, stand_in):
    return Work('gbfs', name, (stand_in,), ('grid:8x8',), (name + '.txt.gz', name + '.txt'))


def points(name):
    return Work('goctree', name, (name,), ('uniform:100',))


def by_tasks(name):
    return Work('goctree', name + ' by tasks', ('--builder=task', name), ('--builder=task', 'uniform:100'))


TINY = {'uts': ('uts', '-t', '1', '-a', '3', '-d', '2', '-b', '2'), 'bpc': ('bpc', '-d', '1', '-n', '2', '--work=1'),
        'connect4': ('connect4', '--ahead=1'), 'quicksort': ('quicksort', '--keys=50'),
        'master-slave': ('master-slave', '--rounds=1', '--slaves=2'),
        'madness': ('madness', '--order=2', '--threshold=1e-1')}


def tasks(name, *words):
    return Work('gtask', name, words, TINY[words[0]])


SUITES = {
    'smoke': [graph('kron:8'), graph('grid:20x20'), points('uniform:2000'), by_tasks('uniform:2000'),
              tasks('UTS tiny', 'uts', '-t', '1', '-a', '3', '-d', '4', '-b', '4', '-r', '19')],
    'quick': [graph('kron:18'), graph('grid:1000x1000'), graph('road:264346', 'NY'), points('uniform:500k'), by_tasks('uniform:500k'),
              tasks('UTS T3', 'uts', '--tree=T3'),
              tasks('BPC d16 n128 100us', 'bpc', '-d', '16', '-n', '128', '--work=100'),
              tasks('connect4, 6 ahead', 'connect4', '--ahead=6'), tasks('quicksort 1M', 'quicksort', '--keys=1000000')],
    'roads': [graph('road:264346', 'NY'), graph('road:321270', 'BAY'), graph('road:435666', 'COL'),
              graph('road:1207945', 'NW'), graph('road:1524453', 'NE'), graph('road:1890815', 'CAL'),
              graph('grid:2000x2000')],
    'scale-free': [graph('kron:18'), graph('kron:20'), graph('kron:22'), graph('uniform:20'),
                   snap('soc-Slashdot0902', 'kron:16:11'), snap('actor-movie-bipartite', 'kron:19:3')],
    'octree': [points('uniform:1M'), points('plummer:1M'), points('shell:1M'), points('uniform:5M'),
               by_tasks('uniform:1M'), by_tasks('plummer:1M')],
    'trees': [tasks('UTS T1', 'uts', '--tree=T1'), tasks('UTS T1L', 'uts', '--tree=T1L'),
              tasks('UTS T3L', 'uts', '--tree=T3L'),
              tasks('BPC d64 n512 100us', 'bpc', '-d', '64', '-n', '512', '--work=100'),
              tasks('connect4, 7 ahead', 'connect4', '--ahead=7'),
              tasks('quicksort 10M', 'quicksort', '--keys=10000000'),
              tasks('masters 10 x 16 x 16', 'master-slave', '--masters=10'),
              tasks('madness peak', 'madness', '--function=peak')],
}
SUITES['all'] = [work for name in ('roads', 'scale-free', 'octree', 'trees') for work in SUITES[name]]
ABOUT = {'smoke': 'everything, tiny: for tests', 'quick': 'a little of everything, about two minutes on 2 cores',
         'roads': 'road maps and a grid', 'scale-free': 'skewed graphs, and an even one', 'octree': 'points in space',
         'trees': 'trees of tasks', 'all': 'the last four'}


def configs(threads, policies, devices, both, blocks):
    """Strong scaling by the default policy, every policy on all threads, and the devices, {address: max groups}, by
    themselves, (both) together with the threads, and (blocks) with rising numbers of groups."""
    max_threads = max(threads)
    found = [Config(count) for count in threads] + [Config(max_threads, policy) for policy in policies]
    for device, groups in devices.items():
        found += [Config(0, device=device)] + ([Config(max_threads, device=device)] if both else [])
        found += [Config(0, device=device, groups=count) for count in measuring.doubling(groups)] if blocks else []
    return found
