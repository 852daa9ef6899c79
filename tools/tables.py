"""Tables in data/ with a comment above them, and the pages of docs/ that are made from them."""

import csv
import os
import sys


def read(path):
    """The comment, the columns, and the rows as dicts."""
    lines = path.read_text().splitlines(keepends=True)
    comment = "".join(line for line in lines if line.startswith("#"))
    reader = csv.DictReader(line for line in lines if not line.startswith("#"))
    return comment, reader.fieldnames, list(reader)


def write(path, comment, columns, rows):
    """Writes the table, which appears whole."""
    new = path.with_suffix(".new")
    with new.open("w", newline="") as file:
        file.write(comment)
        writer = csv.DictWriter(file, columns, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(new, path)


def make(page, text, checks):
    """Writes a page, or only compares it: exit code 3 if it differs."""
    if not checks:
        page.write_text(text)
    elif page.read_text() != text:
        print(f"{page} differs from its data: run {sys.argv[0]}", file=sys.stderr)
        sys.exit(3)
