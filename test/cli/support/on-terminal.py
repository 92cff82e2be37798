"""Runs a command on a terminal of its own and answers its question.

Usage: on-terminal.py ANSWER COMMAND...   (an empty answer ends the input)
What the terminal shows goes to stdout; the exit code is the command's.
"""

import fcntl
import os
import pty
import struct
import sys
import termios

answer, command = sys.argv[1], sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    # A new terminal has no size, and nothing can be drawn on it.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    os.execvp(command[0], command)

shown = b""
answered = False
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # Linux says so when the other end is closed.
        break
    if not piece:
        break
    shown += piece
    if not answered and b"Enter a value:" in shown:
        answered = True
        os.write(terminal, answer.encode() + b"\n" if answer else b"\x04")

sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
