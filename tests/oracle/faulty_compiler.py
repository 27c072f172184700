"""Takes the compiler's place for faults_test.py: changes one place of one header in the source it is given, and compiles that.
   faulty_compiler.py HEADER BEFORE AFTER COMPILER [its arguments]   The source comes through standard input, with the headers pasted in."""
import re
import subprocess
import sys

header, before, after, *command = sys.argv[1:]
if "-x" not in command:
    sys.exit(subprocess.run(command).returncode)
# Text between lines "#line NUMBER "HEADER"" is that header's.
pieces = re.split(r'(?m)^(#line \d+ "[^"\n]*"\n)', sys.stdin.read())
found = 0
for k in range(1, len(pieces), 2):
    if pieces[k].split('"')[1] == header:
        found += pieces[k + 1].count(before)
        pieces[k + 1] = pieces[k + 1].replace(before, after)
if found != 1:
    sys.exit(f"{header} as it was compiled has the text to change {found} times, not once: {before}")
sys.exit(subprocess.run(command, input="".join(pieces), text=True, close_fds=False).returncode)
