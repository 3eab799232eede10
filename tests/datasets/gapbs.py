# SPDX-License-Identifier: MIT
"""A stub for the bfs of gapbs, which no distribution packages: it has its options, reads an edge list as its reader.h
does (pairs of numbers up to other text), and prints as its graph.h, benchmark.h and util.h do."""
import sys

SCRIPT = f'#!{sys.executable}\n' + r'''
import getopt, re, sys
options = dict(getopt.getopt(sys.argv[1:], "f:g:hk:su:an:r:v")[0])
if "-f" in options:
    if not options["-f"].endswith(".el"):
        sys.exit("Unrecognized suffix")
    words = open(options["-f"]).read().split()
    numbers = []
    while len(numbers) < len(words) and re.fullmatch("[0-9]+", words[len(numbers)]):
        numbers.append(int(words[len(numbers)]))
    edges = set(map(tuple, map(sorted, zip(numbers[::2], numbers[1::2]))))
    nodes = 1 + max(numbers, default=-1)
    print("%-21s%3.5f" % ("Read Time:", .0123))
elif "-g" in options:
    nodes, edges = 2 ** int(options["-g"]), range(16 * 2 ** int(options["-g"]))
else:
    sys.exit("No graph input specified. (Use -h for help)")
print("%-21s%3.5f" % ("Build Time:", .0456))
print(f"Graph has {nodes} nodes and {len(edges)} undirected edges for degree: {len(edges) // max(1, nodes)}")
if not edges:
    sys.exit("the real one looks for a source for ever")
trials = int(options.get("-n", 16))
for trial in range(trials):
    print("%-21s%3.5f" % ("Trial Time:", (trial + 1) / 1000))
print("%-21s%3.5f" % ("Average Time:", (trials + 1) / 2000))
'''


def write(folder):
    """The program in the folder of --gapbs."""
    path = folder / 'bfs'
    path.write_text(SCRIPT)
    path.chmod(0o755)
