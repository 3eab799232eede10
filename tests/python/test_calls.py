#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What happens around a call: signals, progress, threads, processes; arrays on devices."""
import gc
import os
import signal
import threading
import time
import timeit
import unittest

from package import PackageTest, gw, np


def during_call(action, runtime=None):
    """Starts a thread that acts once, some milliseconds after a call on the runtime has begun."""
    runtime = runtime or gw.default_runtime()

    def act():
        while not runtime._lock.locked():
            time.sleep(.001)
        time.sleep(.02)
        action()

    thread = threading.Thread(target=act)
    thread.start()
    return thread


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


class Interrupts(PackageTest):
    """The calls would take minutes."""

    def test_calls(self):
        g, sent = gw.load('kron:15'), []
        for call in (lambda: gw.betweenness(g), lambda: gw.pagerank(g, tolerance=-1, max_iterations=10**9), lambda: gw.uts('T1WL')):
            thread = during_call(lambda: (sent.append(time.monotonic()), interrupt()))
            with self.assertRaises(KeyboardInterrupt):
                call()
            print(f'\nnote: KeyboardInterrupt came {1000 * (time.monotonic() - sent[-1]):.1f} ms after the signal', flush=True)
            thread.join()
            self.assertEqual(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        self.assertGreater(gw.bfs(g).reached, 1)  # the runtime still works

    def test_own_handler(self):
        """A program's handler runs after the call, which ends early."""
        seen, g = [], gw.load('kron:15')
        before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
        self.addCleanup(signal.signal, signal.SIGINT, before)
        thread = during_call(interrupt)
        with self.assertRaises(gw.GraphwsError) as caught:
            gw.betweenness(g)
        thread.join()
        self.assertEqual((caught.exception.status, seen), ('CANCELLED', [signal.SIGINT]))

    def test_cancel(self):
        runtime, g = gw.Runtime(threads=1), gw.load('kron:15')
        thread = during_call(runtime.cancel, runtime)
        with self.assertRaises(gw.GraphwsError) as caught:
            gw.betweenness(g, runtime=runtime)
        thread.join()
        self.assertEqual(caught.exception.status, 'CANCELLED')


class Costs(PackageTest):
    def test_call(self):
        """Prints what Python adds to a call: a search of five vertices with one worker against the library's own calls."""
        import ctypes
        from graphws import _declarations as c
        from graphws._library import lib
        runtime = gw.Runtime(threads=1)
        g = gw.Graph.from_edges([0, 1, 2, 0, 4], [1, 2, 3, 4, 3], runtime=runtime)

        def bare():
            result = c.gws_bfs_result()
            lib.gws_bfs(runtime._pointer, g._pointer, 0, None, ctypes.byref(result))
            lib.gws_bfs_result_clear(ctypes.byref(result))

        def best(call):
            return min(timeit.repeat(call, number=100, repeat=20)) * 1e4

        added = best(lambda: gw.bfs(g, 0, runtime=runtime).depth) - best(bare)
        print(f'\nnote: a call and its array take {added:.0f} us more than the bare call', flush=True)
        self.same(gw.bfs(g, 0, runtime=runtime).depth, [0, 1, 2, 2, 1])


class Memory(PackageTest):
    def test_limits(self):
        """Whatever the limit, a call has the right result or raises MemoryError."""
        g, failures = gw.load('road:2000'), 0
        calls = [lambda runtime: gw.bfs(g, 5, runtime=runtime).depth, lambda runtime: gw.sssp(g, 5, runtime=runtime).distance,
                 lambda runtime: gw.kcore(g, runtime=runtime).core, lambda runtime: gw.connected_components(g, runtime=runtime),
                 lambda runtime: g.relabelled('degree', runtime=runtime).offset, lambda runtime: gw.Octree('uniform:2000', runtime=runtime).index]
        wanted = [call(None).tolist() for call in calls]
        for limit in [2**k for k in range(12, 26)]:
            for call, one in zip(calls, wanted):
                try:
                    self.assertEqual(call(gw.Runtime(threads=1, max_memory=limit)).tolist(), one)
                except MemoryError as error:
                    self.assertEqual(error.status, 'NO_MEMORY')
                    failures += 1
        self.assertIn(failures, range(len(calls), 13 * len(calls)))


class Progress(PackageTest):
    def test_function(self):
        calls = []
        gw.load('kron:12', progress=lambda *call: calls.append(call))
        self.assertTrue(calls)
        for work, done, total in calls:
            self.assertIsInstance(work, str)
            self.assertLessEqual(done, total)

    def test_exception(self):
        def refuse(*call):
            raise RuntimeError('enough')

        with self.assertRaisesRegex(RuntimeError, 'enough'):
            gw.load('kron:12', progress=refuse)
        self.assertEqual(gw.load('grid:2x2').vertices, 4)

    def test_again(self):
        """A function that reports progress may use another runtime, not the same one."""
        other, found = gw.Runtime(threads=1), []
        gw.load('kron:12', progress=lambda *call: found.append(gw.bfs(gw.load('grid:2x2', runtime=other), runtime=other).reached))
        self.assertEqual(set(found), {4})
        with self.assertRaises(gw.GraphwsError) as caught:
            gw.load('kron:12', progress=lambda *call: gw.load('grid:2x2'))
        self.assertEqual(caught.exception.status, 'BUSY')

    def test_bar(self):
        gw.load('kron:12', progress=True)  # with tqdm or without


class Threads(PackageTest):
    def test_gil(self):
        """Other threads run during a call, which ends only when they say so."""
        runtime, g, ended = gw.Runtime(threads=1), gw.load('kron:15'), []

        def call():
            with self.assertRaises(gw.GraphwsError):
                gw.betweenness(g, runtime=runtime)
            ended.append(True)

        thread = threading.Thread(target=call)
        thread.start()
        during_call(runtime.cancel, runtime).join()
        thread.join()
        self.assertEqual(ended, [True])

    def test_one_runtime(self):
        """Calls of several threads wait for each other, and a signal's handling stays with the main thread."""
        g, found = gw.load('road:2000'), {}

        def search(source):
            for _ in range(20):
                found[source] = gw.bfs(g, source).depth

        threads = [threading.Thread(target=search, args=(source,)) for source in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for source, depth in found.items():
            self.same(depth, gw.bfs(g, source).depth)
        self.assertEqual(len(found), 4)

    def test_fork(self):
        g = gw.load('road:2000')
        wanted = gw.bfs(g, 3).depth
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if (gw.bfs(g, 3).depth == wanted).all() else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_runtime(self):
        runtime = gw.Runtime(threads=3, policy='split', seed=7)
        self.assertEqual((runtime.threads, runtime.policy), (3, 'split'))
        self.assertIn('3 threads', repr(runtime))
        for bad in ({'policy': 'best'}, {'threads': 10**5}):
            with self.assertRaises(ValueError):
                gw.Runtime(**bad)
        g = gw.load('grid:9x9', runtime=runtime)
        depth = gw.bfs(g, 0, runtime=runtime).depth
        runtime.close()
        del runtime
        gc.collect()
        self.assertEqual(depth.max(), 16)
        self.assertEqual(gw.bfs(g, 0).levels, 17)


class Devices(PackageTest):
    def device(self):
        usable = [one.address for one in gw.devices() if not one.unusable]
        if not usable:
            self.skipTest('there is no device')
        return os.environ.get('GWS_TEST_DEVICE', usable[0])

    def test_missing(self):
        for address in ('cuda:99', 'opencl:99', 'abacus'):
            with self.assertRaises(gw.GraphwsError):
                gw.bfs('grid:3x3', device=address)
        self.assertIsInstance(gw.missing_kinds(), dict)

    def test_results(self):
        device, g = self.device(), gw.load('road:500')
        result, host = gw.bfs(g, 5, device=device), gw.bfs(g, 5)
        depth = result.depth
        self.assertIsInstance(depth, gw.DeviceArray)
        self.assertEqual((depth.shape, depth.typestr, len(depth)), ((500,), '<u4', 500))
        second = gw.bfs(g, 6, device=device)  # does not overwrite the first
        self.same(depth, host.depth)
        self.same(second.depth, gw.bfs(g, 6).depth)
        self.assertEqual(depth.max(), host.depth.max())
        self.same(depth == 3, host.depth == 3)
        self.assertEqual(result.reached, host.reached)
        pointers = {depth.pointer, second.depth.pointer}
        self.assertEqual(len(pointers), 2)
        del result, second, depth
        again = gw.bfs(g, 7, device=device)
        self.assertIn(again.depth.pointer, pointers)  # the search of a dropped result
        self.same(again.parent[:1], again.parent.numpy()[:1])
        self.same(gw.connected_components(g, device=device), gw.connected_components(g))

    def test_cuda(self):
        """The driver copies from the pointer that the interface gives."""
        if not self.device().startswith('cuda'):
            self.skipTest('there is no CUDA device')
        import ctypes
        driver, g = ctypes.CDLL('libcuda.so.1'), gw.load('kron:12')
        for depth in (gw.bfs(g, device='cuda').depth, gw.sssp(g, device='cuda').distance, gw.pagerank(g, device='cuda').rank):
            given = depth.__cuda_array_interface__
            out = np.empty(given['shape'], given['typestr'])
            self.assertEqual(driver.cuMemcpyDtoH_v2(out.ctypes.data_as(ctypes.c_void_p), ctypes.c_void_p(given['data'][0]), out.nbytes), 0)
            self.same(out == out.max(), depth.numpy() == depth.numpy().max())
            self.assertEqual(depth.__dlpack_device__()[0], 2)

    def test_dlpack(self):
        """numpy takes a host's array as any library takes a device's."""
        from graphws.arrays import DeviceArray, _exported
        host = np.arange(6.).reshape(2, 3)
        given = DeviceArray(host, host.ctypes.data, host.shape, '<f8', 'cpu', lambda: host)
        before = len(_exported)
        if hasattr(np, 'from_dlpack'):
            taken = np.from_dlpack(given)
            self.assertEqual(taken.ctypes.data, host.ctypes.data)
            self.same(taken, host)
            del taken
            gc.collect()
            self.assertEqual(len(_exported), before)
        capsule = given.__dlpack__()
        self.assertEqual(len(_exported), before + 1)
        del capsule  # that nobody took
        self.assertEqual(len(_exported), before)
        with self.assertRaises(BufferError):
            given.__dlpack__(copy=True)
        with self.assertRaises(AttributeError):
            given.__cuda_array_interface__  # noqa: B018


if __name__ == '__main__':
    unittest.main()
