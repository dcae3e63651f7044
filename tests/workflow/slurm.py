"""Runs a real Slurm on one machine, for tests: munged, slurmctld, and a slurmd for each of several nodes. All belong to the user who runs the test,
and live in one folder and on free ports of 127.0.0.1. Debian's build lets one host be several nodes: each slurmd gets its name with -N, and a port of
its own.

No cgroups are needed: processes are found in /proc (proctrack/linuxproc), and tasks are not bound to cores (task/none). slurm.conf states what a node
has (config_overrides), so nodes may have more cores than the machine.
"""

import contextlib
import ctypes
import getpass
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

PATIENCE = 60  # The limit of waiting, s.
CONF = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_min_interval=0,sched_interval=1,bf_interval=1
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
"""
NODE = "NodeName={name} NodeHostname={name} NodeAddr=127.0.0.1 Port={port} CPUs={cpus} RealMemory=16000\n"


LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


def _end_with_parent():
    """Lets the process end with its parent, so that no daemon stays when the test itself is killed."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Slurm:
    """A Slurm that runs inside `with`, where sbatch and the other programs work with the environment `env`. Afterwards no process of it is left."""

    def __init__(self, folder, nodes, cpus):
        self.folder = pathlib.Path(folder).resolve()
        self.nodes, self.cpus = [f"node{i}" for i in range(nodes)], cpus
        self.env = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = []

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            stack.callback(self._end)
            self._begin()
            stack.pop_all()
        return self

    def __exit__(self, *_):
        self._end()

    def run(self, *words):
        return subprocess.run(words, env=self.env, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout

    def jobs(self):
        """Returns for each job of the last minutes a dictionary of what `scontrol show job` prints."""
        return [dict(re.findall(r"(\S+?)=(\S*)", line)) for line in self.run("scontrol", "--oneliner", "show", "job").splitlines() if "JobId=" in line]

    def _begin(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "state").mkdir()
        with contextlib.ExitStack() as stack:
            sockets = [stack.enter_context(socket.socket()) for _ in range(len(self.nodes) + 1)]
            for free in sockets:
                free.bind(("127.0.0.1", 0))
            ports = [free.getsockname()[1] for free in sockets]
        conf = CONF.format(host=socket.gethostname(), user=getpass.getuser(), folder=self.folder, ports=ports)
        conf += "".join(NODE.format(name=name, port=port, cpus=self.cpus) for name, port in zip(self.nodes, ports[1:]))
        (self.folder / "slurm.conf").write_text(conf + "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n")
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        place = {option: self.folder / f"munge.{option}" for option in ("socket", "pid", "seed", "log")}
        self._start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={place['socket']}", f"--pid-file={place['pid']}",
                    f"--seed-file={place['seed']}", f"--log-file={place['log']}")
        self._wait(lambda: place["socket"].exists(), "munged has a socket")
        self._start("slurmctld", "-D", "-i")
        for name in self.nodes:
            self._start("slurmd", "-D", "-N", name)
        self._wait(lambda: self._idle() == len(self.nodes), "all nodes are idle")

    def _start(self, *words):
        with open(self.folder / f"daemon{len(self.daemons)}.out.log", "w") as out:
            self.daemons.append(subprocess.Popen(words, env=self.env, stdout=out, stderr=subprocess.STDOUT, preexec_fn=_end_with_parent))

    def _idle(self):
        shown = subprocess.run(["sinfo", "--noheader", "--Node", "--format=%T"], env=self.env, capture_output=True, text=True)
        return shown.stdout.split().count("idle")

    def _wait(self, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            ended = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > deadline:
                logs = "\n".join(f"--- {log.name}\n{log.read_text()[-2000:]}" for log in sorted(self.folder.glob("*.log")))
                raise AssertionError(f"never: {what}; ended: {ended}\n{logs}")
            time.sleep(0.1)

    def _end(self):
        if len(self.daemons) > 1:  # slurmctld is running.
            with contextlib.suppress(subprocess.SubprocessError, AssertionError):
                self.run("scancel", "--user", getpass.getuser())
                self._wait(lambda: not self.run("squeue", "--noheader").strip(), "all jobs have ended")
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons.clear()
