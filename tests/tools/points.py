# SPDX-License-Identifier: MIT
"""A reference octree by the definition in traversal/octree.h, and readers of goctree's output files."""
import math
import re
import struct
import xml.etree.ElementTree

LEVELS = 21
VTK = {'Int8': 'b', 'UInt8': 'B', 'Int16': 'h', 'UInt16': 'H', 'Int32': 'i', 'UInt32': 'I', 'Int64': 'q', 'UInt64': 'Q',
       'Float32': 'f', 'Float64': 'd'}
PLY = {'char': 'b', 'uchar': 'B', 'short': 'h', 'ushort': 'H', 'int': 'i', 'uint': 'I', 'float': 'f', 'double': 'd'}


def bounding_cube(points):
    low = [min(axis) for axis in zip(*points)]
    side = max(max(axis) - min(axis) for axis in zip(*points))
    return low, [corner + side for corner in low]


def key_of(point, low, high):
    key = 0
    cells = []
    for x, a, b in zip(point, low, high):
        scale = 2.0 ** LEVELS / (b - a) if b > a else 0.0
        cells.append(min(int(math.floor((x - a) * scale)), 2 ** LEVELS - 1))
    for bit in reversed(range(LEVELS)):
        for cell in cells:
            key = key << 1 | cell >> bit & 1
    return key


def octree(points, leaf=32, max_depth=LEVELS, box=None):
    """Returns the leaves in order as (level, [point numbers]), and the number of nodes."""
    low, high = box or bounding_cube(points)
    keys = {i: key_of(point, low, high) for i, point in enumerate(points)}
    leaves = []

    def divide(numbers, level):
        if len(numbers) <= leaf or level == max_depth:
            leaves.append((level, numbers))
            return 1
        parts = [[] for _ in range(8)]
        for i in numbers:
            parts[keys[i] >> 3 * (LEVELS - 1 - level) & 7].append(i)
        return 1 + sum(divide(part, level + 1) for part in parts if part)

    nodes = divide(list(range(len(points))), 0)
    return leaves, nodes


def read_ply(data):
    """Reads a binary little-endian PLY of vertices. Returns the property names and the rows."""
    head, body = data.split(b'end_header\n', 1)
    lines = head.decode().splitlines()
    if lines[:2] != ['ply', 'format binary_little_endian 1.0']:
        raise ValueError(lines[:2])
    count = int(re.fullmatch(r'element vertex (\d+)', lines[2]).group(1))
    properties = [line.split()[1:] for line in lines[3:]]
    rows = list(struct.iter_unpack('<' + ''.join(PLY[kind] for kind, _ in properties), body))
    if len(rows) != count:
        raise ValueError((len(rows), count))
    return [name for _, name in properties], rows


def read_vtk(data):
    """Reads a VTK XML file with appended raw data. Returns (kind, attributes of its piece, {name: numbers})."""
    text, raw = re.fullmatch(rb'(.*<AppendedData encoding="raw">\n_)(.*)\n</AppendedData>\n</VTKFile>\n', data,
                             re.DOTALL).groups()
    root = xml.etree.ElementTree.fromstring(text + b'</AppendedData></VTKFile>')
    if (root.get('byte_order'), root.get('header_type')) != ('LittleEndian', 'UInt64'):
        raise ValueError(root.attrib)
    arrays, used = {}, 0
    for array in root.iter('DataArray'):
        at = int(array.get('offset'))
        size, = struct.unpack_from('<Q', raw, at)
        kind = VTK[array.get('type')]
        numbers = struct.unpack_from(f'<{size // struct.calcsize(kind)}{kind}', raw, at + 8)
        parts = int(array.get('NumberOfComponents'))
        arrays[array.get('Name')] = [numbers[i:i + parts] for i in range(0, len(numbers), parts)] if parts > 1 \
            else list(numbers)
        used += 8 + size
    if used != len(raw):
        raise ValueError((used, len(raw)))
    return root.get('type'), next(root.iter('Piece')).attrib, arrays
