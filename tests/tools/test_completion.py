# SPDX-License-Identifier: MIT
"""Completion in bash, zsh and fish offers the options that the tools' help lists, and the values of each option."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from tool import BUILD, SOURCE, without_sanitizers

sys.path.insert(0, str(SOURCE / 'site_scons'))
import manual  # noqa: E402

BASH = SOURCE / 'tools' / 'completion' / 'graphws.bash'
SCRIPT = SOURCE / 'tools' / 'completion' / '_graphws'
FISH = SOURCE / 'tools' / 'completion' / 'graphws.fish'
CALLS = (['gbfs'], ['gconvert'], ['gdevices'], ['goctree'],
         *(['gtask', name] for name in ('uts', 'bpc', 'connect4', 'quicksort', 'master-slave', 'madness', 'md')),
         *(['gsim', name] for name in ('uts', 'bpc', 'quicksort', 'master-slave', 'recorded', 'advise')),
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


def values_of(words):
    """Returns {option: its values} for the options that take some word by name."""
    found = {}
    for option in manual.options_of(tool(*words, '--help')):
        given = (option.argument or '').split('|')
        values = {word for word in given if word[:1].islower() and word != 'help'}
        if 'help' in given:
            values |= {line.split()[0] for line in tool(*words, option.name or option.short, 'help').splitlines()}
        if values:
            found[option.name or option.short] = values
    return found


def tool(*words):
    return subprocess.run([BUILD / 'bin' / words[0], *words[1:]], capture_output=True, text=True, check=True).stdout


@without_sanitizers
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

    def test_all_values(self):
        seen = 0
        for words in VALUED:
            for option, values in values_of(words).items():
                if option == '--policy' and seen:  # queries above, and in most tools
                    continue
                self.assertEqual(set(complete(*words, option, '')), values, (words, option))
                seen += 1
        self.assertGreater(seen, 25)

    def test_workloads(self):
        self.assertEqual(complete('gtask', 'qu'), ['quicksort'])
        self.assertIn('uts', complete('gtask', ''))

    def test_files_are_left_to_the_shell(self):
        self.assertEqual(complete('gbfs', 'gra'), [])
        self.assertEqual(complete('gbfs', '--out', '=', 'x'), [])


# The calls with options of their own kinds: of names, of words in --help, of letters.
VALUED = (['gbfs'], ['goctree'], ['gtask', 'uts'], ['gtask', 'md'], ['graphws', 'communities'], ['gconvert'])


ZSH = """
compadd() { while [[ $1 == -S || $1 == -- ]]; do [[ $1 == -S ]] && shift; shift; done; print -l -- "$@" }
compset() { PREFIX=${PREFIX#*=} }
_files() { print files }
words=("$@") CURRENT=$# PREFIX=$words[-1]
source $SCRIPT
"""


@without_sanitizers
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
        for words, option in (['gbfs', '--form='], ['gtask', '--device='], ['gbfs', '--source=']):
            self.assertEqual(set(self.complete(words, *['uts'] * (words == 'gtask'), option)),
                             values_of([words, *['uts'] * (words == 'gtask')])[option[:-1]])
        self.assertEqual(set(self.complete('gtask', 'uts', '-t', '')), values_of(['gtask', 'uts'])['-t'])
        self.assertEqual(self.complete('gbfs', '--out='), ['files'])
        self.assertEqual(self.complete('gbfs', ''), ['files'])


@without_sanitizers
@unittest.skipIf(shutil.which('fish') is None, 'there is no fish')
class Fish(unittest.TestCase):
    """Asks fish itself, in an empty folder: it offers names of files where there are no others."""

    def complete(self, *lines):
        """Returns the sets of completions of command lines, by one fish."""
        script = f'source {FISH}; for line in $argv; echo ==; complete -C "$line" | string replace -r "\\t.*" ""; end; true'
        env = dict(os.environ, PATH=f'{BUILD / "bin"}:{os.environ["PATH"]}')
        with tempfile.TemporaryDirectory() as empty:
            done = subprocess.run(['fish', '--no-config', '-c', script, *lines], cwd=empty, env=env, text=True, check=True,
                                  capture_output=True)
            self.assertEqual(done.stderr, '')
        return [set(part.split()) for part in done.stdout.split('==\n')[1:]]

    def test_all(self):
        options = self.complete(*(' '.join([*words, '-']) for words in CALLS))
        for words, found in zip(CALLS, options):
            self.assertEqual(found, options_of(words), words)
        queries = [(words, option, values) for words in VALUED[:3] for option, values in values_of(words).items()]
        found = self.complete(*(' '.join([*words, option, '']) for words, option, _ in queries))
        for (words, option, values), offered in zip(queries, found):
            self.assertEqual(offered, values, (words, option))
        policies, none, workloads = self.complete('gbfs --policy=ch', 'gbfs --out=', 'gtask qu')
        self.assertEqual(policies, {'--policy=chunked', '--policy=chaselev'})
        self.assertEqual((none, workloads), (set(), {'quicksort'}))


if __name__ == '__main__':
    unittest.main()
