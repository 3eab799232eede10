#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tools under mpirun, with the build's libgraphws-mpi and, if another MPI is installed (Debian: openmpi-bin, mpich), with
one that the test compiles for it. Exact counts on 2, 3 and 4 ranks; one error message; a killed rank ends the job."""
import os
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import schema
import tool

SMALL = ('uts', '-t', '1', '-a', '3', '-d', '7', '-b', '4', '-r', '19')
LONG = ('bpc', '--depth', '100', '--consumers', '1000', '--work', '2000', '--threads', '1')
LIBRARY = 'libgraphws-mpi.so.1'
TOOLS = ('gtask', 'gbfs', 'graphws')
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1',
                   OMPI_MCA_rmaps_base_oversubscribe='1', OMPI_MCA_hwloc_base_binding_policy='none',
                   # Sandboxes may forbid to read another process's memory, which messages of some KiB would use.
                   OMPI_MCA_btl_vader_single_copy_mechanism='none',
                   PRTE_MCA_rmaps_default_mapping_policy=':oversubscribe', PRTE_MCA_hwloc_default_binding_policy='none',
                   # Ranks that wait lend their cores, since several tests share them.
                   OMPI_MCA_mpi_yield_when_idle='1',
                   # With hwloc's plugins, MPI libraries would open OpenCL's devices in each rank to list them.
                   HWLOC_COMPONENTS='-opencl',
                   # MPI libraries leave memory allocated.
                   ASAN_OPTIONS=os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0')


def kind_of(launcher):
    """'mpich' or 'openmpi'."""
    text = subprocess.run([launcher, '--version'], capture_output=True, text=True, check=False, env=ENVIRONMENT).stdout
    return 'openmpi' if 'Open MPI' in text or 'PRRTE' in text else 'mpich'


def starts(launcher):
    """Whether the launcher can start programs here; a sandbox without network interfaces may prevent it."""
    try:
        done = subprocess.run([launcher, '-n', '2', 'true'], capture_output=True, text=True, check=False, env=ENVIRONMENT,
                              timeout=60)
        why = (done.stderr or done.stdout).strip().split('\n')[-1] if done.returncode else ''
    except subprocess.TimeoutExpired:
        why = 'no answer in 60 s'
    if why:
        tool.skip(f'ranks: {launcher} starts no program: {why}')
    return not why


def find_launchers():
    """[(launcher, None or the compiler of a libgraphws-mpi for it)]"""
    found = []
    if shutil.which('mpirun') and (tool.BUILD / 'lib' / LIBRARY).exists():
        found.append(('mpirun', None))
    for kind in ('openmpi', 'mpich'):
        if found and kind == kind_of('mpirun') or os.environ.get('GRAPHWS_SAN'):
            continue
        if shutil.which(f'mpirun.{kind}') and shutil.which(f'mpicc.{kind}'):
            found.append((f'mpirun.{kind}', f'mpicc.{kind}'))
    return [each for each in found if starts(each[0])]


LAUNCHERS = find_launchers()
if not LAUNCHERS:
    tool.skip('ranks: no mpirun, or a build without MPI (on Debian and Ubuntu: libopenmpi-dev openmpi-bin)')


def below(pid):
    """The processes that pid started, and those that they started."""
    children = {}
    for stat in Path('/proc').glob('[0-9]*/stat'):
        try:
            text = stat.read_text()
        except OSError:
            continue
        children.setdefault(int(text.rpartition(')')[2].split()[1]), []).append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found[1:]


def ranks_of(pid, name='gtask'):
    """The processes of that tool among them which have computed for half a second: MPI has long begun, and
    it is none that only waits for another one."""
    def runs(one):
        try:
            words = Path(f'/proc/{one}/stat').read_text()
        except OSError:
            return False
        ticks = sum(map(int, words.rpartition(')')[2].split()[11:13]))
        return f'({name})' in words and ticks > os.sysconf('SC_CLK_TCK') / 2
    return [one for one in below(pid) if runs(one)]


def wait_for_ranks(test, job, count, name='gtask'):
    """The processes of the job's ranks, once they compute."""
    until = time.monotonic() + 60
    while len(ranks_of(job.pid, name)) < count and time.monotonic() < until and job.poll() is None:
        time.sleep(0.05)
    ranks = ranks_of(job.pid, name)
    test.assertEqual(len(ranks), count)
    return ranks


@unittest.skipUnless(LAUNCHERS, 'no MPI')
class RanksTest(tool.ToolTest):
    """Starts jobs; has no tests of its own."""
    def setUp(self):
        super().setUp()
        self.bin = tool.BUILD / 'bin'

    def each(self):
        """Yields each launcher; self.bin has gtask with a library for it."""
        for launcher, compiler in LAUNCHERS:
            with self.subTest(launcher=launcher):
                self.bin = self.with_library(compiler) if compiler else tool.BUILD / 'bin'
                yield launcher

    def with_library(self, compiler):
        """Compiles a library; returns the folder of a gtask that finds it."""
        folder = self.folder / compiler
        (folder / 'bin').mkdir(parents=True)
        (folder / 'lib').mkdir()
        for name in TOOLS:
            shutil.copy(tool.BUILD / 'bin' / name, folder / 'bin')
        subprocess.run([compiler, '-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-fPIC', '-shared', '-fvisibility=hidden',
                        '-o', folder / 'lib' / LIBRARY, *(tool.SOURCE / 'lib/transport/mpi').glob('*.c')], check=True)
        return folder / 'bin'

    def few(self, launcher):
        """A number of ranks: 3, or 2 if they poll and do not yield, as those of MPICH. Then more than cores take seconds."""
        return 3 if launcher == LAUNCHERS[0][0] else 2

    def launch(self, launcher, ranks, name, *arguments, **options):
        return subprocess.run([launcher, '-n', str(ranks), self.bin / name, *map(str, arguments)], capture_output=True,
                              text=True, timeout=tool.LIMIT, check=False, stdin=subprocess.DEVNULL,
                              env=dict(ENVIRONMENT, **options))

    def ranks_json(self, launcher, ranks, *arguments, **options):
        run = self.launch(launcher, ranks, 'gtask', *arguments, '--json', **options)
        self.assertEqual(run.returncode, 0, run.stderr)
        found = tool.strict_json(run.stdout)
        self.assertEqual(schema.problems(found, 'gtask'), [])
        self.assertEqual(len(found['ranks']), ranks)
        self.assertEqual(sum(rank['tasks'] for rank in found['ranks']), found['tasks'])
        self.assertEqual(sum(rank['received'] for rank in found['ranks']), sum(rank['given'] for rank in found['ranks']))
        self.assertEqual(sum(rank['threads'] for rank in found['ranks']), len(found['workers']))
        self.assertEqual(sum(worker['tasks'] for worker in found['workers']), found['tasks'])
        return found

    def refused(self, launcher, ranks, name, *arguments, **options):
        """Returns the one message of the tool, which must fail with no output."""
        run = self.launch(launcher, ranks, name, *arguments, **options)
        self.assertNotEqual(run.returncode, 0)
        self.assertNotRegex(run.stdout, 'work|nodes|consumers')  # a launcher may print its own words
        messages = re.findall(rf'^{name}: .*', run.stderr, re.M)
        self.assertEqual(len(messages), 1, run.stderr)
        return messages[0]


class MpiTest(RanksTest):
    def has_opencl(self):
        found = self.json('gdevices')
        return any(device['device'].startswith('opencl') and not device['unusable'] for device in found['devices'])

    def test_uts(self):
        for launcher in self.each():
            alone = self.json('gtask', *SMALL)
            for ranks, threads in ((2, 2), (3, 1), (4, 1)) if launcher == LAUNCHERS[0][0] else ((2, 1),):
                found = self.ranks_json(launcher, ranks, *SMALL, '--threads', threads, '--verify', '--repeat', 2)
                self.assertEqual([found[key] for key in ('nodes', 'leaves', 'depth')],
                                 [alone[key] for key in ('nodes', 'leaves', 'depth')])
                self.assertEqual(found['tasks'], 2 * alone['tasks'])
                self.assertIs(found['verified'], True)

    def test_stealing(self):
        for launcher in self.each():
            received = 0
            while received == 0:  # on a busy machine a rank may come late
                found = self.ranks_json(launcher, 2, 'uts', '--tree', 'T1', '--threads', 1, '--verify')
                self.assertEqual(found['nodes'], 4130071)
                received = found['ranks'][1]['received']
            self.assertGreater(found['ranks'][0]['given'], 0)
            self.assertGreater(found['ranks'][1]['waves'], 0)

    def test_transports(self):
        """Every link and every queue, chosen by hand; what --stats tells."""
        for launcher in self.each():
            cases = ((2, 'shared', 'split'), (3, 'rma', 'split'), (2, 'rma', 'saws'), (2, 'messages', 'saws'))
            for ranks, link, queue in cases if launcher == LAUNCHERS[0][0] else cases[2:3]:
                found = self.ranks_json(launcher, ranks, *SMALL, '--threads', 1, '--verify', '--transport', link, '--rank-queue',
                                        queue, '--repeat', 3)
                self.assertIs(found['verified'], True)
                for rank in found['ranks']:
                    self.assertEqual([rank[f'links_{each}'] for each in ('shared', 'rma', 'messages')],
                                     [(ranks - 1) * (each == link) for each in ('shared', 'rma', 'messages')])
                    self.assertGreaterEqual(rank['requests'], rank['refused'] + rank['failed'] + rank['aborted'] + rank['rank_steals'])
                    self.assertTrue(rank['released'] == 0 or link != 'messages', rank)
                    self.assertGreaterEqual(rank['released'], rank['reacquired'])

    def test_bpc(self):
        for launcher in self.each():
            found = self.ranks_json(launcher, self.few(launcher), 'bpc', '-d', 10, '-n', 30, '--work', 30, '--threads', 1, '--verify')
            self.assertEqual((found['producers'], found['consumers'], found['verified']), (11, 300, True))

    def test_madness(self):
        launcher, compiler = LAUNCHERS[0]
        self.bin = self.with_library(compiler) if compiler else tool.BUILD / 'bin'
        options = ('madness', '--bodies', '2', '--threshold', '1e-4', '--threads', '1', '--verify')
        one, found = self.json('gtask', *options), self.ranks_json(launcher, 3, *options)
        for key in ('boxes', 'divided', 'forced', 'leaves', 'rough', 'depth', 'norm', 'error', 'verified'):
            self.assertEqual(found[key], one[key])
        parted = self.ranks_json(launcher, 2, *options[:-1])  # without the check the tree is not gathered
        for key in ('boxes', 'divided', 'forced', 'leaves', 'rough', 'depth'):
            self.assertEqual(parted[key], one[key])
        self.assertAlmostEqual(parted['norm'], one['norm'], 12)

    def test_quicksort(self):
        for launcher in self.each():
            for ranks, order in ((2, 'random'), (self.few(launcher), 'equal')):
                found = self.ranks_json(launcher, ranks, 'quicksort', '--keys', 50000, '--order', order, '--threads', 1, '--verify',
                                        '--repeat', 2, '--cutoff', 500)
                self.assertIs(found['verified'], True)
                self.assertGreaterEqual(found['largest_part'], 50000 // ranks)
                self.assertLess(found['largest_part'], 1.3 * 50000 / ranks)
            run = self.launch(launcher, 2, 'gtask', 'quicksort', '--keys', 10, '--threads', 1, '--verify', '--stats')
            self.assertEqual((run.returncode, run.stderr), (0, ''))
            self.assertRegex(run.stdout, r'\nparted    at most \d+ keys on a rank, \d\.\d+ times the mean, in \S+ \w+ of memory\n')

    def test_devices(self):
        """A device of OpenCL on each rank, alone and with the workers; the devices of a host go round."""
        if not self.has_opencl():
            self.skipTest('no device of OpenCL')
        for launcher in self.each():
            alone = self.json('gtask', *SMALL)
            for ranks, device in ((2, 'opencl'), (2, 'cpu,opencl')):
                found = self.ranks_json(launcher, ranks, *SMALL, '--device', device, '--threads', 1, '--verify',
                                        POCL_DEVICES='pthread')
                self.assertEqual([found[key] for key in ('nodes', 'leaves', 'depth')],
                                 [alone[key] for key in ('nodes', 'leaves', 'depth')])
                self.assertEqual([rank['device'] for rank in found['ranks']], ['opencl:0'] * ranks)
                self.assertTrue(device != 'opencl' or sum(rank['on_device'] for rank in found['ranks']) == found['nodes'] - 1)
                self.assertIsNone(found['sides'])
        launcher = LAUNCHERS[0][0]
        self.bin = self.with_library(LAUNCHERS[0][1]) if LAUNCHERS[0][1] else tool.BUILD / 'bin'
        found = self.ranks_json(launcher, 2, 'bpc', '-d', 5, '-n', 20, '--work', 1, '--device', 'cpu,opencl:0,1', '--threads', 1, '--verify',
                                POCL_DEVICES='pthread pthread')
        self.assertEqual((found['producers'], found['consumers'], found['verified']), (6, 100, True))
        self.assertEqual([rank['device'] for rank in found['ranks']], ['opencl:0', 'opencl:1'])
        run = self.launch(launcher, 2, 'gtask', *SMALL, '--device', 'opencl', '--stats', POCL_DEVICES='pthread')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        self.assertRegex(run.stdout, r'\ndevice    one on each of 2 ranks \(')
        self.assertEqual(len(re.findall(r'^device    rank [01], opencl:0: [\d,]+ tasks$', run.stdout, re.M)), 2, run.stdout)
        self.assertEqual(len(re.findall(r'^[01] +\S+ +\d+  opencl:0 ', run.stdout, re.M)), 2, run.stdout)

    def test_devices_of_quicksort_and_madness(self):
        """As many keys and boxes as in one process, whatever sorts or computes them."""
        if not self.has_opencl():
            self.skipTest('no device of OpenCL')
        boxes = ('madness', '--bodies', '2', '--threshold', '1e-3', '--order', '4', '--threads', '1', '--verify')
        keys = ('quicksort', '--keys', '50000', '--threads', '1', '--verify')
        one = self.json('gtask', *boxes)
        for launcher in self.each():
            for words in (boxes, keys):
                for device in ('opencl', 'cpu,opencl:0,1') if launcher == LAUNCHERS[0][0] else ('opencl',):
                    found = self.ranks_json(launcher, 2, *words, '--device', device, POCL_DEVICES='pthread pthread')
                    self.assertIs(found['verified'], True)
                    self.assertEqual([rank['device'] for rank in found['ranks']], ['opencl:0', 'opencl:1'])
                    self.assertEqual((found['on_device'], found.get('sides')), (None, None))
                    count = 'boxes' if words == boxes else 'parts'
                    if device == 'opencl':
                        self.assertEqual(sum(rank['on_device'] for rank in found['ranks']), found[count])
                    if words == boxes:
                        for key in ('boxes', 'divided', 'forced', 'leaves', 'depth'):
                            self.assertEqual(found[key], one[key])
            if launcher != LAUNCHERS[0][0]:
                continue
            run = self.launch(launcher, 2, 'gtask', *keys, '--device', 'opencl', '--stats', POCL_DEVICES='pthread')
            self.assertEqual((run.returncode, run.stderr), (0, ''))
            self.assertNotIn('\nranks     ', run.stdout)
            self.assertRegex(run.stdout, r'; no queues\n')
            self.assertEqual(len(re.findall(r'^[01] +\S+ +1  opencl:0 ', run.stdout, re.M)), 2, run.stdout)
            # Ranks without a device end all, and so does a driver that refuses calls.
            self.assertIn('no device opencl', self.refused(launcher, 2, 'gtask', *keys, '--device', 'opencl',
                                                           OCL_ICD_VENDORS=str(self.folder)))
            self.assertIn('CL_OUT_OF_RESOURCES', self.refused(
                launcher, 2, 'gtask', *boxes, '--device', 'opencl', '--quiet', LD_PRELOAD=str(tool.BUILD / 'tests' / 'libfailing_opencl.so'),
                GWS_TEST_OPENCL='100 -5 1 0', ASAN_OPTIONS=ENVIRONMENT['ASAN_OPTIONS'] + ':verify_asan_link_order=0'))

    def test_text(self):
        for launcher in self.each():
            run = self.launch(launcher, 2, 'gtask', *SMALL, '--threads', 1, '--stats', '--warmup', 1, '--repeat', 2)
            self.assertEqual((run.returncode, run.stderr), (0, ''))
            self.assertRegex(run.stdout, r'\nworkers   chaselev policy, 1 thread on each of 2 ranks \((Open MPI|MPICH) ')
            self.assertRegex(run.stdout, r'\nranks     [\d,]+ tasks transferred in [\d,]+ steals?; ')
            self.assertEqual(len(re.findall(r'^[01] +\S+ +1 ', run.stdout, re.M)), 2, run.stdout)
            self.assertRegex(run.stdout, r'\nlinks     pairs of ranks: 1 by shared memory, 0 by rma, 0 by messages; saws queues\n')
            run = self.launch(launcher, 2, 'gtask', *SMALL, '--threads', 1, '--stats', '--transport', 'messages')
            self.assertIn('0 by rma, 1 by messages, forced by --transport messages; saws queues\n', run.stdout)
            self.assertRegex(run.stdout, r'\nmax/mean +[12]\.\d\d ')
            self.assertEqual(run.stdout.count('work      uts'), 1)

    def test_trace(self):
        trace = self.folder / 'trace.json'
        run = self.launch(LAUNCHERS[0][0], 2, 'gtask', *SMALL, '--threads', 1, '--quiet', '--trace', trace)
        self.assertEqual((run.returncode, run.stdout), (0, ''), run.stderr)
        self.assertEqual(len(tool.read_trace(self, trace)['tracks']), 1)

    def test_usage(self):
        for launcher in self.each():
            self.assertIn('--nonsense', self.refused(launcher, 2, 'gtask', 'uts', '--nonsense'))
        launcher = LAUNCHERS[0][0]
        self.bin = tool.BUILD / 'bin'
        if LAUNCHERS[0][1]:
            self.bin = self.with_library(LAUNCHERS[0][1])
        for words, message in ((('connect4',), 'connect4 runs in one process'),
                               (('quicksort', '--device', 'opencl:0', '--rank-queue', 'split'), '--rank-queue requires the CPU'),
                               (('uts', '--device', 'opencl:0', '--policy', 'split'), '--policy requires the CPU'),
                               (('uts', '--termination', 'vote'), '--termination requires one process'),
                               (('uts', '--policy', 'chunked'), '--policy chunked runs tasks in rounds'),
                               (('uts', '-t', '0', '-q', '0.9'), 'infinite'),
                               (('uts', '--transport', 'nonsense'), '--transport'),
                               ((*SMALL, '--threads', '1', '--max-memory', '1'), 'out of memory'),
                               (('quicksort', '--keys', '2000000', '--threads', '1', '--max-memory', '14M'),
                                "out of memory: this rank's share of the ranks' shared memory takes about 8 MB")):
            with self.subTest(words=words):
                self.assertIn(message, self.refused(launcher, 2, 'gtask', *words))
        run = self.launch(launcher, 2, 'gtask', '--help')
        self.assertEqual((run.returncode, run.stderr, run.stdout.count('WORKLOAD comes first')), (0, '', 1))

    def test_memory_of_a_rank(self):
        """The message names the rank that lacks memory, with the limit of this rank, not that of rank 0."""
        self.bin = tool.BUILD / 'bin'
        for name, words, message in (('gtask', ('quicksort', '--keys', '1000000'), 'gtask: quicksort: rank 1: out of memory'),
                                     ('gtask', ('uts', '-d', '8'), 'gtask: uts: rank 1: out of memory'),
                                     ('gbfs', ('kron:16',), "gbfs: kron:16: rank 1: out of memory: this rank's part of the graph takes about 11 MB")):
            words = (*words, '--threads', '1')
            run = self.launch(LAUNCHERS[0][0], 1, name, *words, ':', '-n', 1, self.bin / name, *words, '--max-memory',
                              '3M' if words[0] != 'uts' else '500k')
            self.assertNotEqual(run.returncode, 0)
            self.assertEqual(re.findall(rf'^{name}: .*', run.stderr, re.M), [message])

    def test_arguments_of_ranks(self):
        """Ranks with other arguments would make other calls, and wait for ever."""
        self.bin = tool.BUILD / 'bin'
        run = self.launch(LAUNCHERS[0][0], 1, 'gbfs', 'kron:9', '--threads', '1', ':', '-n', 1, self.bin / 'gbfs', 'kron:9', '--source', '5')
        self.assertEqual((run.returncode, run.stdout), (2, ''))
        self.assertEqual(re.findall('^gbfs: (.*?);', run.stderr, re.M), ['rank 1: its arguments are not those of rank 0'])
        run = self.launch(LAUNCHERS[0][0], 1, 'gtask', *SMALL, '--threads=1', ':', '-n', 1, self.bin / 'gtask', *SMALL, '--pin',
                          '--threads', '2', '--max-memory', '1G')
        self.assertEqual((run.returncode, run.stderr), (0, ''))

    def test_other_tools(self):
        self.bin = tool.BUILD / 'bin'
        for name in ('goctree', 'gconvert', 'gdevices', 'gsim'):
            self.assertIn('runs in one process', self.refused(LAUNCHERS[0][0], 2, name))
        # One rank is an ordinary process.
        run = self.launch(LAUNCHERS[0][0], 1, 'gbfs', 'grid:3x3', '--quiet', '--out', '-')
        self.assertEqual((run.returncode, run.stdout.count('\n')), (0, 10), run.stderr)

    def test_no_library(self):
        (self.folder / 'bin').mkdir()
        shutil.copy(tool.BUILD / 'bin' / 'gtask', self.folder / 'bin')
        self.bin = self.folder / 'bin'
        found = subprocess.run(['ldconfig', '-p'], capture_output=True, text=True, check=False).stdout
        if LIBRARY in found:
            self.skipTest('a library is installed')
        run = self.launch(LAUNCHERS[0][0], 2, 'gtask', *SMALL)
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(run.stdout.find('nodes'), -1)
        self.assertIn('gtask: several ranks need libgraphws-mpi: ', run.stderr)

    def test_depends(self):
        """No tool depends on MPI."""
        text = subprocess.run(['readelf', '-d', tool.BUILD / 'bin' / 'gtask'], capture_output=True, text=True, check=True).stdout
        self.assertNotIn('libmpi', text)

    def test_transport(self):
        program = tool.BUILD / 'tests' / 'lib' / 'transport'
        for launcher in self.each():
            library = self.bin.parent / 'lib'
            self.bin = program
            run = self.launch(launcher, self.few(launcher), 'test_transport', LD_LIBRARY_PATH=str(library))
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, '', ''))

    def start(self, launcher):
        """Starts a job of 3 ranks, and waits until they compute."""
        job = subprocess.Popen([launcher, '-n', '3', self.bin / 'gtask', *LONG], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(job.kill)
        return job, wait_for_ranks(self, job, 3)

    def ends(self, job, ranks):
        out, err = job.communicate(timeout=30)
        self.assertNotEqual(job.returncode, 0)
        self.assertNotIn('consumers', out)
        until = time.monotonic() + 10
        while any(Path(f'/proc/{one}').exists() for one in ranks) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual([one for one in ranks if Path(f'/proc/{one}').exists()], [])
        return out + err

    def test_progress(self):
        """Rank 0 shows progress if the launcher's standard error is a terminal."""
        for launcher in self.each():
            for words, shows in (((), True), (('--quiet',), False)):
                shown = tool.on_terminal([launcher, '-n', '2', self.bin / 'gbfs', 'kron:9', *words], stdin=subprocess.DEVNULL,
                                         env=ENVIRONMENT)
                self.assertEqual(b'generating kron:9' in shown, shows, shown)

    def test_pin(self):
        """Ranks that may use the same CPUs bind their threads to different ones."""
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest('one CPU')
        self.bin = tool.BUILD / 'bin'
        job = subprocess.Popen([LAUNCHERS[0][0], '-n', '2', self.bin / 'gtask', *LONG, '--pin'], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(job.kill)
        first, second = (os.sched_getaffinity(rank) for rank in wait_for_ranks(self, job, 2))
        self.assertEqual((len(first), len(second), first & second), (1, 1, set()))
        job.terminate()
        job.communicate(timeout=30)

    def test_killed_rank(self):
        for launcher in self.each():
            job, ranks = self.start(launcher)
            variables = Path(f'/proc/{ranks[1]}/environ').read_text().split('\0')
            rank = next(text.partition('=')[2] for text in variables if text.startswith(('OMPI_COMM_WORLD_RANK=', 'PMI_RANK=')))
            os.kill(ranks[1], signal.SIGKILL)
            said = self.ends(job, ranks)
            # Open MPI's launcher names the rank, and under MPICH's the tool does.
            self.assertEqual(len(re.findall(rf'rank {rank} .*signal 9', said)), 1, said)
            self.assertEqual(len(re.findall(r'gtask: rank', said)), kind_of(launcher) == 'mpich', said)

    def test_interrupt(self):
        for launcher in self.each():
            job, ranks = self.start(launcher)
            job.send_signal(signal.SIGINT)
            self.ends(job, ranks)


if __name__ == '__main__':
    unittest.main()
