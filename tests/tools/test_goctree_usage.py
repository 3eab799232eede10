#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""goctree: the command line, refused options, and errors."""
import unittest

from tool import ToolTest


class Usage(ToolTest):
    def test_help_and_version(self):
        text = self.good('goctree', '--help')
        for word in ('usage: goctree [options] POINTS', '--leaf', '--query', '--policy', 'Exit status', 'Examples'):
            self.assertIn(word, text)
        self.assertEqual(text, self.good('goctree', '-h'))
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        self.assertRegex(self.good('goctree', '--version'), r'^goctree \d+\.\d+\.\d+\n$')

    def test_lists_of_names(self):
        for option, expected in (('--builder', {'auto', 'sort', 'task'}), ('--policy', {'chunked', 'chaselev'}),
                              ('--format', {'auto', 'ply', 'pcd', 'text', 'las', 'npy', 'raw', 'gwsp'})):
            names = {line.split()[0] for line in self.good('goctree', option, 'help').splitlines()}
            self.assertGreaterEqual(names, expected)
            self.assertIn("'nothing'", self.bad(2, 'goctree', option, 'nothing', 'uniform:1'))
        self.assertNotIn('vtp', self.good('goctree', '--format=help'))

    def test_one_operand(self):
        self.assertIn('expected POINTS', self.bad(2, 'goctree'))
        self.assertIn("'b'", self.bad(2, 'goctree', 'a', 'b'))

    def test_bad_values(self):
        for option, values in (('--leaf', ('0', '-1', 'x', '')), ('--max-depth', ('0', '22')), ('--repeat', ('0',)),
                               ('--box', ('1,2,3', '0,0,0,1,1', '0,0,0,1,1,1,1', '0,0,0,1,1,nan', 'x', '0,0,0,1,-1,1', '0,0,0,0x1,1,1', ' 0,0,0,1,1,1', '0,0,0,1,1,1 ',
                                            '0,0,0,1e999,1,1', '0,0,0,infinity,1,1', '0,0,0,--1,1,1')),
                               ('--axis', ('w', '')), ('--threads', ('0', '4097')),
                               ('--out', ('a.laz', 'a', '.ply')), ('--nodes', ('a.ply',)),
                               ('--picture', ('a.png', '-')), ('--device', ('gpu', 'cuda:x', 'opencl:', 'cpu:0'))):
            for value in values:
                self.assertIn(option, self.bad(2, 'goctree', option, value, 'uniform:1'))

    def test_what_does_not_go_together(self):
        for arguments in (['--answers=a.csv', 'uniform:1'], ['--axis=x', 'uniform:1'], ['--axis=z', 'uniform:1'], ['--format=ply', 'uniform:1'],
                          ['--columns=x,y,z', 'uniform:1'], ['--trust', 'uniform:1'], ['--query=-', '-'],
                          ['--json', '--nodes=-', 'uniform:1'], ['--json', '--out=-', 'uniform:1'], ['--out=-', '--nodes=-', 'uniform:1'], ['--groups=1', 'uniform:1'],
                          ['--group-size=2', '--device=cpu', 'uniform:1'], ['--tile=9', 'uniform:1'],
                          ['--group-size=3', '--device=opencl', 'uniform:1'],
                          ['--policy=static', '--victim=random', 'uniform:1']):
            self.bad(2, 'goctree', *arguments)

    def test_columns_that_the_file_names_itself(self):
        for name in ('a.ply', 'a.gwsp', 'a.npy'):
            self.good('goctree', '--quiet', 'uniform:5', '--out', self.folder / name)
            self.assertIn('own columns', self.bad(2, 'goctree', '--columns=x,y,z,-,-,-', self.folder / name))
        self.write('a.csv', '1,2,3,4\n')
        self.good('goctree', '--columns=x,y,z,w', self.folder / 'a.csv')

    def test_chunks(self):
        for options in (['--policy=static'], ['--builder=task'], ['--builder=task', '--policy=static'],
                        ['--builder=task', '--policy=split', '--amount=half'], ['--device=opencl', '--policy=abp'],
                        ['--device=auto', '--policy=static']):
            self.assertIn('--chunk', self.bad(2, 'goctree', '--chunk=8', *options, '/nowhere/a.ply'))
        for options in ([], ['--policy=abp'], ['--builder=task', '--policy=cursor'],
                        ['--builder=task', '--policy=split', '--amount=chunk']):
            self.good('goctree', '--chunk=8', *options, 'uniform:100')

    def test_options_that_a_policy_refuses(self):
        for option in ('--sample=5', '--termination=vote'):
            self.good('goctree', '--builder=task', option, 'uniform:100')  # the default policy is chaselev
            self.assertIn('the policy chunked', self.bad(2, 'goctree', option, 'uniform:100'))

    def test_samples_are_reported(self):
        for builder in ('sort', 'task'):
            words = ['--leaf=1', '--policy=split', '--builder', builder, 'uniform:5000']
            self.assertGreaterEqual(self.json('goctree', '--sample=1', *words)['queue_spread'], 0)
            self.assertIn('distance from the mean', self.good('goctree', '--sample=1', *words))
            self.assertIsNone(self.json('goctree', *words)['queue_spread'])

    def test_bad_generators(self):
        for name, complaint in (('uniform:', ':1:9: expected the number of points'), ('shell:1x', ":1:8: "),
                                ('gauss:1:', ':1:9: expected the seed'), ('plummer:99999999999999999999', ':1:9: too')):
            self.assertIn(complaint, self.bad(1, 'goctree', name))

    def test_former_options_name_the_present_ones(self):
        for old, new in (('along=x', 'axis'), ('piece=9', 'tile')):
            self.assertIn(f"--{old.split('=')[0]} is now called --{new}", self.bad(2, 'goctree', f'--{old}', 'uniform:1'))

    def test_files_that_are_wrong(self):
        self.assertIn('cannot open', self.bad(1, 'goctree', self.folder / 'missing.ply'))
        self.assertIn(':2:3: expected a number', self.bad(1, 'goctree', self.write('a.xyz', '1 2 3\n1 y 3\n')))
        self.assertIn('neither the content', self.bad(1, 'goctree', self.write('a', b'\1\2\3')))
        self.assertIn('cannot write', self.bad(1, 'goctree', 'uniform:1', '--out', '/nowhere/a.ply'))

    def test_what_the_format_is_not_for(self):
        self.assertIn('format ply', self.bad(2, 'goctree', '--columns=x,y,z', self.write('a.ply', 'ply\n')))
        self.assertIn('column 1', self.bad(2, 'goctree', '--columns=,y,z', self.write('b.xyz', '1 2 3\n')))
        self.assertIn('read as ply', self.bad(2, 'goctree', '--trust', self.folder / 'a.ply'))
        self.assertIn('read as text', self.bad(2, 'goctree', '--trust', '-', input=b'1 2 3\n'))
        native = self.folder / 'c.gwsp'
        self.good('goctree', '--quiet', 'uniform:10', '--out', native)
        self.good('goctree', '--trust', native)
        self.good('goctree', '--trust', '-', input=native.read_bytes())

    def test_standard_input(self):
        found = self.json('goctree', '-', input=b'1 2 3\n4 5 6\n')
        self.assertEqual((found['input'], found['points']), ('-', 2))
        found = self.json('goctree', '-', '--format=raw', '--columns=x,y,z', input=bytes(36))
        self.assertEqual((found['points'], found['max_leaf']), (3, 3))


if __name__ == '__main__':
    unittest.main()
