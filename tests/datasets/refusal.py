# SPDX-License-Identifier: MIT
"""Wrong uses of the benchmarks' programs."""


def check_refused(test, run, cases):
    """For each (arguments, words), run(*arguments) ends with 1 or 2, prints only errors, with these words, and no traceback."""
    for arguments, words in cases:
        done = run(*arguments)
        test.assertIn(done.returncode, (1, 2), arguments)
        test.assertEqual(done.stdout, '', arguments)
        test.assertIn(words, done.stderr)
        test.assertNotIn('Traceback', done.stderr)
