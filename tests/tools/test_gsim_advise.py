#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gsim advise: advice on runs of gtask, its limits, files that are no runs."""
import unittest

from tool import ToolTest, contents, strict_json

POLICIES = ('abp', 'chaselev', 'split', 'workpile', 'global')


class GsimAdvise(ToolTest):
    @staticmethod
    def without_clock(found):
        return {key: value for key, value in found.items() if key not in ('wall_ms', 'events_per_s')}

    def run_of(self, *words, threads=2):
        """A file with the output of gtask --json."""
        return self.write('run.json', self.good('gtask', *words, f'--threads={threads}', '--json'))

    def test_advice_is_one_of_its_simulations(self):
        for words in (['uts', '-a', '3', '-d', '6', '-r', '19'], ['bpc', '-d4', '-n50', '--work=20'], ['quicksort', '--keys=20000'],
                      ['master-slave', '--masters=3', '--slaves=40', '--await', '--slave-work=50']):
            file = self.run_of(*words)
            found = self.json('gsim', 'advise', '--run', file, '--workers=16', '--preset=mpi')
            advice = found['advice']
            keys = ('policy', 'victim', 'amount', 'chunk', 'virtual_ms', 'efficiency')
            self.assertIn({key: found[key] for key in keys}, advice['candidates'])
            self.assertEqual({one['policy'] for one in advice['candidates']}, set(POLICIES) - {'global'})
            self.assertLess(found['virtual_ms'], 1.2001 * min(one['virtual_ms'] for one in advice['candidates']))
            self.assertEqual(found['workload'], words[0])
            self.assertEqual((advice['run']['policy'], advice['run']['threads']), ('chaselev', 2))
            self.assertEqual(advice['task_ns'] is None, words[0] in ('bpc', 'master-slave'))
            self.assertEqual({one['costs'] for one in advice['at_a_tenth']}, {'steals', 'queues', 'termination'})

    def test_advice_simulates_the_run(self):
        file = self.run_of('bpc', '-d4', '-n50', '--work=20')
        again = [self.without_clock(self.json('gsim', 'advise', '--run', file, '--workers=16')) for _ in range(2)]
        self.assertEqual(*again)
        alone = self.json('gsim', 'bpc', '-d4', '-n50', '--work=20', '--workers=16', '--policy=split')
        self.assertEqual({one['policy'] for one in again[0]['advice']['candidates']}, set(POLICIES))
        self.assertIn(('split', alone['virtual_ms']), [(one['policy'], one['virtual_ms']) for one in again[0]['advice']['candidates']
                                                      if not one['victim'] and not one['amount']])

    def test_advice_on_tasks_that_are_as_long_as_in_the_run(self):
        """On two threads the length of the tasks changes who steals which, and so the time a little."""
        for threads, delta in ((1, 0.01), (2, 0.02)):
            file = self.run_of('uts', '-a', '3', '-d', '7', '-r', '19', threads=threads)
            busy = sum(one['busy_ms'] for one in strict_json(contents(file))['workers'])
            found = self.json('gsim', 'advise', '--run', file, f'--workers={threads}', '--policy=chaselev')
            self.assertAlmostEqual(threads * found['virtual_ms'] * found['efficiency'] / busy, 1, delta=delta)
            self.assertAlmostEqual(found['costs']['node'] / found['advice']['task_ns'], 1, delta=1e-4)
        preset = self.json('gsim', 'advise', '--run', file, '--workers=1', '--policy=split', '--as-preset')
        self.assertEqual((preset['costs']['node'], preset['advice']['task_ns']), (11, None))

    def test_limits(self):
        for workers, words, expected in ((2, [], 'work'), (1024, ['--cost=network=1,word=0,server=0,retry=0,poll=0,message=0'], 'parallelism'),
                                         (64, ['--cost=network=900000'], 'steals'), (4, ['--cost=push=60000,message=0'], 'queues')):
            file = self.run_of('bpc', '-d8', '-n64', '--work=100')
            found = self.json('gsim', 'advise', '--run', file, f'--workers={workers}', '--preset=mpi', *words)
            self.assertEqual(found['advice']['limit'], expected, (workers, words))

    def test_advice_as_text(self):
        file = self.run_of('uts', '-d', '6')
        text = self.good('gsim', 'advise', '--run', file, '--policy=split', '--amount=chunk', '--chunk=4')
        for part in ('chaselev policy', 'advised', 'advice    --policy split --', '--amount chunk --chunk 4', 'limit'):
            self.assertIn(part, text)
        self.assertEqual(self.good('gsim', 'advise', '--run', file, '--quiet'), '')

    def test_advice_refuses_other_files(self):
        run = self.run_of('uts', '-d', '4')
        text = contents(run).decode()
        self.assertIn('takes these', self.bad(2, 'gsim', 'advise', '--run', run, '--policy=global', '--preset=mpi'))
        self.assertIn('rounds', self.bad(2, 'gsim', 'advise', '--run', run, '--policy=cursor'))
        for change, part in ((lambda s: '', 'byte 1'), (lambda s: s[:-3], 'no JSON'), (lambda s: s + '}', 'no JSON'),
                             (lambda s: s.replace('"uts"', '"utts"'), 'utts'), (lambda s: s.replace('"cpu"', '"cuda:0"', 1), 'devices'),
                             (lambda s: '{"a": [1, "b", null, {"c": true}]}', 'not the output'), (lambda s: '{"a": 1e999}', 'no JSON'),
                             (lambda s: s.replace('busy_ms', 'busy'), 'no times'), (lambda s: s.replace('"repeat"', '"repeats"'), 'repeat'),
                             (lambda s: s.replace('"linear"', '"round"'), 'shape'), (lambda s: s.replace('"depth": 4', '"depth": -4'), 'depth'),
                             (lambda s: s.replace('"depth": 4', '"depth": 99999999'), '-d is'), (lambda s: '[' * 99, 'no JSON'),
                             (lambda s: '{"a": "\\', 'no JSON'), (lambda s: '{"' + 'a' * 99 + '": 1}', 'no JSON')):
            changed = self.write('changed.json', change(text))
            self.assertIn(part, self.bad(2, 'gsim', 'advise', '--run', changed, '--workers=2'), part)
        self.assertIn('devices', self.bad(2, 'gsim', 'advise', '--run', self.write('two.json', text.replace('["cpu"]', '["cpu", "cuda:0"]'))))
        self.assertIn('order', self.bad(2, 'gsim', 'advise', '--run', self.run_of('quicksort', '--keys=100', '--order=down')))
        self.assertIn('connect4', self.bad(2, 'gsim', 'advise', '--run', self.run_of('connect4', '--ahead=2')))
        self.assertIn('cannot be read', self.bad(1, 'gsim', 'advise', '--run', '/nowhere/run.json'))
        self.assertIn('--run', self.bad(2, 'gsim', 'advise'))


if __name__ == '__main__':
    unittest.main()
