# SPDX-License-Identifier: MIT
"""datasets/bench/dinan and rudolph: on their smallest suites, and on files whose times and counts agree or disagree with
the papers."""
import shutil
import unittest

from bench import BIN, BenchTest, claims_of, load_program, records, write_records
import measuring

# A round in the form of a successful run of gtask, for each number of threads.
ROUND = {'runs': 2, 'tasks': 8000, 'stolen': 380, 'steals': 100, 'failed_steals': 10, 'aborted_steals': 1000,
         'queue_high_water': 50, 'queue_spread': 2.5, 'efficiency': 0.995, 'work_efficiency': None, 'tasks_per_s': 1e6,
         'rate': 5.0, 'unit': 'nodes', 'ms': 10.0}


class Papers(BenchTest):
    def claims(self, lie, threads=(1, 2, 4), suite='quick', only=None, load=0.1):
        """{claim: (result, whether it holds)} of a file in which lie(key) gives the differences of rounds from
        ROUND."""
        name = self.program
        found = load_program(name).PAPER
        about = measuring.about_run([], 'gtask 0', name) | {'paper': name, 'suite': suite, 'threads': list(threads),
                                                         'rounds': 3, 'repeat': 2, 'load': load}
        lines = [about]
        for key in found.runs(only or found.parts, found.suites[suite], threads):
            rounds = []
            for drift in (1, 1.3, 1.1):
                one = ROUND | lie(key)
                rounds.append(one | {'ms': one['ms'] * drift})
            lines.append(measuring.Figure(key[0], 'x', 'ms', [one['ms'] for one in rounds], key=list(key),
                                          rounds=rounds).record())
        lines.append({'kind': 'end', 'left_out': ['something']})
        write_records(self.file, lines)
        text = self.output('--from', self.file, *([f'--only={",".join(only)}'] if only else []),
                         '--figures', self.folder / 'figures', PATH='/nowhere')
        self.assertIn('left out: something', text)
        return claims_of(text)

    def scripts(self):
        """The commands of all figures, whose titles name the machine and its load."""
        texts = {path.stem: path.read_text() for path in (self.folder / 'figures').glob('*.gp')}
        for name, text in texts.items():
            self.assertRegex(text, r'set title ".*" \. "\\n" \. ".* CPUs, load 0\.1, \d{4}-\d\d-\d\d, gtask 0"', name)
        return texts


def ideal(key):
    """The results of Dinan et al., for any number of threads."""
    part, which, threads = key[0], key[1], key[-1]
    if part == 'queues':
        return {'ms': 10.0 if which == 'split' or threads == 1 else 14.0}
    if part == 'amount':
        return {'ms': {'half': 10.0, 'two': 12.0, 'one': 15.0}[which]}
    if part == 'aborting':
        wait = key[2] == 'wait'
        return {'failed_steals': 300 if wait else 30, 'ms': 13.0 if wait else 10.0,
                'aborted_steals': 500 if wait and which == 'MADNESS' else 1000}
    return {'ms': 10.0 / threads} if part == 'scaling' else {}


class Dinan(Papers):
    program = 'dinan'

    def test_as_in_the_text(self):
        claims = self.claims(ideal)
        self.assertEqual({holds for _, holds in claims.values()}, {'holds'}, claims)
        self.assertEqual(len(claims), 15)
        self.assertEqual(claims['UTS: 99% efficiency (8,192 cores; here: at least that)'][0], '99.5% with 4 threads')
        self.assertEqual(claims['half moves 3.8 tasks a steal (256 processors; here: 1.9 to 7.6)'][0], '3.8')
        self.assertEqual(claims['half is faster than one and two (past 64 processors)'][0],
                         '+50.0 % than one, +20.0 % than two, 4 threads')
        self.assertEqual(claims['BPC: giving up leaves a tenth of the failed steals (8,192 processors)'][0],
                         '90 of 900 with 4 threads')

    def test_not_as_in_the_text(self):
        def lie(key):
            found = ideal(key) | {'efficiency': 0.5, 'stolen': 2000}
            if key[0] == 'aborting':
                wait = key[2] == 'wait'
                found |= {'failed_steals': 100, 'aborted_steals': 900 if wait else 9000 if key[1] == 'BPC' else 900,
                          'ms': 10.0 if wait else 12.0}
            if key[0] == 'termination':
                found['ms'] = 12.0 if key[1] == 'vote' else 10.0
            if key[0] == 'queues':
                found['ms'] = 10.0 if key[1] == 'split' else 13.0 if key[2] == 1 else 9.0
            return found

        claims = self.claims(lie, threads=(1, 2, 128))
        holding = [says for says, (_, holds) in claims.items() if holds != 'DOES NOT HOLD']
        self.assertEqual(holding, ['half is faster than one and two (past 64 processors)'])

    def test_on_a_busy_machine_times_that_do_not_hold_tell_nothing(self):
        claims = self.claims(lambda key: {'efficiency': 0.5, 'stolen': 2000, 'aborted_steals': 9}, load=9)
        holding = {says: holds for says, (_, holds) in claims.items()}
        self.assertEqual(holding['UTS: 99% efficiency (8,192 cores; here: at least that)'], 'cannot tell')
        self.assertEqual(holding['half moves 3.8 tasks a steal (256 processors; here: 1.9 to 7.6)'], 'DOES NOT HOLD')
        self.assertEqual(self.claims(ideal, load=9)['UTS: 99% efficiency (8,192 cores; here: at least that)'][1], 'holds')

    def test_few_threads_cannot_tell_what_takes_many(self):
        claims = self.claims(lambda key: {})
        for says in ('with many (past 128) locked ones fall behind', 'half is faster than one and two (past 64 processors)'):
            self.assertEqual(claims[says][1], 'cannot tell')

    def test_figures(self):
        """Each has the machine and its load, error bars, and the paper's own values as circles."""
        self.claims(ideal)
        texts = self.scripts()
        self.assertEqual(set(texts), {'scaling', 'efficiency', 'queues', 'amount', 'amount-efficiency', 'aborting', 'aborting-shares'})
        self.assertIn('$paper2 << end\n8192 8110.08\nend', texts['scaling'])
        self.assertIn('title "paper: UTS"', texts['scaling'])
        self.assertIn('$paper0 << end\n8192 0.88\nend', texts['efficiency'])
        self.assertIn('$paper0 << end\n256 0.95\nend', texts['amount-efficiency'])
        self.assertIn('with yerrorlines', texts['queues'])
        self.assertRegex(texts['aborting-shares'], r'\n"MADNESS" 0.1 0.1 0.1 2 2 2\n')
        self.assertEqual(texts['aborting-shares'].partition('$paper << end\n')[2].partition('end')[0].split()[1::2], ['0.1', '0.1', '2', '1'])
        self.assertRegex(texts['scaling'], r'\$line0 << end\n1 1 1 1\n2 2 2 2\n')

    def test_one_thread(self):
        claims = self.claims(ideal, threads=(1,))
        self.assertEqual(claims['half is faster than one and two (past 64 processors)'],
                         ('it takes two threads', 'cannot tell'))

    def test_smallest_suite(self):
        text = self.output('--bin', BIN, '--suite=smoke', '--threads=1,2', '--rounds=2', '--repeat=1', '--quiet',
                         '--json', self.file)
        lines = records(self.file)
        found = load_program('dinan').PAPER
        self.assertEqual([tuple(line['key']) for line in lines[1:-1]],
                         list(found.runs(found.parts, found.suites['smoke'], [1, 2])))
        self.assertTrue(all(line['runs'] == 2 and line['min'] > 0 for line in lines[1:-1]))
        again = self.output('--from', self.file)
        self.assertEqual(again.split('\n\n', 1)[1], text.split('\n\n', 1)[1])
        for title in ('1. Strong scaling', '2. Split queues', '3. How much', '4. Aborting steals', '5. Termination'):
            self.assertIn(title, text)


def simulated(key):
    """The results of Rudolph et al."""
    part, threads = key[0], key[-1]
    if part in ('quicksort', 'slaves'):
        policy = key[2]
        return {'ms': {'workpile': 10.0, 'global': 21.0, 'chaselev': 9.0}[policy] / threads}
    if part == 'lengths':
        return {'queue_spread': 2.5 if key[1] == 'workpile' else 80.0, 'queue_high_water': 200 if key[1] == 'global' else 90}
    return {'steals': 5 if key[1] == 'many' else 500, 'failed_steals': 0}


class Rudolph(Papers):
    program = 'rudolph'

    def test_as_in_the_text(self):
        claims = self.claims(simulated)
        self.assertEqual({holds for _, holds in claims.values()}, {'holds'}, claims)
        self.assertEqual(len(claims), 10)
        self.assertEqual(claims['the mean squared distance is between 2 and 3 (here: at most 3)'][0], '2.5 with 4 threads')
        self.assertEqual(claims['lengths are within a small factor of the mean (here: the longest ever, 4)'][0], '1.8 times')
        self.assertEqual(claims['waiting for a pile in use or giving up: little difference (here: 10 %)'][0],
                         'waiting takes +0.0 %')

    def test_not_as_in_the_text(self):
        def lie(key):
            part = key[0]
            if part in ('quicksort', 'slaves'):
                return {'ms': 10.0 if key[2] == 'workpile' else 9.0, 'stolen': 4000}
            if part == 'lengths':
                return {'queue_spread': 99.0, 'queue_high_water': 200}
            return {'steals': 500 if key[1] == 'many' else 5, 'ms': 20.0 if key[2] == 'wait' else 10.0}

        claims = self.claims(lie)
        holding = {says: found for says, found in claims.items() if found[1] != 'DOES NOT HOLD'}
        self.assertEqual(list(holding), ['lengths are within a small factor of the mean (here: the longest ever, 4)'])

    def test_figures(self):
        self.claims(simulated)
        texts = self.scripts()
        self.assertEqual(set(texts), {'quicksort', 'slaves-1', 'slaves-2', 'slaves-3', 'one-pile', 'lengths'})
        self.assertRegex(texts['one-pile'], r'\n"2 threads" 2\.1 2\.1 2\.1 ')
        self.assertEqual(texts['one-pile'].partition('$paper << end\n')[2].partition('end')[0].split()[1::2], ['2', '2'])
        self.assertEqual(texts['lengths'].partition('$paper << end\n')[2].partition('end')[0].split()[1::2], ['2', '3'] * 2)

    def test_one_thread(self):
        claims = self.claims(simulated, threads=(1,))
        self.assertEqual(claims['the mean squared distance is between 2 and 3 (here: at most 3)'], ('it takes two threads', 'cannot tell'))
        self.assertEqual(claims['there are times when one pile is not the best (500 keys)'][1], 'holds')

    def test_smallest_suite(self):
        text = self.output('--bin', BIN, '--suite=smoke', '--threads=2,1', '--rounds=2', '--repeat=1', '--quiet',
                         '--figures', self.folder / 'figures', '--json', self.file)
        for title in ('1. Quicksort', '2. Masters and slaves', '3. Lengths', '4. The frequency'):
            self.assertIn(title, text)
        drawn = {path.stem for path in (self.folder / 'figures').glob('*.gp')}
        self.assertEqual(drawn, {'quicksort', 'slaves-1', 'slaves-2', 'one-pile', 'lengths'})
        if shutil.which('gnuplot'):
            self.assertEqual({path.stem for path in (self.folder / 'figures').glob('*.svg')}, drawn)
        again = self.output('--from', self.file)
        self.assertEqual(self.findings(again), self.findings(text))

    @staticmethod
    def findings(text):
        """The output without its first and last lines and without skipped figures."""
        return [line for line in text.split('\n\n', 1)[1].splitlines()[:-3] if 'gnuplot' not in line]


class Both(Papers):
    def test_mistakes(self):
        self.file.write_text('{"kind": "run", "paper": "thesis"}\n')
        for self.program in ('dinan', 'rudolph'):
            self.check_refused((
                (['--only=nothing'], 'one or several of'), (['--threads=0'], 'numbers of threads'),
                (['--rounds=0'], 'from 1 on'), (['--kind=gif'], '--kind'),
                (['--bin=/nowhere'], 'gtask is not in'), (['--from=/nowhere'], '/nowhere'),
                (['--from', self.file], 'was not written by this program')))

    def fake(self, script):
        """A folder with this script as gtask."""
        path = self.folder / 'gtask'
        path.write_text(f'#!/bin/sh\nREAL={BIN.resolve() / "gtask"}\n{script}exec $REAL "$@"\n')
        path.chmod(0o755)
        return self.folder

    def test_a_wrong_result(self):
        folder = self.fake('case "$*" in *--verify*) echo "gtask: the result is wrong" >&2; exit 3;; esac\n')
        for self.program, part in (('dinan', 'termination'), ('rudolph', 'slaves')):
            done = self.run_bench('--bin', folder, '--suite=smoke', f'--only={part}', '--threads=2', '--quiet')
            self.assertEqual((done.returncode, done.stdout), (1, ''))
            self.assertIn('the result is wrong', done.stderr)

    def test_a_run_that_fails_is_left_out(self):
        folder = self.fake('case "$*" in *--wait*) echo "gtask: no patience" >&2; exit 1;; esac\n')
        for self.program, part, says in (('dinan', 'aborting', 'aborting, BPC, wait, 2: no patience'),
                                 ('rudolph', 'effort', 'effort, many, wait, 2: no patience')):
            text = self.output('--bin', folder, '--suite=smoke', f'--only={part}', '--threads=2', '--rounds=1', '--quiet')
            self.assertIn('left out: ' + says, text)
            self.assertIn('too small to tell', text)


if __name__ == '__main__':
    unittest.main()
