#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gtask: the command line, refused options, and errors."""
import os
import resource
import subprocess
import unittest

from tool import BUILD, ToolTest, some

WORKLOADS = ('uts', 'bpc', 'connect4', 'quicksort', 'master-slave', 'madness', 'md')
NUMBERS = {'uts': {'-d': '1048577', '-r': '4294967296', '-m': '101', '-g': '0', '--batch': '257'},
           'bpc': {'-d': None, '-n': None},
           'connect4': {'--ahead': '20', '--batch': '0'},
           'quicksort': {'--keys': '281474976710656', '--cutoff': '0'},
           'master-slave': {'--masters': '0', '--slaves': '2147483649', '--rounds': '0'},
           'madness': {'--order': '31', '--mode': '3', '--bodies': '0', '--special-level': '21', '--max-level': '0', '--groups': '0',
                       '--group-size': '1025'},
           'md': {'--atoms': '2147483648', '--steps': '4294967296', '--frames': '4294967296'}}
REALS = {'uts': {'-b': '16777217', '-q': '1.01', '-f': '2'}, 'bpc': {'--work': '1e10'},
         'master-slave': {'--master-work': '1e10', '--slave-work': '1e10'}, 'madness': {'--threshold': '1e31'},
         'md': {'--density': '1e7', '--charge': '1e7', '--radius': '1e5'}}


class Usage(ToolTest):
    def test_help_shows_everything_and_that_of_a_workload_its_own(self):
        text = self.good('gtask', '--help')
        for word in ('usage: gtask WORKLOAD', 'Exit status', 'Examples', '--trace', '--tree', '--cutoff', *WORKLOADS):
            self.assertIn(word, text)
        self.assertEqual(text, self.good('gtask', '-h'))
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        for workload in WORKLOADS:
            own = self.good('gtask', workload, '--help')
            self.assertIn(f'usage: gtask {workload} [options]', own)
            self.assertEqual('--tree=' in own, workload == 'uts')
            self.assertIn('--policy', own)

    def test_version(self):
        self.assertRegex(self.good('gtask', '--version'), r'^gtask \d+\.\d+\.\d+\n$')
        self.assertEqual(self.good('gtask', '--version'), self.good('gtask', 'bpc', '--version'))

    def test_lists_of_names(self):
        for arguments, expected in ((['--policy', 'help'], {'split', 'workpile', 'global', 'abp', 'chaselev', 'chunked'}),
                                 (['uts', '--victim=help'], {'random', 'round', 'last', 'nearest'}),
                                 (['bpc', '--amount=help'], {'one', 'two', 'chunk', 'half'}),
                                 (['uts', '--tree=help'], {'T1', 'T3', 'T1L', 'T3L', 'T1WL'}),
                                 (['uts', '--hash', 'help'], {'scalar'}),
                                 (['madness', '--function=help'], {'test', 'peak', 'bodies', 'potentials'}),
                                 (['madness', '--kernel', 'help'], {'plain'}),
                                 (['madness', '--device', 'help'], {'cpu', 'opencl', 'cuda'}),
                                 (['uts', '--device', 'help'], {'cpu', 'opencl', 'cuda'}),
                                 (['quicksort', '--order', 'help'], {'random', 'up', 'down', 'few', 'equal'})):
            names = {line.split()[0] for line in self.good('gtask', *arguments).splitlines()}
            self.assertGreaterEqual(names, expected)

    def test_the_workload_comes_first(self):
        for arguments in ([], ['--threads=2'], ['--threads=2', 'uts']):
            complaint = self.bad(2, 'gtask', *arguments)
            self.assertIn('uts, bpc, connect4, quicksort, master-slave, madness or md', complaint)
        self.assertIn("'nqueens'", self.bad(2, 'gtask', 'nqueens'))
        self.assertIn("'uts'", self.bad(2, 'gtask', 'uts', 'uts'))

    def test_bad_numbers_name_the_option(self):
        for workload, options in NUMBERS.items():
            for option, beyond in options.items():
                for value in some(filter(None, ('-1', '', 'x', '5x', '1.5', '0x10', '18446744073709551616', beyond))):
                    complaint = self.bad(2, 'gtask', workload, option, value)
                    self.assertRegex(complaint, f"^gtask: -(-[a-z-]+|{option[-1]}): .*'{value}'$")

    def test_bad_reals_name_the_option(self):
        for workload, options in REALS.items():
            for option, beyond in options.items():
                for value in some(('-1', '', 'x', 'nan', 'inf', '1e999', '0x1', ' 1', '+1', '1,5', '.', beyond)):
                    complaint = self.bad(2, 'gtask', workload, option, value)
                    self.assertRegex(complaint, f"^gtask: {option}: expected a number from 0 to ")

    def test_bad_words(self):
        for arguments in (['uts', '--tree=T9'], ['uts', '--hash=md5'], ['uts', '-t', '4'], ['uts', '-a', 'round'],
                          ['quicksort', '--order=odd'], ['madness', '--function=f'], ['madness', '--kernel=abacus'],
                          ['md', '--order=odd'], ['md', '--pattern=P5'], ['md', '--shape=cube'], ['md', '--skin=0'], ['md', '--schedule=odd'], ['md', '--order=population', '--device=opencl'],
                          ['madness', '--threshold=0'], ['madness', '--device=abacus'], ['bpc', '--policy=fastest'], ['bpc', '--victim=weakest'],
                          ['bpc', '--amount=all'], ['bpc', '--termination=soon'], ['bpc', '--sample=0']):
            option = next(word for word in arguments[1:]).split('=')[0]
            self.assertIn(option, self.bad(2, 'gtask', *arguments))

    def test_options_that_do_not_exist_or_stand_alone(self):
        self.assertIn('--moves', self.bad(2, 'gtask', 'uts', '--moves=3'))
        self.assertIn('-x', self.bad(2, 'gtask', 'uts', '-x'))
        self.assertIn('-t', self.bad(2, 'gtask', 'bpc', '-t', '1'))
        self.assertIn('-d needs a value', self.bad(2, 'gtask', 'uts', '-d'))
        self.assertIn('--tree needs a value', self.bad(2, 'gtask', 'uts', '--tree'))
        self.assertIn('--verify takes no value', self.bad(2, 'gtask', 'uts', '--verify=yes'))

    def test_options_that_a_policy_refuses(self):
        for policy, option in (('static', 'victim=random'), ('global', 'victim=last'), ('abp', 'amount=half'),
                               ('chaselev', 'wait'), ('cursor', 'termination=vote'), ('chunked', 'sample=2')):
            complaint = self.bad(2, 'gtask', 'uts', '--policy', policy, '--' + option)
            self.assertIn(f'--{option.split("=")[0]} has no effect under the policy {policy}, only under ', complaint)
            self.assertIn('split', complaint)
        self.good('gtask', 'uts', '-d3', '--policy=static', '--termination=counter')

    def test_chunks_are_for_rounds_and_for_thieves_that_take_them(self):
        self.assertIn('--amount chunk', self.bad(2, 'gtask', 'uts', '-d3', '--chunk=3'))
        self.bad(2, 'gtask', 'uts', '-d3', '--chunk=3', '--policy=split', '--amount=half')
        self.good('gtask', 'uts', '-d3', '--chunk=3', '--policy=split', '--amount=chunk')
        self.good('gtask', 'uts', '-d3', '--chunk=3', '--policy=cursor')
        complaint = self.bad(2, 'gtask', 'uts', '-d3', '--chunk=3', '--policy=static')
        self.assertIn('only under chunked, cursor, coarse, central, and with --amount chunk', complaint)

    def test_options_that_a_device_refuses(self):
        for option in ('--groups=2', '--group-size=8'):
            for device in ([], ['--device=cpu']):
                complaint = self.bad(2, 'gtask', 'madness', option, *device)
                self.assertIn(f'{option.split("=")[0]} requires a device', complaint)
        for option in ('--kernel=plain', '--policy=split', '--victim=random', '--chunk=4', '--termination=vote', '--stats'):
            policy = ['--policy=split'] if option in ('--victim=random', '--termination=vote') else []
            complaint = self.bad(2, 'gtask', 'madness', '--device=opencl', option, *policy)
            self.assertRegex(complaint, r'^gtask: --[a-z-]+ requires the CPU, and --device names only a device$')
        for option in ('--hash=scalar', '--batch=4', '--policy=split'):
            complaint = self.bad(2, 'gtask', 'uts', '--device=opencl', option)
            self.assertRegex(complaint, r'^gtask: --[a-z-]+ requires the CPU, and --device names only a device$')
        self.assertIn('--groups requires a device', self.bad(2, 'gtask', 'uts', '--groups=2'))
        self.assertIn('--batch requires the CPU', self.bad(2, 'gtask', 'connect4', '--device=opencl', '--batch=2'))
        self.assertIn('at most 12', self.bad(2, 'gtask', 'connect4', '--device=opencl', '--ahead=13'))
        self.assertIn('--schedule requires a device', self.bad(2, 'gtask', 'connect4', '--schedule=static'))
        self.assertIn('expected steal or static', self.bad(2, 'gtask', 'connect4', '--device=opencl', '--schedule=odd'))
        self.assertIn('not on both', self.bad(2, 'gtask', 'md', '--device=cpu,opencl'))
        for wrong in ('cpu,cpu', 'opencl:x', 'opencl,7', '7', 'opencl:0,', ',', 'opencl:0,4294967296', 'abacus:all',
                      ','.join(['opencl:0'] * 17)):
            self.assertIn('--device: ', self.bad(2, 'gtask', 'uts', '-d3', '--device', wrong))
        for workload in ('madness', 'uts'):
            self.bad(4, 'gtask', workload, '--device=cuda:999')

    def test_options_without_effect_on_a_type_of_tree(self):
        for tree, options in (('-t0', ('-a1', '-d5', '-f.5')), ('-t1', ('-q.2', '-m4', '-f.5')), ('-t2', ()),
                              ('-t3', ('-a1', '-q.2', '-m4', '-f.5')), ('--tree=T3', ('-d5',)), ('--tree=T1', ('-q.1',))):
            for option in options:
                self.assertIn(f'{option[:2]} has no effect in a ', self.bad(2, 'gtask', 'uts', tree, option))

    def test_trees_without_end(self):
        self.assertIn('-q times -m is 4', self.bad(2, 'gtask', 'uts', '-t0', '-q.5', '-m8'))
        self.assertIn('-b is 0.5', self.bad(2, 'gtask', 'uts', '-a1', '-b0.5'))
        self.assertIn('-d is 0', self.bad(2, 'gtask', 'uts', '-a0', '-d0'))

    def test_positions_that_cannot_be(self):
        for position in ('8', '1111111', '4a', '12121212'):
            self.assertIn('connect4: --position: move ', self.bad(2, 'gtask', 'connect4', '--position', position))
        self.bad(2, 'gtask', 'connect4', '--position=1212121')  # the game is over

    def test_too_many_tasks_to_count(self):
        self.bad(2, 'gtask', 'bpc', '-d', '18446744073709551615', '-n', '18446744073709551615')

    def test_standard_output_that_is_full(self):
        for arguments in (['--help'], ['--policy', 'help'], ['uts', '--tree', 'help'], ['uts'], ['uts', '--json'],
                          ['uts', '--stats', '--quiet'], ['quicksort', '--order=help']):
            with open('/dev/full', 'wb') as full:
                run = subprocess.run([BUILD / 'bin' / 'gtask', *arguments], stdout=full, stderr=subprocess.PIPE,
                                     check=False, timeout=60)
            self.assertEqual(run.returncode, 1, arguments)
            self.assertIn(b'No space left', run.stderr)

    def test_more_memory_than_there_is(self):
        run = self.run_tool('gtask', 'quicksort', '--keys=281474976710655')
        self.assertEqual((run.returncode, run.stdout), (1, b''))
        # AddressSanitizer prints messages too.
        self.assertRegex(run.stderr, rb'gtask: quicksort: out of memory; [0-9.]+ [MGT]B were available, and --max-memory can allow more\n')


class Trace(ToolTest):
    def test_is_refused_before_the_run(self):
        self.assertIn('--trace', self.bad(2, 'gtask', 'uts', '--tree=T1WL', '--trace', '-'))
        self.assertIn('/nowhere/', self.bad(1, 'gtask', 'uts', '--tree=T1WL', '--trace', '/nowhere/t.json'))

    def test_records_are_refused_before_the_run(self):
        for words, word in ((['--record=-'], "'-'"), (['--record=r', '--trace=r'], 'same file'), (['--record=r', '--device=cpu,opencl'], 'the CPU alone')):
            self.assertIn(word, self.bad(2, 'gtask', 'uts', '--tree=T1WL', *words))
        self.assertIn('/nowhere/', self.bad(1, 'gtask', 'uts', '--tree=T1WL', '--record=/nowhere/r'))
        self.assertIn('no task has run', self.bad(1, 'gtask', 'md', '--atoms=512', '--steps=1', '--record', str(self.folder / 'r')))
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_full_disk_leaves_no_half_file(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        for name in ('t.json', 't.json.gz'):
            trace = self.write(name, 'precious')
            # Python ignores SIGXFSZ; without restore_signals the tool does too, and the write fails instead.
            complaint = self.bad(1, 'gtask', 'uts', '-d4', '--trace', trace, preexec_fn=small_files,
                                 restore_signals=False)
            self.assertIn(trace, complaint)
            self.assertEqual(os.listdir(self.folder), [name])
            with open(trace, encoding='ascii') as file:
                self.assertEqual(file.read(), 'precious')
            os.remove(trace)


if __name__ == '__main__':
    unittest.main()
