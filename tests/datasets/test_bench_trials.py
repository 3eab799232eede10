# SPDX-License-Identifier: MIT
"""datasets/bench/trials on the build that is tested: the steps that take little time, and a step that fails."""
import unittest

from bench import BUILD, BenchTest


class Trials(BenchTest):
    program = 'trials'

    def test_points(self):
        text = self.output('--build', BUILD, '--only', 'point-cloud')
        self.assertRegex(text, r'\| point-cloud engineer \| read LAS, write PCD \| \d+\.\d\d \|\n')
        self.assertEqual(text.count('| point-cloud'), 3)

    def test_failure(self):
        done = self.run_bench('--build', self.folder, '--only', 'a picture')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r'a picture \| \d+\.\d\d FAILED \|')
        self.assertIn('not found', done.stderr)


if __name__ == '__main__':
    unittest.main()
