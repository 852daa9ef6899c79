"""Values of a solution file (docs/solution-format.md), except of Connect Four boards, by key or by tier and rank.

    python tools/read_solution.py FILE [KEY ...]          a file whose numbering is "listed" or "open"
    python tools/read_solution.py FILE [TIER:RANK ...]    one whose numbering is "ranked" or "scored"

Without a position it prints the description. Needs `zstandard`, or Python 3.14 with its own Zstandard.
"""

import json
import struct
import sys
import zlib
from bisect import bisect_left, bisect_right

try:
    from compression.zstd import decompress
except ImportError:
    from zstandard import ZstdDecompressor

    def decompress(frame):
        return ZstdDecompressor().decompress(frame)


CHUNK = 65536
OUTCOMES = ["draw by endless play", "loss", "draw", "win"]


def check(right, what):
    if not right:
        raise ValueError(f"not a solution file of version 2, or damaged: {what}")


class Solution:
    """A solution file; it is opened for every read."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            header = file.read(64)
        check(len(header) == 64 and header[:8] == b"everysol", "header")
        version, checksum = struct.unpack_from("<II", header, 8)
        check(version == 2 and checksum == zlib.crc32(header[16:]), "header")
        self.fingerprint, chunks, at, _, end = struct.unpack_from("<5Q", header, 16)
        checksums = struct.unpack_from("<II", header, 56)
        directory = self.read(at, 32 * chunks, checksums[0])
        self.chunks = list(struct.iter_unpack("<QQIIII", directory))
        self.first = [chunk[1] for chunk in self.chunks]
        at += 32 * chunks
        self.description = json.loads(self.read(at, end - at, checksums[1]))
        self.counts = []
        for tier in self.description["tiers"]:
            whole, rest = divmod(tier["entries"], CHUNK)
            self.counts += whole * [CHUNK] + [rest] * (rest > 0)
        check(len(self.counts) == chunks, "directory")

    def read(self, offset, length, checksum):
        with open(self.path, "rb") as file:
            file.seek(offset)
            found = file.read(length)
        check(zlib.crc32(found) == checksum, f"checksum at byte {offset}")
        return found

    def chunk(self, number):
        """The keys of a chunk, ascending, if it has any; its outcomes; and distances (None if endless)."""
        if self.description["numbering"] == "profiles":
            raise ValueError("values of a Connect Four board: `analyze query` reads them")
        offset, key, *lengths, checksum = self.chunks[number]
        packed = self.read(offset, sum(lengths), checksum)
        streams = []
        for length in lengths:
            streams.append(decompress(packed[:length]) if length else b"")
            packed = packed[length:]
        keys, difference, shift = [key], 0, 0
        for byte in streams[0]:
            difference |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                keys.append(keys[-1] + difference)
                difference = shift = 0
        count = self.counts[number]
        outcomes = [streams[1][i // 4] >> 2 * (i % 4) & 3 for i in range(count)]
        decided = sum(outcome > 0 for outcome in outcomes)
        low, high = streams[2][:decided], streams[2][decided:] or bytes(decided)
        plies = (upper << 8 | lower for lower, upper in zip(low, high))
        distances = [next(plies) if outcome > 0 else None for outcome in outcomes]
        return keys, outcomes, distances

    def value_at(self, tier, rank):
        """Outcome and distance at a rank of a tier, given by its name; None if there is no such rank.

        In a file whose numbering is "scored" the second one is the number of points still to be made.
        """
        first = 0
        for here in self.description["tiers"]:
            if here["name"] == tier and rank < here["entries"]:
                _, outcomes, distances = self.chunk(first + rank // CHUNK)
                return OUTCOMES[outcomes[rank % CHUNK]], distances[rank % CHUNK]
            first += -(-here["entries"] // CHUNK)
        return None

    def value(self, key):
        """Outcome and distance of a canonical key; None if the file does not hold it."""
        number = bisect_right(self.first, key) - 1
        if number < 0:
            return None
        keys, outcomes, distances = self.chunk(number)
        at = bisect_left(keys, key)
        if at == len(keys) or keys[at] != key:
            return None
        return OUTCOMES[outcomes[at]], distances[at]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    solution = Solution(sys.argv[1])
    if len(sys.argv) == 2:
        print(json.dumps(solution.description, indent=2))
    for word in sys.argv[2:]:
        tier, _, number = word.rpartition(":")
        found = solution.value_at(tier, int(number)) if tier else solution.value(int(number))
        print(word, *(found or ["not in the file"]))
