"""A hook of a bench file: hands what it is told in its environment to `phone_app.py`, and prints the answer.

    app_hook.py SOCKET
"""

import json
import os
import socket
import sys

PREFIX = 'DICTOBENCH_'


def send(path: str, request: dict) -> str:
    """One request and its answer, each a line of JSON."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(json.dumps(request).encode() + b'\n')
        return connection.makefile().readline()


if __name__ == '__main__':
    told = {name.removeprefix(PREFIX).lower(): value for name, value in os.environ.items() if name.startswith(PREFIX)}
    answer = send(sys.argv[1], told)
    if not answer:
        sys.exit('the phone said nothing')
    print(answer.strip())
