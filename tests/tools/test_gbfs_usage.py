#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gbfs: the command line, and options that are refused before the graph is read."""
import gzip
import subprocess
import unittest

from tool import BUILD, ToolTest, strict_json

NUMBERS = {'repeat': 1, 'warmup': 0, 'threads': 1, 'chunk': 1, 'seed': 0}


class Usage(ToolTest):
    def test_help_names_options_statuses_and_examples(self):
        text = self.good('gbfs', '--help')
        for word in ('usage: gbfs', '--source', '--policy', 'Exit status', 'Examples', 'kron:'):
            self.assertIn(word, text)
        self.assertEqual(text, self.good('gbfs', '-h'))
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_version(self):
        self.assertRegex(self.good('gbfs', '--version'), r'^gbfs \d+\.\d+\.\d+\n$')

    def test_lists_of_names(self):
        policies = self.good('gbfs', '--policy', 'help').splitlines()
        names = [line.split()[0] for line in policies]
        self.assertGreaterEqual(set(names), {'static', 'cursor', 'chunked'})
        self.assertTrue(all(len(line.split()) > 3 for line in policies))
        for option, expected in (('victim', {'random', 'round'}), ('amount', {'one', 'half'})):
            names = {line.split()[0] for line in self.good('gbfs', '--' + option, 'help').splitlines()}
            self.assertGreaterEqual(names, expected)
        formats = [line.split()[0] for line in self.good('gbfs', '--format=help').splitlines()]
        self.assertGreaterEqual(set(formats), {'dimacs', 'edge-list', 'matrix-market', 'metis', 'gwsg', 'pace'})

    def test_options_after_the_graph_and_with_equals(self):
        a = self.json('gbfs', 'grid:5x5', '--threads', '2', '--source=7')
        b = strict_json(self.good('gbfs', '--json', '--threads=2', '--source', '7', '--', 'grid:5x5'))
        self.assertEqual(a['runs'][0]['source'], 7)
        self.assertEqual(a['level_sizes'], b['level_sizes'])

    def test_bad_numbers_name_the_option(self):
        for option, minimum in NUMBERS.items():
            for value in ('-1', '', 'x', '5x', '1.5', '+3', ' 3', '0x10', '1e3', '18446744073709551616',
                          '99999999999999999999999', str(minimum - 1)):
                complaint = self.bad(2, 'gbfs', '--' + option, value, 'grid:3x3')
                self.assertIn('--' + option, complaint)
                self.assertIn(f"'{value}'", complaint)
        self.bad(2, 'gbfs', '--threads=4097', 'grid:3x3')
        self.bad(2, 'gbfs', '--repeat=1000001', 'grid:3x3')
        self.bad(2, 'gbfs', '--chunk=4294967296', 'grid:3x3')

    def test_bad_words(self):
        for option, value in (('policy', 'fastest'), ('victim', 'weakest'), ('amount', 'all'),
                              ('format', 'xls'), ('direction', 'up'), ('source', 'middle'),
                              ('source', '-3'), ('source', '12x'), ('source', '18446744073709551616'),
                              ('source', '.ss'), ('out', 'depths.xls'), ('out', '.csv'), ('out', 'depths.gz')):
            complaint = self.bad(2, 'gbfs', '--' + option, value, 'grid:3x3')
            self.assertIn('--' + option, complaint)

    def test_options_that_do_not_exist_or_stand_alone(self):
        self.assertIn('--lanes', self.bad(2, 'gbfs', '--lanes=1', 'grid:3x3'))
        self.assertIn('-x', self.bad(2, 'gbfs', '-x', 'grid:3x3'))
        self.assertIn('--source', self.bad(2, 'gbfs', 'grid:3x3', '--source'))
        self.assertIn('--json', self.bad(2, 'gbfs', '--json=yes', 'grid:3x3'))
        self.bad(2, 'gbfs')
        self.assertIn('grid:4x4', self.bad(2, 'gbfs', 'grid:3x3', 'grid:4x4'))

    def test_what_makes_no_sense_together(self):
        self.assertIn('--json', self.bad(2, 'gbfs', '--out', '-', '--json', 'grid:3x3'))
        for options in (['--directed'], ['--undirected'], ['--format=dimacs'], ['--trust']):
            self.bad(2, 'gbfs', *options, 'grid:3x3')

    def test_trust_is_for_files_with_checksums(self):
        self.write('text.gr', 'p tw 2 1\n1 2\n')
        native = self.folder / 'a.gwsg'
        self.good('gconvert', '--quiet', self.folder / 'text.gr', native)
        self.write('a.csv', 'precious')
        for words in (['text.gr'], ['--format=pace', 'text.gr'], ['-'], ['text.graphml']):
            complaint = self.bad(2, 'gbfs', '--trust', '--out=a.csv', *words, cwd=self.folder, input=b'0 1\n')
            self.assertIn('trust', complaint)
        self.assertEqual((self.folder / 'a.csv').read_text(), 'precious')
        packed = self.folder / 'packed'  # detected by content
        packed.write_bytes(gzip.compress(native.read_bytes()))
        self.good('gbfs', '--trust', packed)
        self.good('gbfs', '--trust', '-', input=native.read_bytes())

    def test_options_that_a_policy_refuses(self):
        for policy, option in (('static', 'victim=random'), ('global', 'victim=last'), ('chunked', 'amount=one'),
                               ('abp', 'amount=half'), ('static', 'chunk=8')):
            complaint = self.bad(2, 'gbfs', '--policy', policy, '--' + option, 'grid:3x3')
            self.assertIn(f'--{option.split("=")[0]} has no effect under the policy {policy}, only under ', complaint)
            self.assertIn('split', complaint)
        self.assertIn('the policy chunked', self.bad(2, 'gbfs', '--amount=half', 'grid:3x3'))
        for policy in ('chunked', 'cursor', 'coarse', 'central', 'abp', 'chaselev', 'split', 'workpile', 'global'):
            self.good('gbfs', '--policy', policy, '--chunk=8', 'grid:3x3')

    def test_traces_go_to_files(self):
        self.assertIn('--trace', self.bad(2, 'gbfs', '--trace', '-', 'grid:3x3'))
        self.assertIn('/nowhere/', self.bad(1, 'gbfs', '--trace', '/nowhere/t.json', 'grid:3x3'))

    def test_usage_is_refused_before_reading(self):
        self.assertIn('--out', self.bad(2, 'gbfs', '/nowhere/at/all.gr', '--out', 'x.xls'))

    def test_standard_output_that_is_full(self):
        for arguments in (['--help'], ['--version'], ['--policy', 'help'], ['grid:3x3'], ['grid:3x3', '--json'],
                          ['grid:3x3', '--stats', '--quiet'], ['grid:3x3', '--out', '-', '--quiet']):
            with open('/dev/full', 'wb') as full:
                run = subprocess.run([BUILD / 'bin' / 'gbfs', *arguments], stdout=full, stderr=subprocess.PIPE,
                                     check=False, timeout=60)
            self.assertEqual(run.returncode, 1, arguments)
            self.assertIn(b'No space left', run.stderr)


if __name__ == '__main__':
    unittest.main()
