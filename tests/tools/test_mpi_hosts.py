#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks on several hosts, which are namespaces of this machine: each has its network, its name and its /dev/shm. Skipped where
such namespaces are not allowed, as usual for other users than root."""
import os
import re
import shutil
import subprocess
import unittest

import test_mpi
import tool

HOSTS = ('a', 'b')
# Runs inside a new host: its name, its own shared memory, the addresses of all hosts, and /sys, which lists its networks.
BEGIN = '''hostname "$1" && mount -t tmpfs -o size=64m shm /dev/shm && mount --bind "$2" /etc/hosts && mount -t sysfs sys /sys &&
           ip link set lo up && echo up && exec sleep 600'''
# What a launcher calls as it would call ssh: options, the host, a command.
AGENT = '''#!/bin/sh
while case $1 in -*) ;; *) false ;; esac; do shift; done
host=$1; shift
exec nsenter -t "$(cat "{folder}/$host")" -n -u -m -i --wd="$PWD" sh -c "$*"
'''
OPTIONS = {'openmpi': ('--host', 'a:2,b:1', '--mca', 'plm_rsh_agent'),
           'mpich': ('-hosts', 'a:2,b:1', '-launcher', 'ssh', '-launcher-exec')}


@unittest.skipIf(os.environ.get('GRAPHWS_SAN'), 'sanitizers see nothing else than in test_mpi.py')
class HostsTest(test_mpi.RanksTest):
    def setUp(self):
        super().setUp()
        self.agent = self.folder / 'agent'
        self.agent.write_text(AGENT.format(folder=self.folder))
        self.agent.chmod(0o755)
        names = self.folder / 'hosts'
        names.write_text('127.0.0.1 localhost\n' + ''.join(f'10.77.0.{i} {host}\n' for i, host in enumerate(HOSTS, 1)))
        pids = [self.begin(host, names) for host in HOSTS]
        self.must('ip', 'link', 'add', f'gws{pids[0]}', 'netns', str(pids[0]), 'type', 'veth', 'peer', 'name',
                  f'gws{pids[0]}', 'netns', str(pids[1]))
        for i, pid in enumerate(pids, 1):
            inside = ('nsenter', '-t', str(pid), '-n', 'ip')
            self.must(*inside, 'addr', 'add', f'10.77.0.{i}/24', 'dev', f'gws{pids[0]}')
            self.must(*inside, 'link', 'set', f'gws{pids[0]}', 'up')

    def begin(self, host, names):
        """Starts a process that holds the host; returns its number."""
        if not all(map(shutil.which, ('ip', 'unshare', 'nsenter'))):
            self.skipTest('no ip, unshare or nsenter (on Debian: iproute2, util-linux)')
        holder = subprocess.Popen(['unshare', '--net', '--uts', '--mount', '--ipc', 'sh', '-c', BEGIN, 'sh', host, names],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(holder.communicate)
        self.addCleanup(holder.kill)
        if holder.stdout.readline() != 'up\n':
            self.skipTest('namespaces of network, name, mounts and IPC are not allowed')
        (self.folder / host).write_text(str(holder.pid))
        return holder.pid

    def must(self, *command):
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            self.skipTest(f'no network between namespaces: {run.stderr.strip()}')

    def launch(self, launcher, ranks, name, *arguments, **options):
        """Starts three ranks, two on the first host."""
        command = [self.agent, HOSTS[0], launcher, *OPTIONS[test_mpi.kind_of(launcher)], self.agent, '-n', str(ranks), self.bin / name,
                   *arguments]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=tool.LIMIT, check=False,
                              stdin=subprocess.DEVNULL, env=dict(test_mpi.ENVIRONMENT, **options))

    def test_hosts(self):
        text, one, many = (self.folder / name for name in ('graph.txt', 'one.csv', 'many.csv'))
        self.good('gconvert', 'kron:8', text)
        self.good('gbfs', text, '--quiet', '--out', one)
        for launcher in self.each():
            found = self.ranks_json(launcher, 3, *test_mpi.SMALL, '--threads', 1, '--verify', '--repeat', 3)
            self.assertIs(found['verified'], True)
            self.assertEqual([rank['host'] for rank in found['ranks']], ['a', 'a', 'b'])
            self.assertEqual([rank['links_shared'] for rank in found['ranks']], [1, 1, 0])
            run = self.launch(launcher, 3, 'gbfs', text, '--threads', 1, '--stats', '--out', many)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(len(re.findall(r'^[012] +[ab] ', run.stdout, re.M)), 3, run.stdout)
            self.assertIn('links     pairs of ranks: 0 by shared memory, 0 by rma, 3 by messages; rank 0 alone ran 0 of ', run.stdout)
            self.assertEqual(many.read_text(), one.read_text())
            run = self.launch(launcher, 3, 'gbfs', text, '--transport', 'shared')
            self.assertNotEqual(run.returncode, 0)
            self.assertIn('gbfs: --transport shared does not connect all of these ranks', run.stderr)


if __name__ == '__main__':
    unittest.main()
