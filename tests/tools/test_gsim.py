#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gsim: results, repeatability, refused options. The times of a simulation are those of its costs, so tests compare them."""
import unittest

from tool import ToolTest, without_sanitizers

WORKLOADS = ('uts', 'bpc', 'quicksort', 'master-slave', 'levels', 'recorded')
POLICIES = ('abp', 'chaselev', 'split', 'workpile', 'global')


class Gsim(ToolTest):
    def test_help(self):
        text = self.good('gsim', '--help')
        for word in ('usage: gsim WORKLOAD', 'Exit status', 'Examples', '--preset', '--cost', *WORKLOADS):
            self.assertIn(word, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        for workload in WORKLOADS:
            self.assertEqual('--tree=' in self.good('gsim', workload, '--help'), workload == 'uts')

    def test_lists_of_names(self):
        for option, expected in (('preset', {'threads', 'h200', 'nvlink', 'mpi', 'dinan', 'rudolph', 'here'}),
                                 ('cost', {'pop', 'push', 'server', 'node'}), ('policy', set(POLICIES)),
                                 ('victim', {'random', 'nearest'}), ('amount', {'half', 'one'})):
            names = {line.split()[0] for line in self.good('gsim', 'bpc', f'--{option}=help').splitlines()}
            self.assertGreaterEqual(names, expected)
        self.assertIn('T1WL', self.good('gsim', 'uts', '--tree=help'))

    @staticmethod
    def without_clock(found):
        return {key: value for key, value in found.items() if key not in ('wall_ms', 'events_per_s')}

    def test_the_same_options_give_the_same_result(self):
        for policy in POLICIES:
            for machine in (['--preset=mpi'], ['--preset=dinan', '--topology=torus', '--host=4'], ['--preset=nvlink']):
                words = ['uts', '-a', '3', '-d', '6', '-r', '19', '--workers=200', f'--policy={policy}', *machine]
                first = self.json('gsim', *words)
                self.assertEqual(self.without_clock(first), self.without_clock(self.json('gsim', *words)))
                self.assertEqual((first['nodes'], first['leaves'], first['tasks']), (16000, 12839, 3161))
                self.assertGreater(first['virtual_ms'], first['termination_ms'])

    @without_sanitizers
    def test_named_trees_are_complete(self):
        self.assertEqual(self.json('gsim', 'uts', '--tree=T3', '--workers=64', '--policy=split')['nodes'], 4112897)

    def test_costs(self):
        words = ['bpc', '-d2', '-n100', '--policy=global', '--workers=10', '--preset=rudolph', '--work=5']
        self.assertAlmostEqual(self.json('gsim', *words, '--cost=migrate=0')['virtual_ms'], 0.2, delta=1e-3)  # 20 turns of 5 us, at 2
        dear = self.json('gsim', *words, '--cost=shared=4,pop=1000,migrate=0')
        self.assertEqual(dear['costs']['shared'], 4)
        self.assertGreater(dear['virtual_ms'], 0.41)

    def test_costs_of_this_machine(self):
        """--preset here measures; the costs that it reports give the same simulation again."""
        words = ['bpc', '-d4', '-n100', '--policy=split', '--workers=8', '--work=5']
        here = self.json('gsim', *words, '--preset=here')
        self.assertEqual(here['preset'], 'here')
        for name in ('pop', 'push', 'lock', 'word', 'cache', 'host', 'message', 'node', 'key'):
            self.assertGreater(here['costs'][name], 0, name)
        again = self.json('gsim', *words, '--cost=' + ','.join(f'{name}={ns!r}' for name, ns in here['costs'].items()),
                          f'--cache={here["cache"]}')
        self.assertEqual(self.without_clock(again) | {'preset': 'here'}, self.without_clock(here))

    def test_locks(self):
        words = ['bpc', '-d20', '-n200', '--work=500', '--policy=split', '--preset=dinan', '--workers=256']
        gives_up, waits, tickets = (self.json('gsim', *words, *how) for how in ([], ['--wait'], ['--wait', '--ticket']))
        self.assertGreater(gives_up['aborted_steals'], 0)
        self.assertEqual((waits['aborted_steals'], tickets['aborted_steals']), (0, 0))
        self.assertGreater(waits['failed_steals'], gives_up['failed_steals'])
        self.assertGreater(gives_up['efficiency'], waits['efficiency'])

    def test_producers_bounce_at_once_if_thieves_run_the_newest_first(self):
        words = ['bpc', '-d100', '-n512', '--work=10000', '--policy=split', '--preset=dinan', '--workers=512']
        oldest, newest = (self.json('gsim', *words, *how) for how in ([], ['--newest']))
        self.assertEqual((oldest['newest'], newest['newest']), (False, True))
        self.assertGreater(newest['efficiency'], oldest['efficiency'] + 0.05)

    def test_levels(self):
        sizes = self.folder / 'bfs.json'
        with open(sizes, 'w') as file:
            file.write(self.good('gbfs', 'grid:100x7', '--levels', '--json', '--source=0'))
        for policy in ('chunked', 'cursor', 'static', 'coarse', 'central'):
            words = ['levels', f'--sizes={sizes}', '--workers=8', f'--policy={policy}']
            found = self.json('gsim', *words)
            self.assertEqual((found['tasks'], found['levels'], found['largest'], found['policy']), (700, 106, 7, policy))
            self.assertEqual(self.without_clock(found), self.without_clock(self.json('gsim', *words)))
        slower = self.json('gsim', *words, '--cost=vertex=2000', '--spread=0')
        self.assertAlmostEqual(slower['work_efficiency'] * slower['virtual_ms'] * 8, 1.4, delta=1e-3)
        self.assertLess(self.json('gsim', *words, '--grain=10')['virtual_ms'], found['virtual_ms'])
        self.assertEqual(self.json('gsim', *words[:3])['policy'], 'chunked')

    def test_levels_refused(self):
        for text, part in (('{"levels": 3}', 'no level_sizes'), ('{"level_sizes": [1, -2]}', 'no size'), ('{"level_sizes": [1', 'JSON'),
                           ('{"level_sizes": ["1"]}', 'no size'), ('{"level_sizes": [true]}', 'no size')):
            sizes = self.folder / 'wrong.json'
            with open(sizes, 'w') as file:
                file.write(text)
            self.assertIn(part, self.bad(2, 'gsim', 'levels', f'--sizes={sizes}'), text)
        self.assertIn('requires --sizes', self.bad(2, 'gsim', 'levels'))
        self.assertIn('absent', self.bad(1, 'gsim', 'levels', '--sizes=absent.json'))
        self.assertIn('loops as tasks', self.bad(2, 'gsim', 'levels', '--policy=split'))

    def test_distance_costs(self):
        words = ['uts', '-a', '3', '-d', '6', '-r', '19', '--workers=4096', '--policy=split', '--preset=mpi']
        near, far = (self.json('gsim', *words, f'--cost=hop={hop}', '--topology=torus') for hop in (0, 20000))
        self.assertLess(near['first_task_ms'], far['first_task_ms'])

    def test_refused(self):
        for words, part in ((['bpc', '--policy=chunked'], 'rounds'), (['bpc', '--ticket', '--policy=split'], '--wait'),
                            (['bpc', '--wait'], '--wait'), (['bpc', '--preset=cray'], 'cray'),
                            (['bpc', '--cost=popp=1'], 'popp'), (['bpc', '--cost=pop'], 'pop'), (['bpc', '--cost=pop=-1'], 'pop'),
                            (['bpc', '--cost=pop=1,'], '--cost'), (['bpc', '--cost=pop=x'], 'pop'), (['bpc', '--cost=pop=1e13'], 'pop'),
                            (['bpc', '--host=4'], 'flat'), (['bpc', '--workers=1048577'], '1048576'), (['bpc', '--workers=0'], 'workers'),
                            (['bpc', '--workers=4,'], 'commas'), (['bpc', '--workers=4,x'], "'4,x'"), (['bpc', '--workers=99999999999'], '1048576'),
                            (['bpc', '--workers=' + ','.join(['2'] * 65)], 'at most 64'),
                            (['bpc', '--chunk=4'], '--chunk'), (['bpc', '--seed=3', '--policy=global'], '--seed'),
                            (['bpc', '-d', '99999999999999'], 'bpc'), (['uts', '-t', '0', '-q', '0.5', '-m', '8'], 'infinite'),
                            (['uts', '--tree=T0'], 'T0'), (['uts', '-q', '0.1'], '-q'), (['nothing'], 'nothing'), ([], 'uts')):
            self.assertIn(part, self.bad(2, 'gsim', *words), words)

    def test_short_memory(self):
        self.assertIn('memory', self.bad(1, 'gsim', 'bpc', '-d1', '-n1', '--workers=1048576', '--max-memory=20M'))


if __name__ == '__main__':
    unittest.main()
