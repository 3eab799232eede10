# SPDX-License-Identifier: MIT
"""Completion in bash and zsh offers the options and names that the tools' help lists."""
import os
import shutil
import subprocess
import sys
import unittest

from tool import BUILD, SOURCE

sys.path.insert(0, str(SOURCE / 'site_scons'))
import manual  # noqa: E402

BASH = SOURCE / 'tools' / 'completion' / 'graphws.bash'
SCRIPT = SOURCE / 'tools' / 'completion' / '_graphws'
CALLS = (['gbfs'], ['gconvert'], ['gdevices'], ['goctree'],
         *(['gtask', name] for name in ('uts', 'bpc', 'connect4', 'quicksort', 'master-slave', 'madness', 'md')),
         *(['graphws', name] for name in ('cc',)))


def complete(*words):
    """Returns the completions of bash for the last of these words, which are split as bash splits them."""
    script = f'''source {BASH}
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _graphws "$1"
        printf '%s\\n' "${{COMPREPLY[@]}}"'''
    done = subprocess.run(['bash', '-c', script, 'bash', BUILD / 'bin' / words[0], *words[1:]], capture_output=True,
                          text=True, check=True)
    return done.stdout.split()


def options_of(words):
    """Returns all options, by the --help parser of the man pages."""
    listed = manual.options_of(tool(*words, '--help'))
    return {option.name + ('=' if option.argument else '') if option.name else option.short for option in listed}


def tool(*words):
    return subprocess.run([BUILD / 'bin' / words[0], *words[1:]], capture_output=True, text=True, check=True).stdout


@unittest.skipIf(shutil.which('bash') is None, 'there is no bash')
class Bash(unittest.TestCase):
    def test_options(self):
        for words in CALLS:
            listed = options_of(words)
            self.assertGreater(len(listed), 2)
            self.assertEqual(set(complete(*words, '-')), listed, words)
            self.assertEqual(set(complete(*words, '--')), {name for name in listed if name.startswith('--')}, words)
        self.assertEqual(complete('gbfs', '--thr'), ['--threads='])
        self.assertIn('--tree=', complete('gtask', 'uts', '--tr'))
        self.assertNotIn('--tree=', complete('gtask', 'bpc', '--tr'))

    def test_names(self):
        policies = [line.split()[0] for line in tool('gbfs', '--policy=help').splitlines()]
        self.assertEqual(complete('gbfs', '--policy', '=', ''), policies)
        self.assertEqual(complete('gbfs', '--policy', '='), policies)
        self.assertEqual(complete('gbfs', 'kron:4', '--policy', ''), policies)
        self.assertEqual(complete('gtask', 'uts', '--policy', '=', 'ch'), ['chunked', 'chaselev'])
        self.assertEqual(complete('gtask', 'uts', '--tree', '=', 'T1W'), ['T1WL'])

    def test_workloads(self):
        self.assertEqual(complete('gtask', 'qu'), ['quicksort'])
        self.assertIn('uts', complete('gtask', ''))

    def test_files_are_left_to_the_shell(self):
        self.assertEqual(complete('gbfs', 'gra'), [])
        self.assertEqual(complete('gbfs', '--out', '=', 'x'), [])


ZSH = """
compadd() { while [[ $1 == -S || $1 == -- ]]; do [[ $1 == -S ]] && shift; shift; done; print -l -- "$@" }
compset() { PREFIX=${PREFIX#*=} }
_files() { print files }
words=("$@") CURRENT=$# PREFIX=$words[-1]
source $SCRIPT
"""


@unittest.skipIf(shutil.which('zsh') is None, 'there is no zsh')
class Zsh(unittest.TestCase):
    """Uses stubs for the functions that exist only while zsh completes."""

    def complete(self, *words):
        done = subprocess.run(['zsh', '-fc', ZSH, 'zsh', BUILD / 'bin' / words[0], *words[1:]], text=True, check=True,
                              capture_output=True, env=dict(os.environ, SCRIPT=str(SCRIPT)))
        self.assertEqual(done.stderr, '')
        return done.stdout.split()

    def test_all(self):
        for words in CALLS:
            self.assertEqual(set(self.complete(*words, '-')), options_of(words), words)
        policies = [line.split()[0] for line in tool('gbfs', '--policy=help').splitlines()]
        self.assertEqual(self.complete('gbfs', '--policy='), policies)
        self.assertIn('T1WL', self.complete('gtask', 'uts', '--tree='))
        self.assertIn('quicksort', self.complete('gtask', ''))
        self.assertEqual(self.complete('gbfs', '--out='), ['files'])
        self.assertEqual(self.complete('gbfs', ''), ['files'])


if __name__ == '__main__':
    unittest.main()
