#!/usr/bin/env python3
"""Lists the calls in the hottest functions, and refuses unexpected ones.

    python3 tools/calls.py [PROGRAM]           exit code 1 if there is another call

Functions compiled for AVX2 inline the functions they use; a call leads to slower code that is compiled without AVX2, once
a node or a block of 64 positions. Needs binutils; the expected calls belong to the compiler of benches/instructions.csv.
"""

import collections
import re
import shutil
import subprocess
import sys

from instructions import COUNTS, TARGET, compiler

CRATE = "everyply_connect_four::"
# Hot functions, and the calls that each may make. Panics come on top.
EXPECTED = {
    # A node: its move generation, its children, the table, the clock once in some thousand nodes, and other threads.
    # The table's load of 128 bits calls a function that is chosen when the program starts.
    r"solver::search::Searcher<L>::search$": r"Searcher<L>::(search|check_whether_to_continue|expand_\w+)|"
    r"share_moves|Table::store|atomic_load",
    # Move generation, then bounds by rules; the list of nodes grows a few times in a search.
    r"solver::search::Searcher<L>::expand_on_avx2": r"apply_static_bounds_on_avx2|grow_one|atomic_load|\*%r[a-z]x",
    r"apply_static_bounds_on_avx2": r"^$",
    # A block of many positions: copies and fills of the whole.
    r"(Forward|Backward<_>) as .*::block::avx2": r"copy_from_slice|spec_fill|resize|zip::|memcpy",
    r"codec::(pack|unpack)::.*avx2": r"copy_from_slice|resize|grow_one|zip::",
}

PANICS = r"panicking::|slice_index_fail|assert_failed|_Unwind_Resume"


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def targets(program):
    """The functions in the program's table of addresses, by their place in it."""
    names = {}
    for line in output("nm", "-C", program).splitlines():
        address, _, name = line.partition(" ")
        if address.strip():
            names[int(address, 16)] = name[2:]
    found = {}
    for line in output("readelf", "-rW", program).splitlines():
        row = line.split()
        if len(row) >= 4 and row[2] == "R_X86_64_RELATIVE":
            found[int(row[0], 16)] = names.get(int(row[3], 16), "?")
    return found


def calls(program):
    """The names of the calls of each function."""
    found, function, table, registers = {}, None, targets(program), {}
    for line in output("objdump", "-d", "-C", "--no-show-raw-insn", program).splitlines():
        if begin := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function, registers = begin[1], {}
            if CRATE in function:
                found.setdefault(function, collections.Counter())
        elif function in found:
            if load := re.search(r"\tmov\s+\S+\(%rip\),(%\w+) .*# ([0-9a-f]+) <(.*)>", line):
                registers[load[1]] = table.get(int(load[2], 16), load[3])
            elif call := re.search(r"\t(call|jmp)\s+(.*)", line):
                if far := re.match(r"\*.*# ([0-9a-f]+) <(.*)>", call[2]):
                    found[function][table.get(int(far[1], 16), far[2])] += 1
                elif (near := re.match(r"[0-9a-f]+ <(.*)>", call[2])) and not near[1].startswith(f"{function}+"):
                    found[function][near[1]] += 1
                elif call[1] == "call" and call[2].startswith("*"):
                    found[function][registers.get(call[2][1:], call[2])] += 1
    return found


def main():
    if compiler() not in COUNTS.read_text() or shutil.which("objdump") is None:
        print("not compared: another compiler, or no objdump")
        return
    program = sys.argv[1] if len(sys.argv) > 1 else TARGET / "release" / "analyze"
    found = calls(program)
    others = 0
    for function, expected in EXPECTED.items():
        names = [name for name in found if re.search(function, name)]
        if not names:
            sys.exit(f"{program} has no function {function}; was it compiled for another processor?")
        for name in names:
            for call, count in found[name].items():
                if not re.search(f"{expected}|{PANICS}", call):
                    others += 1
                    print(f"{name} calls {call} {count} times")
    if others:
        sys.exit("make what is called #[inline(always)], or add it to EXPECTED with the reason")
    print(f"{len(EXPECTED)} kinds of hot functions call what they are expected to")


if __name__ == "__main__":
    main()
