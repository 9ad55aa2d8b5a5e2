"""A temporary Slurm with one controller and a few virtual nodes on this machine."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

CONFIGURATION = Path("/etc/slurm/slurm.conf")  # the plugin clears SLURM_CONF for the jobs it starts
OURS = "# made by focuseval's tests"
PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "squeue", "scancel")
NODES = 2


def missing():
    """Return why Slurm cannot start here, or "" if it can."""
    absent = [program for program in PROGRAMS if shutil.which(program, path=_path()) is None]
    if absent:
        return f"Slurm's programs are not installed ({', '.join(absent)})"
    if os.geteuid() != 0:
        return "starting Slurm's daemons needs root"
    if CONFIGURATION.exists() and not CONFIGURATION.read_text().startswith(OURS):
        return f"this machine has a Slurm of its own ({CONFIGURATION})"
    try:
        local = socket.gethostbyname(_host()).startswith("127.")
    except OSError:
        local = False
    return "" if local else f"{_host()} is no name of the loopback address"


@contextlib.contextmanager
def local_slurm(folder):
    """Start munge, the controller and the nodes; end them all, and every job, in the end."""
    nodes = Nodes(folder)
    CONFIGURATION.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    CONFIGURATION.write_text(_configuration(folder))
    try:
        nodes.start()
        yield nodes
    finally:
        nodes.stop()
        CONFIGURATION.unlink()


class Nodes:
    """The daemons, each a child of this process in the foreground."""

    def __init__(self, folder):
        self.folder = folder
        self.running = {}

    def start(self):
        """Start the daemons that do not run, and wait until all nodes accept jobs."""
        if not _works("munge", "-n"):
            key = Path("/etc/munge/munge.key")
            if not key.exists() or not key.stat().st_size:
                subprocess.run(["mungekey", "--create", "--force"], env=_environment(), check=True)
                shutil.chown(key, "munge", "munge")
            Path("/run/munge").mkdir(exist_ok=True)
            shutil.chown("/run/munge", "munge", "munge")
            self._daemon("munged", "munged", "--foreground", user="munge")
            _wait("munge", lambda: _works("munge", "-n"))
        if "slurmctld" not in self.running:
            self._daemon("slurmctld", "slurmctld", "-D")
        _wait("the controller", lambda: "is UP" in _output_of("scontrol", "ping"))
        for name in (f"n{number}" for number in range(1, NODES + 1)):
            if name not in self.running:
                self._daemon(name, "slurmd", "-D", "-N", name)
        _wait("the nodes", lambda: _output_of("sinfo", "-hN", "-o", "%T").split().count("idle") == NODES)

    def kill(self, name):
        """Kill a node and its jobs without notifying the controller."""
        daemon = self.running.pop(name)
        jobs = _output_of("squeue", "-h", "-w", name, "-o", "%A").split()
        daemon.kill()
        daemon.wait()
        for job in jobs:
            for status in Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    if status.read_bytes().startswith(f"slurmstepd: [{job}.".encode()):
                        _kill_tree(int(status.parent.name))

    def stop(self):
        """End all jobs, then the daemons."""
        with contextlib.suppress(TimeoutError):
            _output_of("scancel", "--user", "root")
            _wait("the end of the jobs", lambda: not _output_of("squeue", "-h").strip(), 20)
        for name in sorted(self.running, key=lambda name: (name == "munged", name == "slurmctld")):
            self.running[name].terminate()
            try:
                self.running[name].wait(10)
            except subprocess.TimeoutExpired:
                self.running[name].kill()
                self.running[name].wait()
        self.running.clear()

    def _daemon(self, name, *command, user=None):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                env=_environment(),
                user=user,
                cwd="/",
                start_new_session=True,  # an interrupted test still needs the daemons to end its jobs
            )


def _kill_tree(pid):
    """Kill a process and then its descendants, so that no parent can report their end."""
    with contextlib.suppress(OSError):
        below = [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
        os.kill(pid, 9)
        for child in below:
            _kill_tree(child)


def _configuration(folder):
    return f"""{OURS}
ClusterName=focuseval
SlurmctldHost={_host()}(127.0.0.1)
SlurmctldPort=26817
SlurmUser=root
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=2
SlurmdTimeout=10
MinJobAge=600
MailProg=/bin/true
NodeName=n[1-{NODES}] NodeHostname={_host()} NodeAddr=127.0.0.1 Port=[27001-{27000 + NODES}] CPUs=16 RealMemory=64000
PartitionName=main Nodes=ALL Default=YES MaxTime=24:00:00
"""


def _host():
    return socket.gethostname().split(".")[0]


def _path():
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def _environment():
    return {**os.environ, "PATH": _path(), "LC_ALL": "C.UTF-8"}


def _output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=_environment(), timeout=10)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def _works(*command):
    return subprocess.run(command, capture_output=True, env=_environment()).returncode == 0


def _wait(what, ready, seconds=30):
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not come within {seconds} s")
        time.sleep(0.1)
