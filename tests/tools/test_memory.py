#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Endless inputs: they are refused, or the tool ends at --max-memory, or at once by Ctrl-C."""
import gzip
import os
import signal
import subprocess
import time
import unittest

from tool import BUILD, LIMIT, ToolTest

SMALL = '--max-memory=48M'


class Limit(ToolTest):
    def endless(self, line, tool, *arguments):
        """Returns the tool's message for a pipe that repeats a line endlessly."""
        with subprocess.Popen(['yes', line], stdout=subprocess.PIPE) as source:
            said = self.bad(1, tool, *arguments, stdin=source.stdout, cwd=self.folder)
            source.stdout.close()
            source.wait(LIMIT)
        return said

    def test_a_pipe_without_an_end(self):
        self.write('a.xyz', '0 0 0\n1 1 1\n')
        for line, *call in (('1 2', 'gbfs', '-', '--out=o.csv'), ('1 2', 'gconvert', '-', 'o.gwsg'), ('1 2 3', 'goctree', '-', '--out=o.ply'),
                            ('nearest 0 0 0 1', 'goctree', 'a.xyz', '--query=-', '--answers=o.csv')):
            said = self.endless(line, *call, '--quiet', SMALL)
            self.assertIn('standard input: out of memory', said)
            self.assertIn('--max-memory allows 48.0 MB', said)
            self.assertEqual(os.listdir(self.folder), ['a.xyz'])

    def test_files_that_hold_nothing(self):
        """Tests sparse files and compressed zeros as every kind of input."""
        graph = self.write('a.gr', 'p sp 2 1\na 1 2 3\n')
        points = self.write('a.xyz', '0 0 0\n1 1 1\n')
        packed = self.write('zero.gz', gzip.compress(bytes(1 << 20)) * 64)
        for name in ('s.gr', 's.el', 's.gwsg', 's.co', 's.ss', 's.bin', 's.csv', 's.gwsp', 's.txt'):
            with open(self.folder / name, 'wb') as sparse:
                sparse.truncate(20 << 30)
        for call, said in ((('gbfs', 's.gr'), 's.gr:1:1: expected text'), (('gconvert', '--info', 's.el'), 's.el:1:1: expected text'),
                           (('gbfs', 's.gwsg'), 'not a .gwsg'), (('goctree', 's.gwsp'), 's.gwsp'),
                           (('gconvert', '--positions=s.co', graph, 'o.gwsg'), 's.co:1:1: expected text'),
                           (('gbfs', '--source=s.ss', graph), 's.ss:1:1: expected text'), (('goctree', 's.csv'), 's.csv'),
                           (('goctree', '--query=s.txt', points), 's.txt:1:1: expected text'),
                           (('goctree', 's.bin'), 's.bin: out of memory'),
                           (('goctree', '--format=raw', packed), 'zero.gz: out of memory'), (('gbfs', packed), 'zero.gz:1:1: expected text')):
            self.assertIn(said, self.bad(1, *call, '--quiet', SMALL, cwd=self.folder))
        self.assertFalse((self.folder / 'o.gwsg').exists())

    def test_a_limit_that_is_enough_changes_nothing(self):
        for call in (('gbfs', 'kron:10', '--verify'), ('goctree', 'plummer:9k', '--verify'), ('gtask', 'uts', '-d', '4')):
            self.good(*call, '--quiet', SMALL)
        self.assertRegex(self.bad(1, 'gbfs', 'kron:10', '--max-memory=20k'), 'out of memory.*; --max-memory allows 20.0 KB')
        self.bad(2, 'gbfs', 'kron:10', '--max-memory=0')


class Interrupt(ToolTest):
    def interrupted(self, *call, **options):
        """Returns the seconds from Ctrl-C to the end of the tool, which must leave no output."""
        process = subprocess.Popen([BUILD / 'bin' / call[0], *call[1:], '--quiet'], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, **options)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), call)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(LIMIT), -signal.SIGINT)
        self.assertEqual(os.listdir(self.folder), [])
        return time.monotonic() - began

    def test_in_the_middle(self):
        """Interrupts a read from a silent pipe, endless empty lines, and loops of all workers."""
        quiet, end = os.pipe()
        self.addCleanup(os.close, end)
        self.addCleanup(os.close, quiet)
        with subprocess.Popen(['yes', '# a comment'], stdout=subprocess.PIPE) as comments:
            for tool, *out in (('gbfs', '--format=edge-list', '--out=o.csv'), ('gconvert', '--from=edge-list', 'o.gwsg'),
                               ('goctree', '--format=text', '--out=o.ply')):
                for source in (quiet, comments.stdout):
                    self.assertLess(self.interrupted(tool, *out[:-1], '-', out[-1], stdin=source), LIMIT / 4)
            comments.stdout.close()
            comments.wait(LIMIT)
        self.assertLess(self.interrupted('gtask', 'uts', '--tree=T1WL', '--trace=o.json'), LIMIT / 4)
        self.assertLess(self.interrupted('gconvert', 'kron:26', 'o.gwsg', '--max-memory=100G'), LIMIT / 4)


if __name__ == '__main__':
    unittest.main()
