# SPDX-License-Identifier: MIT
"""The common parts of the tests of hostile inputs: extreme numbers, running a tool on them, and checking its end.

A tool may exit with 0, 1 or 2; with 1 or 2 it prints one line and leaves no file. Signals, sanitizer reports and a second
line are errors. The tests run a fixed sample of all cases; GRAPHWS_HOSTILE=N runs N times as many, 100 all of them."""
import concurrent.futures
import ctypes
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import typing
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'tools'))
from tool import BUILD, LIMIT, ToolTest, skip  # noqa: E402

MORE = int(os.environ.get('GRAPHWS_HOSTILE', '1'))
SANITIZED = bool(os.environ.get('GRAPHWS_SAN'))
MEMORY = 4 << 30  # limit of a tool's address space: larger allocations for a malformed file fail
QUICK = ['--quiet', '--threads=1', '--no-sync']
PATIENCE = 2  # seconds after which a long case is interrupted

WHOLE = [0, 1, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 16, 2**64 - 2,
         2**64 - 1, 2**64]
REAL = ['5e-324', '1e-40', '1e-308', '3.4e38', '1.7e308', '1.7976931348623157e308', '1e400']
NUMBERS = ([str(n) for n in WHOLE] + ['-' + str(n) for n in WHOLE] + REAL + ['-' + x for x in REAL]
           + ['inf', '-inf', 'nan', '0.5', '0x10', ''])
FINITE = ['0', '-0', '5e-324', '-5e-324', '1e-40', '1e-308', '3.4e38', '-3.4e38', '1e308', '-1e308', '1.7976931348623157e308',
          '-1.7976931348623157e308', '9223372036854775807', '18446744073709551615']
BITS = {1: [0, 0x7f, 0x80, 0xff], 2: [0, 1, 0x7fff, 0x8000, 0xffff],
        4: [0, 1, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 2**31 - 1, 2**32 - 2, 2**32 - 1],
        8: [n for n in WHOLE if n < 2**64] + [0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7fefffffffffffff,
                                             0xffefffffffffffff, 0x8000000000000001, 0x3ff0000000000000, 2**64 - 4096]}
NOT_TEXT = re.compile(r'[\x00-\x09\x0b-\x1f\x7f-\x9f]')
REFUSED = re.compile(rb'^==\d+==WARNING: AddressSanitizer failed to allocate .*\n', re.M)  # no error of the tool


def part(cases, of):
    """The sample of cases, chosen by a hash of each case, so that new cases do not change it, nor a build."""
    of = max(2 * of // MORE, 1)
    return [case for case in cases if zlib.crc32(repr(case).encode()) % of == 0]


def variants(template, values):
    """The text with each {field} replaced by each value in turn: [(number of the field, value, text)]."""
    pieces = re.split(r'\{([^}]*)\}', template)
    made = []
    for field in range(1, len(pieces), 2):
        for value in values:
            made.append((field // 2, value, ''.join(pieces[:field] + [value] + pieces[field + 1:])))
    return made


def patches(data, fields, seal=bytes):
    """The bytes with each number, given as [(offset, size)], replaced by each extreme value in turn."""
    made = []
    for at, size in fields:
        for bits in BITS[size]:
            changed = data[:at] + bits.to_bytes(size, 'little') + data[at + size:]
            made.append((at, bits, seal(changed)))
    return made


def xxh3(data):
    """XXH3 with 64 bits, or None if its library is missing."""
    try:
        library = ctypes.CDLL('libxxhash.so.0')
    except OSError:
        return None
    library.XXH3_64bits.restype = ctypes.c_uint64
    library.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return library.XXH3_64bits(bytes(data), len(data))


def xxh3_of_blocks(data):
    """The checksum of a section of .gwsg or an array of .gwsp with at most one block."""
    return xxh3(struct.pack('<Q', xxh3(data)) if data else b'')


def seal_gwsg(data):
    """A .gwsg file with checksums that match its contents."""
    head, whole = bytearray(data[:4096]), bytes(data)
    for entry in range(64, 64 + 16 * 32, 32):
        _, _, at, size = struct.unpack_from('<IIQQ', head, entry)
        if at + size <= len(whole) and any(head[entry:entry + 32]):
            struct.pack_into('<Q', head, entry + 24, xxh3_of_blocks(whole[at:at + size]))
    struct.pack_into('<Q', head, 56, 0)
    struct.pack_into('<Q', head, 56, xxh3(head))
    return bytes(head) + whole[4096:]


def seal_gwsp(data):
    head, whole = bytearray(data[:4096]), bytes(data)
    for entry in range(64, 64 + 3 * 96, 96):
        at, size = struct.unpack_from('<QQ', head, entry + 56)
        if at + size <= len(whole):
            struct.pack_into('<Q', head, entry + 72, xxh3_of_blocks(whole[at:at + size]))
    struct.pack_into('<Q', head, 40, 0)
    struct.pack_into('<Q', head, 40, xxh3(head))
    return bytes(head) + whole[4096:]


def npy(shape, kind='<f8'):
    """The head of a .npy file."""
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (kind, shape)
    text += ' ' * (-(len(text) + 11) % 64) + '\n'
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(text)) + text.encode()


class End(typing.NamedTuple):
    """The result of a call: its output, and the files that it left."""
    call: tuple
    status: int
    out: bytes
    err: str
    left: set
    interrupted: bool

    def wrong(self, inputs):
        """The first violated rule, or None."""
        if self.interrupted and self.status in (-signal.SIGINT, 1) and not self.left:
            return None
        if self.interrupted or self.status not in (0, 1, 2):
            return f'ended with {self.status}, {"late, " * self.interrupted}{self.err[-3000:]}'
        if self.status == 0:
            return f'exit 0, but said {self.err[-3000:]!r}' if self.err else None
        if not self.err.startswith(self.call[0] + ': ') or self.err.count('\n') != 1 or NOT_TEXT.search(self.err) \
                or len(self.err) > 2000:
            return f'exit {self.status} with other than one line: {self.err[-6000:]}'
        if not self.may_be_left(inputs):
            return f'exit {self.status} left {sorted(self.left)}'
        return f'exit {self.status} with output {self.out[:200]!r}' if self.out else None

    def may_be_left(self, inputs):
        """No files, or complete outputs that were written before another output failed."""
        others = {str(word).rsplit('=', maxsplit=1)[-1] for word in self.call[1:]} - inputs - self.left
        named = any(other and other in self.err for other in others)
        return all(named and not name.startswith('.') and name not in self.err for name in self.left)


class HostileTest(ToolTest):
    """Each call gets a folder of its own for its outputs, and limited memory."""

    @classmethod
    def setUpClass(cls):
        if not SANITIZED:  # sanitizers reserve far more addresses than they use
            cls.limits = resource.getrlimit(resource.RLIMIT_AS)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, cls.limits[1]))
            cls.addClassCleanup(resource.setrlimit, resource.RLIMIT_AS, cls.limits)
        cls.environment = dict(os.environ)
        asan = cls.environment.get('ASAN_OPTIONS', 'allocator_may_return_null=1')
        cls.environment['ASAN_OPTIONS'] = f'{asan}:max_allocation_size_mb={MEMORY >> 20}'

    def hold(self, *call, files=(), patient=True, **options):
        """Runs a tool in a folder with only the files {name: content}. Returns the first violated rule or None, and the exit
        status. A call without `patient` may run for long and is interrupted."""
        number = self.calls = getattr(self, 'calls', 0) + 1
        folder = self.folder / f'call{number}-{zlib.crc32(repr(call).encode())}-{id(call)}'
        folder.mkdir()
        for name, content in dict(files).items():
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        before = set(os.listdir(folder))
        process = subprocess.Popen([BUILD / 'bin' / call[0], *call[1:]], cwd=folder, env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        interrupted = False
        try:
            out, err = process.communicate(timeout=LIMIT if patient else PATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            interrupted = True
            out, err = process.communicate(timeout=LIMIT)
        left = set(os.listdir(folder)) - before
        shutil.rmtree(folder)
        end = End(call, process.returncode, out, REFUSED.sub(b'', err).decode(errors='replace'), left, interrupted)
        wrong = end.wrong(before)
        return wrong and f'{" ".join(map(str, call))} {dict(files)!r:.600}: {wrong}', end.status

    def hold_all(self, cases):
        """The same for many calls [(call, files, patient)], two at a time: {exit status: number of calls}. All violations are
        reported at the end."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            ends = list(pool.map(lambda case: self.hold(*case[0], files=case[1], patient=case[2]), cases))
        wrong = [problem for problem, _ in ends if problem]
        if wrong:
            self.fail(f'{len(wrong)} of {len(ends)} calls:\n' + '\n'.join(wrong[:40]))
        statuses = [status for _, status in ends]
        return {status: statuses.count(status) for status in set(statuses)}
