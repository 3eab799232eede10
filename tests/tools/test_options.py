#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An option behaves alike in all tools: values that it refuses, and its messages. (tests/check_man compares the help
texts.)"""
import collections
import subprocess
import sys
import unittest

from tool import BUILD, SOURCE, ToolTest, some

sys.path.insert(0, str(SOURCE / 'site_scons'))
import manual  # noqa: E402

TOOLS = (['gbfs'], ['goctree'], ['gconvert'], ['gdevices'],
         *(['gtask', name] for name in ('uts', 'bpc', 'connect4', 'quicksort', 'master-slave', 'madness')),
         *(['gsim', name] for name in ('uts', 'bpc', 'quicksort', 'master-slave')),
         *(['graphws', name] for name in ('cc',)))
# Options whose meaning depends on the tool.
OWN = {('gtask uts', '--batch'), ('gsim uts', '--batch'), ('gtask connect4', '--batch'), ('gtask quicksort', '--order'), ('gtask madness', '--order'),
       ('gbfs', '--order'), ('gbfs', '--out'), ('goctree', '--out'), ('graphws cc', '--out'), ('gbfs', '--form'), ('goctree', '--form')}
FEW = {'gbfs': ['grid:3x3'], 'goctree': ['uniform:9'], 'gconvert': ['grid:3x3', 'x.gwsg'], 'gdevices': [], 'uts': ['-d3'],
       'bpc': ['-d1', '-n1'], 'connect4': ['--ahead=1'], 'quicksort': ['--keys=9'], 'master-slave': ['--rounds=1'],
       'madness': ['--order=3', '--threshold=1'], 'cc': ['grid:3x3']}


def options_of(words):
    """Returns {'--name' or '-d': its argument or None}."""
    text = subprocess.run([BUILD / 'bin' / words[0], *words[1:], '--help'], capture_output=True, text=True, check=True).stdout
    return {option.name or option.short: option.argument for option in manual.options_of(text)}


def given(option, value):
    return [f'{option}={value}'] if option.startswith('--') else [option + value]


class Options(ToolTest):
    @classmethod
    def setUpClass(cls):
        cls.options = {tuple(words): options_of(words) for words in TOOLS}

    def complaint(self, words, *more):
        return self.bad(2, *words, *more, *FEW[words[-1]], cwd=self.folder).removeprefix(words[0] + ': ')

    def with_values(self):
        for words, options in self.options.items():
            for option, argument in options.items():
                if argument:
                    yield words, option, argument

    def test_bad_values_are_refused_in_the_same_words(self):
        said = collections.defaultdict(dict)
        for words, option, argument in some(self.with_values()):
            if (' '.join(words), option) in OWN or argument.startswith('FILE') or option in ('-r', '-d', '--device'):
                continue
            for value in ('', '-1', 'nothing at all'):
                said[option, value].setdefault(self.complaint(words, *given(option, value)) if value or option[1] == '-'
                                               else self.complaint(words, option, value), words)
        self.assertGreater(len(said), len(some(range(100))))
        for key, complaints in said.items():
            self.assertEqual(len(complaints), 1, (key, complaints))

    def test_choices_are_listed(self):
        """"help" lists the values of an option that takes one of a few names, and each of them is accepted."""
        listed = 0
        for words, option, argument in some(self.with_values()):
            if argument in ('NAME|help', 'WHO|help', 'HOW|help', 'WHERE|help', 'WHAT|help', 'TYPE|help', 'SHAPE|help'):
                self.assertGreater(len(self.good(*words, option, 'help').splitlines()), 1, (words, option))
                listed += 1
        self.assertGreater(listed, len(some(range(20))))
        self.assertEqual(self.good('gbfs', '--direction=help').split(), ['auto', 'top-down', 'bottom-up'])
        self.good('gbfs', '--direction=bottom-up', '--quiet', *FEW['gbfs'])

    def test_misspelt(self):
        """Every tool names the option that a slip of the fingers meant."""
        for words, options in self.options.items():
            for option in some(options):
                if len(option) < 6:  # "--" and three letters
                    continue
                slip = option[:3] + option[4] + option[3] + option[5:]
                if option[3] != option[4] and slip != '--mamp':  # which may also be --map
                    self.assertRegex(self.complaint(words, slip), f'^unknown option {slip}; do you mean {option}[?] ')
        self.assertIn('do you mean --source? gbfs --help lists', self.bad(2, 'gbfs', '--sorce', '3', 'grid:3x3'))
        self.assertIn('do you mean --threads?', self.bad(2, 'gbfs', '--treads=3', 'grid:3x3'))
        self.assertIn('unknown or ambiguous option --mamp;', self.bad(2, 'gbfs', '--mamp', 'grid:3x3'))
        for far in ('--zzzzzz', '--plcy', '--' + 'x' * 5000, '--d', '--s'):
            self.assertIn('unknown or ambiguous option --', self.bad(2, 'gbfs', far, 'grid:3x3'))

    def test_given_twice(self):
        values = {'N': '23', 'X': '01', 'US': '12', 'NAME': None, 'TYPE': '01', 'SHAPE': '01', 'AXIS': 'xy', 'K': '12', 'D': '12'}
        tried = 0
        for words, option, argument in some(self.with_values()):
            argument = argument.removesuffix('|help')
            if not values.get(argument):
                continue
            first, second = values[argument] if option not in ('--group-size', '--mode', '-f', '-q') else '12' if option[-1] == 'e' else '01'
            spelt = self.complaint(words, *given(option, first), *given(option, second))
            self.assertRegex(spelt, f"^-?-[a-z-]+ is given twice, as '{first}' and as '{second}'$")
            tried += 1
        self.assertGreater(tried, len(some(range(50))))
        for words, few in ((['gbfs', '--threads=2', '--threads', '2'], 'gbfs'), (['gtask', 'uts', '--json', '--json'], 'uts')):
            self.good(*words, *FEW[few])
        self.assertIn('--depth is given twice', self.bad(2, 'gtask', 'bpc', '-d1', '--depth=2'))

    def test_two_that_contradict_each_other(self):
        for words, first, second in ((['gbfs', 'a.el'], '--directed', '--undirected'),
                                     (['gconvert', 'a.el', 'b.el'], '--undirected', '--directed'),
                                     (['gconvert', 'a.el', 'b.el'], '--round-weights', '--drop-weights'),
                                     (['goctree', 'uniform:9'], '--double', '--float')):
            self.assertIn(f': {first} and {second} exclude each other', self.bad(2, *words, first, second))

    def test_statistics_are_in_json_in_any_case(self):
        for words, options in self.options.items():
            if '--stats' in options:
                self.assertIn('which --json always has', self.complaint(words, '--stats', '--json'))

    def test_seeds_are_for_what_is_drawn(self):
        for words, options in self.options.items():
            if '--policy' not in options:
                continue
            drawn = words in (('gbfs',), ('gtask', 'quicksort'), ('gsim', 'quicksort'))
            fixed = '--policy=global' if words[0] == 'gsim' else '--policy=static'
            self.good(*words, '--seed=5', '--quiet', *FEW[words[-1]])
            if drawn:
                self.good(*words, '--seed=5', fixed, '--quiet', *FEW[words[-1]])
            else:
                for more in ([fixed], ['--policy=split', '--victim=round']):
                    self.assertIn('--seed: nothing is drawn', self.complaint(words, '--seed=5', *more))
        for more in (['--policy=static'], ['--victim=round']):
            self.assertIn('--seed', self.bad(2, 'gbfs', 'grid:3x3', '--source=1', '--seed=5', *more))
        self.good('gbfs', 'grid:3x3', '--source=1', '--seed=5', '--quiet')
        self.assertIn('--seed', self.bad(2, 'gbfs', 'grid:3x3', '--source=1', '--seed=5', '--device=opencl'))
        self.assertIn('--seed', self.bad(2, 'goctree', 'uniform:9', '--seed=5', '--device=opencl'))
        self.assertIn('--seed', self.bad(2, 'gtask', 'madness', '--seed=5', '--device=opencl'))
        self.good('gtask', 'madness', '--seed=5', '--policy=static', '--function=bodies', '--bodies=2', '--quiet', *FEW['madness'])

    def test_devices(self):
        """Tools with --device accept the same names, and refuse options that require a device with the same message."""
        some = [words for words, options in self.options.items() if '--device' in options and words[0] != 'graphws']
        self.assertGreaterEqual(len(some), 6)
        for words in some:
            for device in ([], ['--device=cpu'], ['--device=auto']) if '--groups' in self.options[words] else ():
                why = 'auto may select none' if device == ['--device=auto'] else 'names none'
                self.assertEqual(self.complaint(words, *device, '--groups=2'),
                                 f'--groups requires a device, and --device {why}\n')
            self.assertRegex(self.good(*words, '--device=help'), r'cpu +the CPU.*\nauto +[^\n]*\nopencl .*\ncuda ')
            self.bad(4, *words, '--device=cuda:999', *FEW[words[-1]])
            self.good(*words, '--device=auto', '--quiet', *FEW[words[-1]])


if __name__ == '__main__':
    unittest.main()
