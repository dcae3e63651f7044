#!/usr/bin/env python3
"""Drives a running Glint: goes to a frame, tries two settings on it, and ends. usage: control.py RECORDING FRAME"""
import json
import subprocess
import sys
import time

command = ["glint", "track", sys.argv[1], "--control", "-", "--paused", "--stay", "--quiet"]
glint = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(**request):
    """Sends a request and returns the answer."""
    print(json.dumps(request), file=glint.stdin, flush=True)
    answer = json.loads(glint.stdout.readline())
    return answer if answer["ok"] else sys.exit(answer["error"])


ask(do="seek", frame=int(sys.argv[2]))
for separation in (6, 40):
    ask(do="set", settings={"detect.separation": separation})
    while (status := ask(do="status"))["pending"]:  # until the frame has been measured with it
        time.sleep(0.01)
    print(f"frame {status['frame']}, detect.separation {separation}: {status['markers']} markers")
ask(do="quit")
