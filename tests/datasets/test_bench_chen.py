# SPDX-License-Identifier: MIT
"""datasets/bench/chen: its results for known times, its figures, and with a device its smallest suite."""
import os
import shutil
import unittest

from bench import BIN, BUILD, BenchTest, claims_of, load_program, write_records
import measuring

chen = load_program('chen')
SETUP = {'atoms': [32768, 524288], 'tasks': 1000, 'devices': [1, 4]}
WORK = {'P0': 1, 'P1': 0.75, 'P2': 0.5, 'P3': 0.5, 'P4': 0.25}
TIMER = 'tests/lib/hetero/time_host_queue'


def timer_rows(fed, hardware, chunks, groups_ns):
    """What the timer prints; fed(work) and so on are times in the unit of the hardware's P0."""
    schedule = [{'rounds': rounds, 'pattern': pattern, 'tasks': 1000, 'groups': 100, 'fed_ms': rounds * fed(work),
                 'hardware_ms': rounds * hardware(work), 'chunks_ms': rounds * chunks} for rounds in (10, 100)
                for pattern, work in WORK.items()]
    return {'enqueue': [{'batch': batch, 'ns': groups_ns * batch / 10} for batch in (1, 120, 256)],
            'dequeue': [{'groups': 100, 'ns_a_task': groups_ns}, {'groups': 16, 'ns_a_task': 300}],
            'serve': [{'capacity': 64, 'ns_a_task': 200}], 'schedule': schedule}


def as_they_say(run):
    """The time of a step, or the rows of the timer, as in the paper."""
    if isinstance(run, chen.Timer):
        return timer_rows(lambda work: 1.01 * work, lambda work: 0.516 if work == 0.25 else 1, 1.5, 40)
    ms = run.atoms / 1e4 * (1.74 if run.order == 'random' else 1) / run.devices
    if run.schedule != 'central' and run.shape == 'gauss':
        return ms * (1.2 if run.schedule == 'chunks' else 1.11)
    if run.schedule == 'central':
        return ms * WORK[run.pattern] * (1.01 if run.shape == 'uniform' else 1)
    return ms * (0.516 if run.pattern == 'P4' else 1)


def otherwise(run):
    if isinstance(run, chen.Timer):
        return timer_rows(lambda work: 1.5, lambda work: work, 0.5, 5000)
    if run.schedule == 'central':
        return 3.0
    if run.schedule == 'chunks' and run.shape == 'gauss':
        return 0.5
    return WORK[run.pattern]


class Chen(BenchTest):
    program = 'chen'

    def claims(self, lie, *arguments, setup=None):
        """{claim: (result, whether it holds)} of a file whose rounds are lie(run)."""
        setup = setup or SETUP
        lines = [measuring.about_run([], 'gtask 0', 'chen') | {'paper': 'chen', 'device': 'cuda', 'rounds': 3, 'repeat': 2, 'steps': 9,
                                                             'setup': setup, 'load': 0.0}]
        for run in dict.fromkeys(run for configs, _ in chen.PARTS.values() for run in configs(setup)):
            value = lie(run)
            rounds = [value] if isinstance(value, dict) else [
                {'ms': value * drift, 'atom_steps': run.atoms / value, 'pairs': 5.0, 'idle': 0.1,
                 'busiest': 1.3 if lie is otherwise else 1.01} for drift in (1, 1.2, 1.1)]
            lines.append({'kind': 'result', 'run': run._asdict(), 'rounds': rounds})
        lines.append({'kind': 'end', 'left_out': ['something']})
        write_records(self.file, lines)
        text = self.output('--from', self.file, *arguments)
        self.assertIn('left out: something', text)
        return claims_of(text)

    def test_all_holds(self):
        found = self.claims(as_they_say)
        self.assertEqual({holds for _, holds in found.values()}, {'holds'}, found)
        self.assertEqual(len(found), 17)
        self.assertEqual(found['with the most atoms the queue is 10 % faster than equal parts (here: 5 %)'][0],
                         '32,768: +11.0 %, 524,288: +11.0 %')
        self.assertEqual(found['P4 saves 48.4 % of the hardware\'s time (here: less than 65 %, the longest tasks)'][0], '48.4%')
        self.assertEqual(found['with the queue the speedup is nearly linear (here: 90 %)'][0], '4.00 with 4')

    def test_nothing_holds(self):
        found = self.claims(otherwise)
        self.assertEqual({holds for _, holds in found.values()}, {'DOES NOT HOLD'}, found)

    def test_one_device_cannot_tell(self):
        found = self.claims(as_they_say, '--only=devices', setup=dict(SETUP, devices=[1]))
        self.assertEqual(list(found.values()), [('it takes several devices', 'cannot tell')] * 3)

    def test_figures(self):
        self.claims(as_they_say, '--figures', self.folder / 'figures') if shutil.which('gnuplot') else self.skipTest('no gnuplot')
        names = {path.name for path in (self.folder / 'figures').iterdir()}
        self.assertEqual(names, {f'{name}.{kind}' for name in ('sizes', 'sizes-gains', 'patterns', 'enqueue', 'serve', 'scheduler', 'scheduler-patterns',
                                                              'devices') for kind in ('gp', 'svg')})
        self.assertIn('a kernel a chunk', (self.folder / 'figures' / 'scheduler.svg').read_text())

    def test_figures_have_the_papers_values(self):
        self.claims(as_they_say, '--figures', self.folder / 'figures')
        texts = {path.stem: path.read_text() for path in (self.folder / 'figures').glob('*.gp')}
        for name, text in texts.items():
            self.assertRegex(text, r'" \. "\\n" \. ".* CPUs, load 0\.0, \d{4}-\d\d-\d\d, gtask 0, cuda"', name)
            self.assertRegex(text, 'errorbars|yerrorlines', name)
        self.assertIn('524288 1.11296\nend', texts['sizes-gains'])
        self.assertIn('524288 0.574713\nend', texts['sizes-gains'])
        self.assertIn('120 114300\nend', texts['enqueue'])
        for name in ('patterns', 'scheduler-patterns'):
            self.assertEqual(texts[name].partition('$paper << end\n')[2].partition('end')[0].split()[1::2], ['0.255', '0.516'])

    def test_wrong_usage(self):
        for words in (['--atoms=0'], ['--only=x'], ['--devices=1,'], ['--rounds=0'], ['--tasks=0']):
            self.assertEqual(self.run_bench(*words).returncode, 2, words)
        self.check_foreign_file()

    @unittest.skipUnless(os.access(BIN / 'gtask', os.X_OK), 'no gtask')
    def test_smoke(self):
        done = self.run_bench('--suite=smoke', '--bin', BIN, '--json', self.file, '--quiet')
        if done.returncode == 4:
            self.skipTest('no OpenCL device')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(self.output('--from', self.file), done.stdout)
        has_timer = os.access(BUILD / TIMER, os.X_OK)
        self.assertEqual('left out' in done.stdout, not has_timer, done.stdout)
        self.assertEqual('120 tasks a call' in done.stdout, has_timer)
        there = self.run_bench('--suite=smoke', '--bin', BIN, '--device=cuda', '--quiet')
        if there.returncode == 4:
            print('\nskipped: the experiments on a CUDA device, without one', flush=True)
            return
        self.assertEqual((there.returncode, there.stderr), (0, ''))

    @unittest.skipUnless(os.access(BIN / 'gtask', os.X_OK), 'no gtask')
    def test_no_timer(self):
        done = self.run_bench('--suite=smoke', '--bin', BIN, '--only=queue', '--timer', self.folder / 'none', '--quiet')
        if done.returncode == 4:
            self.skipTest('no OpenCL device')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertIn('none is not there; scons builds it by that name', done.stdout)

    @unittest.skipUnless(os.access(BIN / 'gtask', os.X_OK), 'no gtask')
    def test_no_device(self):
        done = self.run_bench('--suite=smoke', '--bin', BIN, '--device=opencl:99', '--quiet')
        self.assertEqual((done.returncode, done.stdout), (4, ''))


if __name__ == '__main__':
    unittest.main()
