# SPDX-License-Identifier: MIT
"""The simulations that claims puts beside the claims of the five texts: calls of gsim by name, how they are run and stored,
and read again."""
import json
import shlex
import subprocess

import measuring

MEMBERS = ('virtual_ms', 'termination_ms', 'efficiency', 'tasks', 'nodes', 'stolen', 'steals', 'failed_steals', 'aborted_steals',
        'queue_high_water', 'queue_spread', 'slaves', 'strays')
HOW = {'gives up': [], 'spins': ['--wait'], 'ticket': ['--wait', '--ticket']}  # thieves at a held lock
UNIFORM = '--cost=migrate=0,shared=1'  # the machine of Rudolph et al. without distances
PROCESSORS = (1, 2, 3, 4, 5, 6, 7, 8)


def dinan(*words):
    """Thieves run the newest of the tasks that they stole first, as the paper's processes do."""
    return [*words, '--policy=split', '--preset=dinan', '--newest']


def oldest(words):
    """The same in the library's order."""
    return [word for word in words if word != '--newest']


def cluster():
    """Dinan et al.: up to 8,192 processes, on trees and producers that a minute simulates."""
    runs = {f'queues, {name}, {count}': ['bpc', '-d', 1024, '-n', 64, '--work=1000', f'--policy={policy}', '--preset=dinan',
                                         f'--workers={count}']
            for count in (16, 64, 128, 256, 512) for name, policy in (('split', 'split'), ('locked', 'workpile'))}
    runs |= {f'amount, {amount}, {count}': dinan('uts', '-t', 1, '-a', 3, '-d', 11, '-b', 4, '-r', 19, f'--amount={amount}',
                                                 f'--workers={count}')
             for count in (64, 256) for amount in ('half', 'two', 'one')}
    runs |= {f'unbalanced, {amount}': dinan('uts', '--tree=T3', f'--amount={amount}', '--workers=256') for amount in ('half', 'two', 'one')}
    runs |= {f'BPC, {how}, {count}': dinan('bpc', '-n', count, '-d', depth, '--work=10000', f'--workers={count}', *words)
             for count, depth in ((512, 256), (8192, 64)) for how, words in HOW.items()}
    runs['BPC, long, 8192'] = dinan('bpc', '-n', 8192, '-d', 256, '--work=10000', '--workers=8192')
    runs |= {f'UTS, {how}': dinan('uts', '--tree=T1L', '--workers=8192', *words) for how, words in HOW.items()}
    # A node takes as long as 200 of the paper's, so that a worker has 1.6 s of work; it has 22 s in the paper.
    runs['UTS, long tasks'] = dinan('uts', '--tree=T1L', '--cost=node=132000', '--workers=8192')
    runs |= {f'UTS, vote, {count}': dinan('uts', '-t', 1, '-a', 3, '-d', 8, '-b', 4, '-r', 19, f'--workers={count}')
             for count in (64, 512, 8192)}
    return runs | {f'{name}, oldest': oldest(runs[name]) for name in ('amount, half, 256', 'BPC, gives up, 8192', 'UTS, gives up')}


def piles():
    """Rudolph et al.: their machine, 1 to 16 processors."""
    policies = {'own': 'workpile', 'one': 'global'}
    works = {'quicksort': ['quicksort', '--keys=500', '--cutoff=1', UNIFORM],
             '8 slaves': ['master-slave', '--slaves=8', '--master-work=64', '--slave-work=64', UNIFORM],
             '64 slaves': ['master-slave', '--slaves=64', '--await', '--master-work=64', '--slave-work=64']}
    runs = {f'{work}, {name}, {count}': [*words, f'--policy={policy}', '--preset=rudolph', f'--workers={count}']
            for work, words in works.items() for count in PROCESSORS for name, policy in policies.items()}
    return runs | {f'ten masters, {count}': ['master-slave', '--masters=10', '--policy=workpile', '--preset=rudolph', UNIFORM,
                                             f'--workers={count}'] for count in (2, 4, 8, 16)}


def blocks():
    """Cederman, Tsigas: the tree of seven moves ahead, all of which have seven successors, on 240 blocks."""
    return {'seven moves, 240': ['uts', '-t', 3, '-b', 7, '-d', 8, '--policy=abp', '--preset=h200', '--workers=240']}


GROUPS = (blocks, cluster, piles)


def simulate(tools, words):
    found, _ = tools.json('gsim', *words)
    return {key: found[key] for key in MEMBERS if key in found}


def run_all(options, record):
    """Runs the groups, and records each simulation."""
    tools = measuring.Tools(options.bin, lambda text: None, ['gsim'])
    runs = {name: words for group in GROUPS for name, words in group().items()}
    progress = measuring.Progress(len(runs), options.quiet)
    for name, words in runs.items():
        progress.step(name)
        record({'kind': 'simulation', 'name': name, 'command': shlex.join(['gsim', *map(str, words)]),
                'found': simulate(tools, words)})
    return progress.end()
