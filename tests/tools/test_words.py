#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All tools: control characters in arguments, file names and file contents are escaped, and empty or long names are
recognisable."""
import os
import subprocess
import time
import unittest
from pathlib import Path

from tool import BUILD, LIMIT, ToolTest, strict_json

TOOLS = ('gbfs', 'gconvert', 'gdevices', 'goctree', 'graphws', 'gsim', 'gtask')
HOSTILE = '\033]0;title\a\n\r\x7f\x85\x9b31m\u202eevil\ufeff\u2028'
SHOWN = r'\x1b]0;title\x07\x0a\x0d\x7f\u0085\u009b31m\u202eevil\ufeff\u2028'
PLAIN = 'Größe€🐌'


class Words(ToolTest):
    def shown(self, text):
        """Checks that a line has no control characters and has the hostile word in escaped form."""
        line = text.rstrip('\n')
        self.assertFalse([c for c in line if ord(c) < 32 or 0x7f <= ord(c) < 0xa0 or c in '\u202e\ufeff\u2028'], line)
        self.assertIn(SHOWN, line)

    def test_options_and_operands(self):
        for tool in TOOLS:
            for words in (['--' + HOSTILE], ['--no=' + HOSTILE]):
                complaint = self.bad(2, tool, *words)
                if '=' not in words[0]:
                    self.shown(complaint)
        self.shown(self.bad(2, 'gtask', HOSTILE))
        self.shown(self.bad(2, 'graphws', HOSTILE))
        self.shown(self.bad(2, 'gdevices', HOSTILE))
        self.shown(self.bad(2, 'gtask', 'uts', '--seed', HOSTILE))
        self.shown(self.bad(2, 'gbfs', 'kron:4', '--device', HOSTILE))
        self.shown(self.bad(2, 'gconvert', 'kron:4', 'x', '--to', HOSTILE))
        self.shown(self.bad(2, 'goctree', 'ball:10', '--box', HOSTILE))
        self.assertIn(r'unknown option -\xff', self.bad(2, 'gbfs', b'-\xff'))

    def test_names_of_files(self):
        for tool in ('gbfs', 'gconvert', 'goctree'):
            operands = [HOSTILE + PLAIN] if tool != 'gconvert' else [HOSTILE + PLAIN, 'x.gr']
            complaint = self.bad(1, tool, *operands)
            self.shown(complaint)
            self.assertIn(PLAIN, complaint)
        self.assertIn(r'a\xff\xe2\x82.gr', self.bad(1, 'gbfs', b'a\xff\xe2\x82.gr'))

    def test_reports(self):
        graph = self.edge_list(HOSTILE + PLAIN + '.el', [(0, 1), (1, 2)])
        points = self.write(HOSTILE + PLAIN + '.xyz', '0 0 0\n1 2 3\n')
        for line in (self.good('gbfs', graph).splitlines()[0], self.good('gconvert', '--info', graph).splitlines()[0],
                     self.good('goctree', points).splitlines()[0],
                     *self.good('gconvert', graph, graph + '.gr').splitlines()):
            self.shown(line)
            self.assertIn(PLAIN, line)
        for report in (self.good('gbfs', '--json', graph), self.good('goctree', '--json', points),
                       self.good('gconvert', '--info', '--json', graph)):
            self.assertFalse([c for c in report[:-1] if ord(c) < 32 or 0x7f <= ord(c) < 0xa0], report)
            self.assertIn('\\u202e', report)
        self.assertEqual(strict_json(self.good('gbfs', '--json', graph))['graph']['name'], graph)

    def test_words_of_files(self):
        self.assertIn(r"found '\x1b[31mGrö'", self.bad(1, 'gbfs', '-', input='p sp 2 1\na 1 \033[31mGrö 3\n'.encode()))
        self.assertIn(r"found 'a\xff'", self.bad(1, 'gbfs', self.write('a.el', b'0 1\n0 a\xff\n')))
        for name, text in (('a.xyz', b'0 0 0\n1 \033[31m 2\n'), ('a.ply', b'ply\nformat \033[2J 1.0\nend_header\n'),
                           ('a.pcd', b'# .PCD v0.7\nFIELDS \033[2J\n'), ('a.npy', b'\x93NUMPY\1\0\4\0\033[2J')):
            self.assertNotIn('\033', self.bad(1, 'goctree', self.write(name, text)))

    def test_empty_names(self):
        self.assertIn("'': cannot open", self.bad(1, 'gbfs', ''))
        self.assertIn("'': cannot open", self.bad(1, 'goctree', ''))
        self.assertIn("'': cannot open", self.bad(1, 'gconvert', '', 'x.gr'))
        self.assertIn("'': ", self.bad(1, 'gconvert', 'kron:4', ''))
        for tool, options in (('gbfs', ('out', 'trace', 'plot', 'map', 'positions', 'format')),
                              ('gconvert', ('positions', 'from', 'to')),
                              ('goctree', ('out', 'nodes', 'format', 'trace', 'picture', 'box'))):
            for option in options:
                self.assertIn(f"--{option}: expected", self.bad(2, tool, f'--{option}='))

    def test_devices_are_named_once(self):
        complaint = self.bad(4, 'gbfs', 'kron:4', '--device', 'opencl:63')
        self.assertEqual(complaint.count('opencl:63'), 1, complaint)

    def test_standard_output_needs_a_format(self):
        self.assertIn('--to', self.bad(2, 'gconvert', 'kron:4', '-'))

    def test_closed_files(self):
        """Their descriptors stay in use, so messages go into no file that is opened later."""
        for closed in ((1,), (2,), (1, 2)):
            tool = subprocess.Popen([BUILD / 'bin' / 'gbfs', '-'], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                    preexec_fn=lambda: [os.close(number) for number in closed])
            for number in closed:  # the loader uses the descriptors for a moment
                self.wait_for(Path(f'/proc/{tool.pid}/fd/{number}'), '/dev/null')
            said = tool.communicate(b'0 1\n')[1].decode()
            self.assertEqual((tool.returncode, said.count('\n')), (1 if 1 in closed else 0, int(closed == (1,))))
        for tool, words in (('gbfs', []), ('goctree', []), ('gconvert', ['x.gr'])):
            complaint = self.bad(1, tool, '-', *words, preexec_fn=lambda: os.close(0))
            self.assertIn('standard input: cannot ', complaint)

    def wait_for(self, link, target):
        def is_there():
            try:
                return os.readlink(link) == target
            except FileNotFoundError:  # closed, and not open again yet
                return False
        end = time.monotonic() + 20
        while not is_there():
            self.assertLess(time.monotonic(), end, f'{link} is not {target}')
            time.sleep(0.01)

    def test_full_standard_output(self):
        for words in (['gbfs', 'kron:4'], ['gbfs', 'kron:4', '--out', '-', '--quiet'], ['gdevices'], ['gtask', '--help'],
                      ['gconvert', '--info', 'kron:4'], ['gconvert', 'kron:4', '-', '--to', 'dimacs'],
                      ['goctree', 'uniform:9'], ['goctree', 'uniform:9', '--json'], ['gtask', 'bpc', '-d', '1']):
            with open('/dev/full', 'wb') as full:
                done = subprocess.run([BUILD / 'bin' / words[0], *words[1:]], stdout=full, stderr=subprocess.PIPE,
                                      stdin=subprocess.DEVNULL, timeout=LIMIT, check=False)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn('standard output: ', done.stderr.decode().splitlines()[-1])
            self.assertIn('No space left', done.stderr.decode().splitlines()[-1])

    def test_long_names(self):
        for tool, words in (('gbfs', []), ('goctree', []), ('gconvert', ['x.gr'])):
            complaint = self.bad(1, tool, 'a' * 5000 + '.gr', *words)
            self.assertIn('...', complaint)
            self.assertIn('.gr: cannot open: File name too long', complaint)
        self.assertIn(os.strerror(36), self.bad(1, 'gconvert', 'kron:4', 'b' * 5000 + '.gr'))
        self.assertIn('.csv: ', self.bad(1, 'gbfs', 'kron:4', '--out', 'b' * 5000 + '.csv'))
        self.assertIn('...', self.bad(2, 'gbfs', '--' + 'c' * 100000))
        self.assertIn('...', self.bad(2, 'gtask', 'd' * 100000))


if __name__ == '__main__':
    unittest.main()
