#!/usr/bin/env python3
"""A fleet tunes what one machine would: a job array on a real Slurm controller with two nodes on this machine, one task killed
half-way and requeued, and the same shards under GNU parallel. fleet_test.py PROGRAM, a glass whose timings are recorded (recorded.cpp).
Without Slurm the test is skipped, except in CI."""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHARDS = 4


def skip(why):
    print(f"skipped: {why}")
    sys.exit(1 if os.environ.get("CI") else 77)


def say(text, since=[time.time()]):
    print(f"{time.time() - since[0]:5.1f} s  {text}", flush=True)


def until(what, seconds, condition):
    end = time.time() + seconds
    while not (found := condition()):
        if time.time() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.05)
    return found


class Fleet:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("GLASS_", "SLURM_", "SBATCH_"))}
        self.environment |= {"SLURM_CONF": str(self.folder / "slurm/slurm.conf"), "GLASS_RECORDED_PAUSE_MS": "40"}
        (self.folder / "scale.cuh").write_text("template <class S, class X, class Y> GLASS_DEVICE void scale(S, float, X, Y) {}\n")
        (self.folder / "scale.json").write_text(json.dumps({"name": "scale", "operands": [
            {"name": "alpha", "access": "scalar", "example": 0.5}, {"name": "x", "access": "in", "shape": ["N"]},
            {"name": "y", "access": "inout", "shape": ["N"]}]}))
        (self.folder / "m.json").write_text(json.dumps({"problems": [
            {"source": "scale.cuh", "spec": "scale.json", "sizes": {"N": 8}, "batch": 4 ** k, "measure": measure}
            for k in range(8) for measure in ("throughput", "latency")]}))

    def run(self, *words, **more):
        more = {k: str(v) for k, v in more.items()}
        done = subprocess.run([str(w) for w in words], cwd=self.folder, env=self.environment | more, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise AssertionError(f"{words}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    def of_one_process(self):
        self.run(self.program, "tune", "m.json", "--budget", "600s", GLASS_CACHE=self.folder / "one", GLASS_RECORDED_PAUSE_MS=0)
        self.run(self.program, "cache", "merge", "one.glasspack", "one")
        return self.decisions("one.glasspack")

    def decisions(self, pack):
        """What was decided and on what evidence, without dates."""
        with sqlite3.connect(f"file:{self.folder / pack}?immutable=1", uri=True) as rows:
            return rows.execute("SELECT key, material, placement, runner_up, ns, default_ns, complete, state, image_key "
                                "FROM decision ORDER BY key").fetchall()

    def shard_with_most(self):
        where = [p["shard"] for p in json.loads(self.run(self.program, "tune", "m.json", "--list", "--json", "--shard", f"1/{SHARDS}"))["problems"]]
        assert len(set(where)) > 1, where   # one of the four is empty: that is no error
        return max(where, key=where.count)

    def processes_of(self, shard):
        found = []
        for p in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (p / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"tune" in words and f"{shard}/{SHARDS}".encode() in words and str(self.folder).encode() in b" ".join(words):
                found.append(int(p.name))
        return found

    def on_slurm(self):
        self.run(HERE / "cluster", "start", "slurm", 2)
        try:
            say("two nodes are idle")
            array, merge = self.run(ROOT / "scripts/tune_fleet", "m.json", "fleet.glasspack", SHARDS, "--glass", self.program,
                                    "--local", self.folder / "local", "--options", "--budget 600s").split()
            victim = self.shard_with_most()
            log = self.folder / f"fleet.glasspack.shards/log-{victim}"
            until("a problem of the largest shard is tuned", 30, lambda: log.exists() and "batch=" in log.read_text())
            doomed = self.processes_of(victim)
            assert len(doomed) == 2, doomed   # the tuning process and the one that watches it
            self.run("scontrol", "requeue", f"{array}_{victim}")
            for p in doomed:
                os.kill(p, signal.SIGKILL)
            say(f"task {victim} is killed and requeued")
            until("the merged pack", 80, lambda: not self.run("squeue", "-h"))
            say("all jobs have ended")
            text = log.read_text()
            assert "start 1" in text and "start 2" in text and "(known)" in text, text
            left = [p.name for p in (self.folder / "local").iterdir()]
            assert set(left) <= {f"glass-{array}-{victim}"}, f"left on the node, though its task was not killed: {left}"
            return self.decisions("fleet.glasspack")
        except BaseException:
            for file in sorted((self.folder / "fleet.glasspack.shards").glob("log-*")):
                print(f"--- {file.name}\n{file.read_text()}")
            raise
        finally:
            self.run(HERE / "cluster", "stop", "slurm")

    def under_parallel(self):
        self.run("parallel", "--jobs", "2", f"GLASS_CACHE=shards/{{}} {self.program} tune m.json --isolate --budget 600s --shard {{}}/{SHARDS}",
                 ":::", *range(1, SHARDS + 1), GLASS_RECORDED_PAUSE_MS=0)
        self.run(self.program, "cache", "merge", "parallel.glasspack", *sorted(str(p) for p in (self.folder / "shards").iterdir()))
        return self.decisions("parallel.glasspack")


def main():
    missing = [p for p in ("slurmctld", "slurmd", "sbatch", "parallel") if not shutil.which(p)]
    if missing:
        skip(f"{', '.join(missing)} not found; apt-get install --no-install-recommends slurmctld slurmd slurm-client parallel")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "glass"   # a name of this run's own, to find its processes by
        program.symlink_to(pathlib.Path(sys.argv[1]).resolve())
        fleet = Fleet(program, folder)
        one = fleet.of_one_process()
        assert len(one) == 16 and len({row[2] for row in one}) > 4, one
        say("tuned by one process")
        assert fleet.under_parallel() == one
        say("GNU parallel: the same")
        assert fleet.on_slurm() == one
        say("Slurm: the same")


if __name__ == "__main__":
    main()
