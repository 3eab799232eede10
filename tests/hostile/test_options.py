#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Extreme numbers in every numeric option of every tool, and in the descriptions of generators."""
import itertools
import re
import subprocess
import sys
import unittest

from hostile import MORE, NUMBERS, QUICK, HostileTest, part, variants
from tool import BUILD, SOURCE

sys.path.insert(0, str(SOURCE / 'site_scons'))
import manual  # noqa: E402

WORKS = ('uts', 'bpc', 'connect4', 'quicksort', 'master-slave', 'madness')
SIMULATED = ('uts', 'bpc', 'quicksort', 'master-slave')
# The other arguments of each tool: little work, and all outputs.
FEW = {'gbfs': ['--stats', '--verify', 'grid:3x3'], 'goctree': ['--stats', '--verify', 'uniform:9'], 'gconvert': ['grid:3x3', 'x.gwsg'],
       'uts': ['--stats'], 'bpc': ['--stats'], 'connect4': ['--stats'], 'quicksort': ['--stats'], 'master-slave': ['--stats'],
       'madness': ['--stats']}
SMALL = {'uts': {'-d': '3'}, 'bpc': {'--depth': '1', '--consumers': '1', '--work': '1'}, 'connect4': {'--ahead': '1'},
         'quicksort': {'--keys': '9'}, 'master-slave': {'--rounds': '1', '--slave-work': '1', '--master-work': '1'},
         'madness': {'--order': '3', '--threshold': '1'}}
NUMERIC = re.compile(r'N|N,\.\.|X|K|D|US|TYPE|SHAPE|V|BYTES|MOVES|auto\|N|LIST\|auto\|help')
GENERATORS = {'gconvert': ('kron:{4}:{2}:{1}', 'uniform:{4}:{2}:{1}', 'grid:{3}x{3}', 'road:{9}:{1}', 'igraph:barabasi:{9}:{2}:{1}',
                           'igraph:watts:{9}:{2}:{0.5}:{1}', 'igraph:erdos:{9}:{8}:{1}', 'igraph:geometric:{9}:{0.5}:{1}',
                           'igraph:tree:{9}:{1}', 'igraph:forest:{9}:{0.1}:{1}'),
              'goctree': ('uniform:{9}:{1}', 'gauss:{9}:{1}', 'plummer:{9}:{1}', 'shell:{9}:{1}', 'uniform:{9}M', 'uniform:{9}k')}


def is_whole(value):
    return value.isdigit() and int(value) < 2**64


class Options(HostileTest):
    @staticmethod
    def options_of(words):
        """The numeric options as --help lists them."""
        text = subprocess.run([BUILD / 'bin' / words[0], *words[1:], '--help'], capture_output=True, text=True, check=True).stdout
        return [option.name or option.short for option in manual.options_of(text)
                if option.argument and NUMERIC.fullmatch(option.argument)]

    @staticmethod
    def call(words, option, value):
        work = words[-1]
        given = [f'{option}={value}'] if option.startswith('--') else [option, value]
        small = [f'{name}={small}' if name.startswith('--') else name + small for name, small in SMALL.get(work, {}).items()
                 if name != option and not (option in ('-d', '-n') and name in ('--depth', '--consumers'))]
        if words[0] == 'gsim':
            return [*words, '--quiet', *small, *given]
        threads = [] if option == '--threads' else ['--threads=1']
        return [*words, '--quiet', '--no-sync', *threads, *small, *given, *FEW[work]]

    def test_every_option(self):
        """Descriptions that are refused at once; legal large ones mean work and only run in the full sweep."""
        cases, count = [], 0
        for words in (['gbfs'], ['goctree'], ['gconvert'], *(['gtask', work] for work in WORKS),
                      *(['gsim', work] for work in SIMULATED)):
            for option, value in itertools.product(self.options_of(words), NUMBERS):
                count += 1
                if MORE > 1 or not is_whole(value) or int(value) < 2:
                    cases.append((self.call(words, option, value), {}, False))
        self.assertGreater(count, 3000)
        self.assertGreater(self.hold_all(part(cases, 12))[2], 0)

    def test_recorded_tasks(self):
        """Large numbers of tasks are legal, and mean work."""
        texts = [text for template in ('task {0} {1000}\n', 'task 0 5\n#\ntasks {1} {500} {3}\ntask 3 7\n')
                 for field, value, text in variants(template, NUMBERS) if field < 2 or not is_whole(value) or int(value) not in range(4, 2**32)]
        call = ['gsim', 'recorded', '--quiet', '--no-sync', '--workers=3', '--tasks=a', '--trace=t.json', '--out=o.csv']
        self.assertGreater(self.hold_all(part([(call, {'a': text}, True) for text in texts], 3))[1], 0)

    def test_generators(self):
        cases = []
        for template in GENERATORS['gconvert']:
            cases += [(['gconvert', *QUICK, '--info', name], {}, False) for _, _, name in variants(template, NUMBERS)]
        for template in GENERATORS['goctree']:
            cases += [(['goctree', *QUICK, '--picture=p.svg', name], {}, False) for _, _, name in variants(template, NUMBERS)]
        self.hold_all(part(cases, 24))


if __name__ == '__main__':
    unittest.main()
