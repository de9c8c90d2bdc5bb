"""A command for shells that has the nursery of `tests.programs` run `rekkyo`: python -S program_client.py SOCKET WORDS.

Loads nothing but the standard library, in 30 ms.
"""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    request = {"words": sys.argv[2:], "cwd": os.getcwd(), "env": dict(os.environ)}
    socket.send_fds(connection, [json.dumps(request).encode()], [0, 1, 2])
    connection.shutdown(socket.SHUT_WR)
    for number in (0, 1):  # the other end of a pipe must see that nobody reads or writes here any more
        os.close(number)
    connection.recv(16)
    code = int(connection.recv(16))
os._exit(code if code >= 0 else 128 - code)
