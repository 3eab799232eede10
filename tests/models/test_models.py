# SPDX-License-Identifier: MIT
"""The models beside this file, searched completely by Spin; and the same models with errors, which it must detect."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPILER = os.environ.get('CC', 'gcc').split()
LIMIT = 200  # seconds, far more than any search needs
DEPTH = '-m100000'
SAFETY = ['-DSAFETY', '-DNOCLAIM']
QUICKLY_COMPILED = ['-O0', *SAFETY]  # for short searches
LIVENESS = ['-DNFAIR=4']
FEW_STATES = '-w20'  # a small hash table, which takes no time to clear


def missing():
    """Why the models cannot be searched here, or None."""
    if os.environ.get('GRAPHWS_SAN'):
        return 'models are searched in the plain build only'
    tools = ['spin', COMPILER[0]]
    return next((f'models: no {tool} here' for tool in tools if shutil.which(tool) is None), None)


class Models(unittest.TestCase):
    def setUp(self):
        why = missing()
        if why:
            self.skipTest(why)

    def search(self, model, *defines, flags=(), options=()):
        """(errors found, states stored, output) of one complete search."""
        with tempfile.TemporaryDirectory() as folder:
            def run(*command):
                return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=LIMIT)
            made = run('spin', *(f'-D{define}' for define in defines), '-a', str(HERE / f'{model}.pml'))
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
            built = run(*COMPILER, '-O1', '-w', *flags, '-o', 'pan', 'pan.c')
            self.assertEqual(built.returncode, 0, built.stderr)
            said = run('./pan', DEPTH, *options).stdout
        found = re.search(r'errors: (\d+)', said)
        self.assertIsNotNone(found, said)
        self.assertNotIn('search depth too small', said)
        return int(found.group(1)), float(re.search(r'([\d.e+]+) states, stored', said).group(1)), said

    def holds(self, model, *defines, flags=SAFETY, options=(), min_states):
        errors, states, said = self.search(model, *defines, flags=flags, options=options)
        self.assertEqual(errors, 0, said)
        self.assertIn('Full statespace search', said)
        self.assertGreater(states, min_states, said)

    def fails(self, model, mutant, why, *defines, flags=QUICKLY_COMPILED, options=(FEW_STATES,)):
        errors, _, said = self.search(model, f'MUTANT={mutant}', *defines, flags=flags, options=options)
        self.assertEqual(errors, 1, f'mutant {mutant} of {model} is not detected\n{said}')
        self.assertRegex(said, why)

    def test_split_queue_gives_each_task_once(self):
        self.holds('split_queue', min_states=1e6)

    def test_split_queue_of_two_slots(self):
        self.holds('split_queue', 'SLOTS=2', 'TASKS=4', 'TRIES=2', min_states=1e6)

    def test_broken_split_queues_are_detected(self):
        for mutant in range(1, 6):
            with self.subTest(mutant=mutant):
                self.fails('split_queue', mutant, 'assertion violated')

    def test_vote_is_correct(self):
        self.holds('vote', min_states=1e6)

    def test_vote_is_correct_with_balancing(self):
        self.holds('vote', 'GIFTS=1', min_states=1e6)

    def test_vote_ends(self):
        self.holds('vote', flags=LIVENESS, options=('-a', '-f'), min_states=1e6)

    def test_broken_votes_are_detected(self):
        for mutant in (1, 2, 4):
            with self.subTest(mutant=mutant):
                self.fails('vote', mutant, r'assertion violated \(left==0\)')
        self.fails('vote', 5, r'assertion violated \(left==0\)', 'GIFTS=1', flags=SAFETY, options=())
        self.fails('vote', 3, 'acceptance cycle', flags=['-O0', *LIVENESS], options=('-a', '-f', FEW_STATES))

    def test_vote_of_ranks_is_correct(self):
        self.holds('rank_vote', 'TASKS=5', 'SPAWNS=4', min_states=1e5)

    def test_vote_of_ranks_ends(self):
        self.holds('rank_vote', 'LIVE', 'TASKS=2', flags=LIVENESS, options=('-a', '-f'), min_states=1e5)

    def test_broken_votes_of_ranks_are_detected(self):
        for mutant in range(1, 5):
            with self.subTest(mutant=mutant):
                self.fails('rank_vote', mutant, r'assertion violated \(left==0\)')
        self.fails('rank_vote', 5, 'invalid end state')

    def test_steals_from_windows_are_correct(self):
        self.holds('rank_steal', min_states=1e6)

    def test_broken_steals_from_windows_are_detected(self):
        for mutant in (1, 4):
            with self.subTest(mutant=mutant):
                self.fails('rank_steal', mutant, r'assertion violated \(\(task\[own\]<4\)')
        for mutant in (2, 3):
            with self.subTest(mutant=mutant):
                self.fails('rank_steal', mutant, r'assertion violated \(left==0\)')


if __name__ == '__main__':
    unittest.main()
