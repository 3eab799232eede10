#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every output of every tool: the file is complete or does not exist, despite other writers, signals, links and full disks."""
import os
import resource
import shutil
import signal
import stat
import subprocess
import threading
import time
import unittest

from tool import BUILD, ToolTest, skip

# A command for each kind of output, up to the file's name.
WRITERS = {
    'map': (['gbfs', '--quiet', '--source=0', 'grid:50x50', '--map'], 'out.svg'),
    'plot': (['gbfs', '--quiet', '--source=0', 'grid:50x50', '--plot'], 'out.svg'),
    'picture': (['goctree', '--quiet', 'uniform:2k', '--picture'], 'out.svg'),
    'table': (['gbfs', '--quiet', '--source=0', 'grid:50x50', '--out'], 'out.csv'),
    'points': (['goctree', '--quiet', 'uniform:2k', '--out'], 'out.ply'),
    'graph': (['gconvert', '--quiet', 'grid:50x50'], 'out.gwsg'),
    'atoms': (['gtask', 'md', '--quiet', '--atoms=300', '--shape=gauss', '--steps=2', '--out'], 'out.xyz'),
    'frames': (['gtask', 'md', '--quiet', '--atoms=300', '--shape=gauss', '--steps=2', '--frames=1', '--out'], 'out.xyz'),
    'trace': (['gtask', 'uts', '-d6', '--quiet', '--trace'], 'out.json'),
}
PART = 'yes | head -c 30000'  # first output of a slow gnuplot
# A shim that refuses O_TMPFILE and prints the files that are synced.
SHIM = '''#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
static int pass(const char *call, const char *path, int flags, unsigned mode)
{
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, call);
    if (!getenv("DENY") || (flags & O_TMPFILE) != O_TMPFILE) return real(path, flags, mode);
    errno = EOPNOTSUPP;
    return -1;
}
int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    return pass("open", path, flags, va_arg(more, unsigned));
}
int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    return pass("open64", path, flags, va_arg(more, unsigned));
}
int fsync(int fd)
{
    if (getenv("SYNCS")) {
        int log = open(getenv("SYNCS"), O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (write(log, ".", 1) != 1) abort();
        close(log);
    }
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}
'''


class Outputs(ToolTest):
    def gnuplot(self, script='cat'):
        """Returns an environment with this script as gnuplot."""
        path = self.folder / 'bin' / 'gnuplot'
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit 0\n{script}\n')
        path.chmod(0o755)
        return dict(os.environ, PATH=f'{path.parent}:{os.environ["PATH"]}')

    def shim(self):
        """Returns the shim's path, or None."""
        compiler = shutil.which('cc') or shutil.which('gcc')
        if os.environ.get('GRAPHWS_SAN') or compiler is None:
            skip('outputs under a shim of the C library: needs a C compiler and a plain build')
            return None
        shim = self.folder / 'bin' / 'shim.so'
        shim.parent.mkdir(exist_ok=True)
        subprocess.run([compiler, '-w', '-shared', '-fPIC', '-x', 'c', '-', '-o', shim, '-ldl'], input=SHIM.encode(),
                       check=True, timeout=60)
        return str(shim)

    def each(self):
        """Yields every writer with its own folder for the output."""
        environment = self.gnuplot()
        for kind, (words, name) in WRITERS.items():
            home = self.folder / kind
            home.mkdir()
            yield words, home / name, environment

    def names(self, path):
        return sorted(os.listdir(path.parent))

    # ---- existing files ----

    def test_drafts_of_others_are_left_alone(self):
        for words, path, environment in self.each():
            draft, precious = path.parent / (path.name + '.draft'), path.parent / 'precious'
            draft.write_text('mine')
            self.good(*words, path, env=environment)
            self.assertEqual(draft.read_text(), 'mine')
            draft.unlink()
            precious.write_text('precious')
            draft.symlink_to('precious')
            self.good(*words, path, env=environment)
            self.assertEqual((precious.read_text(), os.readlink(draft)), ('precious', 'precious'))
            self.assertEqual(self.names(path), sorted([path.name, draft.name, 'precious']))

    def test_links_and_permissions_do_not_change(self):
        for words, path, environment in self.each():
            target = path.parent / 'target'
            path.symlink_to('target')
            for mode in (None, 0o600, 0o604):
                if mode:
                    target.write_text('old')
                    target.chmod(mode)
                self.good(*words, path, env=environment)
                self.assertEqual(os.readlink(path), 'target')
                self.assertGreater(target.stat().st_size, 50)
                if mode:
                    self.assertEqual(stat.S_IMODE(target.stat().st_mode), mode)
            self.assertEqual(self.names(path), sorted([path.name, 'target']))

    def test_pipes_and_devices_are_written_straight(self):
        for words, path, environment in self.each():
            self.good(*words, path, env=environment)
            whole = path.read_bytes()
            path.unlink()
            os.mkfifo(path)
            got = []
            reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
            reader.start()
            self.good(*words, path, env=environment)
            reader.join()
            self.assertTrue(path.is_fifo())
            self.assertEqual(got[0][:20], whole[:20])
            path.unlink()
            path.symlink_to('/dev/null')
            self.good(*words, path, env=environment)
            self.assertTrue(stat.S_ISCHR(path.stat().st_mode))
            path.unlink()
            path.symlink_to('/dev/full')
            self.assertIn('No space left', self.bad(1, *words, path, env=environment))
            self.assertTrue(stat.S_ISCHR(path.stat().st_mode))
            self.assertEqual(self.names(path), [path.name])

    def test_two_writers_at_once(self):
        """Checks that one of both outputs is there and complete."""
        path = self.folder / 'out.svg'
        words = ['gbfs', '--quiet', '--source=0', '--threads=1', '--no-sync']
        whole = []
        for graph in ('grid:3x2000', 'grid:2000x3'):
            self.good(*words, graph, '--map', path)
            whole.append(path.read_bytes())
        for _ in range(10):
            both = [subprocess.Popen([BUILD / 'bin' / 'gbfs', *words[1:], graph, '--map', path])
                    for graph in ('grid:3x2000', 'grid:2000x3')]
            self.assertEqual([run.wait() for run in both], [0, 0])
            self.assertIn(path.read_bytes(), whole)
            self.assertEqual(os.listdir(self.folder), ['out.svg'])

    # ---- interrupted writes ----

    def test_files_that_may_not_grow(self):
        for words, path, environment in self.each():
            for old in (None, 'old'):
                if old:
                    path.write_text(old)
                before = self.names(path)
                complaint = self.bad(1, *words, path, env=environment,
                                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)))
                self.assertIn('File too large', complaint)
                self.assertEqual(self.names(path), before)
            self.assertEqual(path.read_text(), 'old')

    def test_a_full_disk(self):
        script = ('mount -t tmpfs -o size=4k tmpfs "$1" && echo old > "$1/$2" || exit 1; echo mounted; shift 2; "$@"; status=$?; '
                  'ls -A "$(dirname "$0")"; cat "$0"; exit $status')
        for words, path, environment in self.each():
            if shutil.which('unshare') is None:
                skip('a full disk: there is no unshare')
                return
            run = subprocess.run(['unshare', '--mount', 'sh', '-c', script, path, path.parent, path.name,
                                  BUILD / 'bin' / words[0], *words[1:], path], capture_output=True, env=environment,
                                 text=True, check=False, timeout=60)
            if not run.stdout.startswith('mounted'):
                skip('a full disk: none can be mounted here')
                return
            self.assertEqual((run.returncode, run.stdout), (1, f'mounted\n{path.name}\nold\n'))
            self.assertIn('No space left', run.stderr)

    def slow(self, shim, home, **more):
        """Returns gbfs in the middle of a picture, and its output; shim: drafts have names."""
        path = home / 'out.svg'
        environment = self.gnuplot(f'{PART}; echo here >&2; touch "{home}.begun"; exec sleep 5')
        if shim:
            environment |= {'LD_PRELOAD': shim, 'DENY': '1'}
        run = subprocess.Popen([BUILD / 'bin' / 'gbfs', '--quiet', '--source=0', 'grid:9x9', '--plot', path],
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        begun = home.with_name(home.name + '.begun')
        while not begun.exists() and run.poll() is None:
            time.sleep(0.01)
        begun.unlink()
        return run, path

    def test_signals_delete_unfinished_files(self):
        for shim in filter(None, (self.shim(), '')) if not os.environ.get('GRAPHWS_SAN') else ['']:
            for end in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                home = self.folder / f'{end}{bool(shim)}'
                home.mkdir()
                (home / 'out.svg').write_text('old')
                run, path = self.slow(shim, home)
                self.assertEqual(len(os.listdir(home)), 2 if shim else 1)
                run.send_signal(end)
                self.assertEqual((*run.communicate(), run.returncode), (b'', b'', -end))
                self.assertEqual((os.listdir(home), path.read_text()), (['out.svg'], 'old'))

    def test_ignored_signals_have_no_effect(self):
        home = self.folder / 'home'
        home.mkdir()
        run, path = self.slow('', home, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        run.send_signal(signal.SIGHUP)
        time.sleep(0.1)
        self.assertIsNone(run.poll())
        run.kill()
        run.communicate()
        self.assertFalse(path.exists())

    def test_the_next_writer_clears_what_the_killed_left(self):
        shim = self.shim()
        if not shim:
            return
        home = self.folder / 'home'
        home.mkdir()
        dead, path = self.slow(shim, home)
        dead.kill()
        dead.communicate()
        left = os.listdir(home)
        self.assertEqual(len(left), 1)
        self.assertRegex(left[0], r'^\.gws-[0-9a-f]{16}-0\.tmp$')
        self.good('gconvert', '--quiet', 'grid:3x3', home / 'other.gwsg')
        self.assertEqual(sorted(os.listdir(home)), [left[0], 'other.gwsg'])
        alive, path = self.slow(shim, home)
        if len(os.listdir(home)) == 3:
            skip('drafts of the killed: this file system does not tell who lives')
        self.good('gbfs', '--quiet', 'grid:9x9', '--map', path)
        self.assertEqual(sorted(os.listdir(home)), [left[0], 'other.gwsg', 'out.svg'])  # the draft of the running process
        alive.kill()
        alive.communicate()
        self.good('gbfs', '--quiet', 'grid:9x9', '--map', path)
        self.assertEqual(sorted(os.listdir(home)), ['other.gwsg', 'out.svg'])

    # ---- the disk ----

    def test_what_is_synced(self):
        """Checks that the file and its folder are synced, except with --no-sync."""
        shim = self.shim()
        if not shim:
            return
        for words, path, environment in self.each():
            log = self.folder / 'syncs'
            environment |= {'LD_PRELOAD': shim, 'SYNCS': str(log)}
            self.good(*words, path, '--no-sync', env=environment)
            self.assertFalse(log.exists())
            self.good(*words, path, env=environment)
            self.assertEqual(log.read_text(), '..')
            log.unlink()


class Names(ToolTest):
    """Two outputs to one file, and outputs to inputs."""

    def refused(self, one, other, *words, **options):
        before = {name: (self.folder / name).read_bytes() for name in os.listdir(self.folder)
                  if (self.folder / name).is_file()}
        complaint = self.bad(2, *words, cwd=self.folder, **options)
        self.assertIn(f'{one} and {other} are the same file', complaint)
        self.assertEqual({name: (self.folder / name).read_bytes() for name in before}, before)

    def setUp(self):
        super().setUp()
        self.edge_list('a.el', [(0, 1)])
        self.write('p.csv', '0 0 0\n')
        (self.folder / 'link.csv').symlink_to('s.csv')
        (self.folder / 'there').symlink_to('.')
        os.link(self.folder / 'p.csv', self.folder / 'hard.csv')
        os.link(self.folder / 'a.el', self.folder / 'hard.el')

    def test_two_outputs(self):
        for other in ('s.csv', './s.csv', str(self.folder / 's.csv'), 'link.csv', 'there/s.csv', 'there/link.csv'):
            self.refused('--out', '--trace', 'gbfs', 'a.el', '--out', 's.csv', '--trace', other)
            self.refused('--out', '--trace', 'gbfs', 'a.el', '--trace', other, '--out', 's.csv')
            self.refused('--out', '--nodes', 'goctree', 'uniform:9', '--out', 's.csv', '--nodes', other)
        self.refused('--map', '--plot', 'gbfs', 'a.el', '--map', 'm.svg', '--plot', 'm.svg')
        self.refused('--nodes', '--answers', 'goctree', 'uniform:9', '--query', 'q', '--nodes', 'n.csv', '--answers', 'n.csv')
        self.refused('--picture', '--trace', 'goctree', 'uniform:9', '--picture', 'n.svg', '--trace', 'n.svg')
        self.refused('--out', '--nodes', 'goctree', 'uniform:9', '--out', 'p.csv', '--nodes', 'hard.csv')
        self.assertIn('standard output can have only one', self.bad(2, 'goctree', 'uniform:9', '--out=-', '--nodes=-'))
        self.assertEqual(sorted(os.listdir(self.folder)), ['a.el', 'hard.csv', 'hard.el', 'link.csv', 'p.csv', 'there'])

    def test_inputs_as_outputs(self):
        for other in ('a.el', './a.el', 'hard.el', 'there/a.el'):
            self.refused('IN', 'OUT', 'gconvert', 'a.el', other)
            self.refused('GRAPH', '--trace', 'gbfs', 'a.el', '--trace', other)
        self.write('x.co', 'p aux sp co 1\nv 1 0 0\n')
        self.refused('--positions', 'OUT', 'gconvert', 'a.el', 'x.co', '--positions', 'x.co')
        self.write('b.gr', 'p sp 1 0\n')
        self.write('b.co', 'p aux sp co 1\nv 1 0 0\n')
        self.refused('--positions', '--trace', 'gbfs', 'b.gr', '--map', 'm.svg', '--trace', 'b.co')  # the file beside b.gr
        self.write('x.ss', 'p aux sp ss 1\ns 1\n')
        self.refused('--source', '--trace', 'gbfs', 'a.el', '--source', 'x.ss', '--trace', 'x.ss')
        self.refused('POINTS', '--out', 'goctree', 'p.csv', '--out', 'hard.csv')
        self.write('q.csv', 'nearest 0 0 0 1\n')
        self.refused('--query', '--answers', 'goctree', 'p.csv', '--query', 'q.csv', '--answers', './q.csv')

    def test_standard_streams(self):
        with open(self.folder / 'a.el', 'rb') as text:
            run = subprocess.run([BUILD / 'bin' / 'gconvert', '-', 'a.el'], stdin=text, capture_output=True,
                                 cwd=self.folder, check=False, timeout=60)
        self.assertEqual((run.returncode, run.stderr), (2, b"gconvert: IN and OUT are the same file, 'a.el'\n"))
        for words in (['gbfs', 'a.el', '--out', 't.csv'], ['gtask', 'uts', '-d3', '--trace', 't.csv']):
            with open(self.folder / 't.csv', 'wb') as out:
                run = subprocess.run([BUILD / 'bin' / words[0], *words[1:]], stdout=out, stderr=subprocess.PIPE,
                                     cwd=self.folder, check=False, timeout=60)
            self.assertEqual(run.returncode, 2)
            self.assertIn(b' and standard output are the same file', run.stderr)

    def test_what_differs_is_not_refused(self):
        self.good('gconvert', '--quiet', 'a.el', 'a.gwsg', cwd=self.folder)
        self.good('gconvert', '--quiet', 'a.el', '/dev/null', '--to=dimacs', cwd=self.folder)
        self.good('gbfs', '--quiet', 'a.el', '--out', 'there/b.csv', '--trace', 'b.json', cwd=self.folder)
        for name in ('null.csv', 'null.json'):
            (self.folder / name).symlink_to('/dev/null')
        self.good('gbfs', '--quiet', 'a.el', '--out', 'null.csv', '--trace', 'null.json', cwd=self.folder)


if __name__ == '__main__':
    unittest.main()
