#!/usr/bin/env python3
"""Takes the listings of README.md apart: every ```cpp and ```cmake block must follow a line `<!-- listing NAME -->` and becomes the file
NAME.inc or NAME.cmake in the output folder, so that tests compile exactly what people read.   readme_listings.py README FOLDER NAME…"""
import pathlib
import re
import sys

readme, folder, expected = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
found = {}
lines = readme.read_text(encoding="utf-8").splitlines()
for number, line in enumerate(lines):
    if line.strip() not in ("```cpp", "```cmake"):
        continue
    mark = re.fullmatch(r"<!-- listing (\w+) -->", lines[number - 1].strip()) if number else None
    if not mark:
        sys.exit(f"{readme}:{number + 1}: a listing without `<!-- listing NAME -->` before it is compiled by no test")
    end = next(n for n in range(number + 1, len(lines)) if lines[n].strip() == "```")
    ending = ".cmake" if line.strip() == "```cmake" else ".inc"
    found[mark[1] + ending] = "\n".join(lines[number + 1:end]) + "\n"
    if ending == ".inc":
        found[mark[1] + ending] = f'#line {number + 2} "{readme}"\n' + found[mark[1] + ending]
if sorted(found) != sorted(expected):
    sys.exit(f"{readme}: the listings are {sorted(found)}, the tests compile {sorted(expected)}")
folder.mkdir(parents=True, exist_ok=True)
for name, text in found.items():
    (folder / name).write_text(text, encoding="utf-8")
