#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What happens around a call: signals, progress, threads, processes; arrays on devices."""
import gc
import os
import signal
import threading
import time
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
        del result, second
        again = gw.bfs(g, 7, device=device)
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
