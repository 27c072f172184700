#!/usr/bin/env python3
"""The scripts that people run: receipts of GPU runs, tables of benchmarks, new operations from templates."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def run(script, *words):
    return subprocess.run([sys.executable, SCRIPTS / script, *map(str, words)], capture_output=True, text=True)


class InATree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def put(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file


class ReadmeTable(InATree):
    def setUp(self):
        super().setUp()
        self.glass = self.put("glass", "#!/bin/sh\necho '| new |'\n")
        self.glass.chmod(0o755)
        self.marks = "<!-- operations: scripts/readme_table writes this table -->\n", "<!-- end of operations -->\n"
        self.readme = self.put("README.md", "before\n" + "| old |\n".join(self.marks) + "after\n")

    def table(self, *words):
        return run("readme_table", "--readme", self.readme, *words, self.glass)

    def test_a_stale_table_is_found_and_replaced(self):
        stale = self.table("--check")
        self.assertEqual(stale.returncode, 1)
        self.assertIn("+| new |", stale.stdout)
        self.assertEqual(self.table().returncode, 0)
        self.assertEqual(self.readme.read_text(), "before\n" + "| new |\n".join(self.marks) + "after\n")
        self.assertEqual(self.table("--check").returncode, 0)

    def test_without_its_marks_nothing_is_written(self):
        self.readme.write_text("no marks\n")
        self.assertIn("marks of the table", self.table().stderr)
        self.assertEqual(self.readme.read_text(), "no marks\n")


class GpuTest(InATree):
    """With a program in the place of glass_test_gpu: two rows, of which one fails and one hangs if so asked, and a test of the backend."""

    def setUp(self):
        super().setUp()
        self.program = self.put("glass_test_gpu", f"""#!{sys.executable}
import json, os, sys, time
if "--gtest_list_tests" in sys.argv:
    print("Running main() from gtest_main.cc\\ncatalog/rows.\\n  agree/dot  # GetParam() = dot\\n  agree/gemm\\nbackend.\\n  opens")
    sys.exit(0)
value = lambda name: next(a.split("=", 1)[1] for a in sys.argv if a.startswith(name))
test, out = value("--gtest_filter"), value("--gtest_output").split(":", 1)[1]
print("says", test)
if test.endswith("gemm") and os.environ.get("GEMM") == "hangs": time.sleep(60)
bad = test.endswith("gemm") and os.environ.get("GEMM") == "fails"
json.dump({{"testsuites": [{{"name": test.split(".")[0], "testsuite": [{{"name": test.split(".")[1], "time": "1s", "status": "RUN"}}]}}]}}, open(out, "w"))
sys.exit(1 if bad else 0)
""")
        self.program.chmod(0o755)

    def tried(self, gemm, *words):
        environment = dict(os.environ, GEMM=gemm)
        self.results = self.root / "results.json"
        return subprocess.run([sys.executable, SCRIPTS / "gpu_test", self.program, "--out", self.results, *words], capture_output=True, text=True,
                              env=environment)

    def passed(self):
        return sorted(f"{s['name']}.{c['name']}" for s in json.loads(self.results.read_text())["testsuites"] for c in s["testsuite"])

    def test_all_that_pass_are_in_one_file(self):
        done = self.tried("passes")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.passed(), ["backend.opens", "catalog/rows.agree/dot", "catalog/rows.agree/gemm"])
        self.assertEqual(self.tried("passes", "--filter", "*/dot").returncode, 0)
        self.assertEqual(self.passed(), ["catalog/rows.agree/dot"])

    def test_a_failure_is_named_with_what_it_said_and_is_not_in_the_file(self):
        done = self.tried("fails")
        self.assertEqual(done.returncode, 1)
        self.assertIn("says catalog/rows.agree/gemm", done.stdout)
        self.assertIn("failed: catalog/rows.agree/gemm", done.stdout)
        self.assertEqual(self.passed(), ["backend.opens", "catalog/rows.agree/dot"])

    def test_what_hangs_is_stopped(self):
        done = self.tried("hangs", "--timeout", "3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("stopped after 3 s", done.stdout)
        self.assertEqual(self.passed(), ["backend.opens", "catalog/rows.agree/dot"])

    def test_what_comes_too_late_is_named(self):
        done = self.tried("passes", "--limit", "0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not run within the limit: backend.opens", done.stdout)
        self.assertEqual(self.passed(), [])

    def test_a_filter_without_tests_is_an_error(self):
        self.assertIn("no test of", self.tried("passes", "--filter", "*/nothing").stderr)


class Receipt(InATree):
    def setUp(self):
        super().setUp()
        self.put("tests/gpu/solve_test.cpp", "TEST(gpu_posv, agrees_with_the_host) {}\nTEST_P(gpu_all, is_clean) {}\n")
        self.put("include/glass/a.cuh", "a")

    def receipt(self, *words):
        return run("receipt", "--root", self.root, *words)

    def results(self, *, leave_out=(), failed=()):
        names = [n for n in ("gpu_posv.agrees_with_the_host", "each/gpu_all.is_clean/dot  # GetParam() = dot") if n not in leave_out]
        cases = "".join(f'<testcase name="{n}" classname="{n}" time="0.5">' + ("<failure/>" if n in failed else "") + "</testcase>" for n in names)
        return self.put("results.xml", f"<testsuite>{cases}</testsuite>")

    def write(self, **how):
        return self.receipt("write", "h200", "--results", self.results(**how), "--command", "ctest", "--device", "H200", "--tool", "nvrtc=13.0")

    def test_fresh_when_the_sources_are_those_that_ran(self):
        self.assertEqual(self.write().returncode, 0)
        check = self.receipt("check")
        self.assertEqual((check.returncode, check.stdout), (0, "h200.json: fresh (H200)\n"), check.stderr)
        kept = json.loads((self.root / "tests/receipts/h200.json").read_text())
        self.assertEqual(kept["tests"]["gpu_posv.agrees_with_the_host"], {"outcome": "passed", "seconds": 0.5})
        self.assertIn("each/gpu_all.is_clean/dot", kept["tests"])
        self.assertEqual(kept["tools"], {"nvrtc": "13.0"})

    def test_stale_is_a_warning(self):
        self.write()
        self.put("include/glass/a.cuh", "b")
        check = self.receipt("check")
        self.assertEqual(check.returncode, 0)
        self.assertIn("h200.json: stale since ", check.stdout)

    def test_every_covered_folder_is_in_the_digest_and_receipts_are_not(self):
        seen = {self.receipt("digest").stdout}
        for path in ("include/x", "kernels_src/x", "lib/a/x", "tests/ops/x"):
            self.put(path, "x")
            seen.add(self.receipt("digest").stdout)
        self.assertEqual(len(seen), 5)
        self.put("tests/receipts/x.json", "{}")
        self.put("scripts/x", "x")
        self.assertIn(self.receipt("digest").stdout, seen)

    def test_no_receipt_is_an_error(self):
        check = self.receipt("check")
        self.assertEqual(check.returncode, 1)
        self.assertIn("missing", check.stderr)

    def test_a_test_of_the_tree_that_is_in_no_receipt_is_an_error(self):
        self.write(leave_out=["each/gpu_all.is_clean/dot  # GetParam() = dot"])
        check = self.receipt("check")
        self.assertEqual(check.returncode, 1)
        self.assertIn("gpu_all.is_clean passed in no receipt", check.stderr)

    def test_a_failed_test_is_an_error(self):
        self.assertEqual(self.write(failed=["gpu_posv.agrees_with_the_host"]).returncode, 1)
        check = self.receipt("check")
        self.assertEqual(check.returncode, 1)
        self.assertIn("gpu_posv.agrees_with_the_host failed", check.stderr)

    def test_googletest_json_is_read_too(self):
        results = self.put("results.json", json.dumps({"testsuites": [{"name": "gpu_posv", "testsuite": [
            {"name": "agrees_with_the_host", "status": "RUN", "result": "COMPLETED", "time": "0.25s"},
            {"name": "left_out", "status": "RUN", "result": "SKIPPED", "time": "0s"}]}]}))
        self.receipt("write", "h200", "--results", results, "--command", "gtest")
        tests = json.loads((self.root / "tests/receipts/h200.json").read_text())["tests"]
        self.assertEqual({name: test["outcome"] for name, test in tests.items()},
                         {"gpu_posv.agrees_with_the_host": "passed", "gpu_posv.left_out": "skipped"})


class Readme(unittest.TestCase):
    def setUp(self):
        tree = SCRIPTS.parent
        self.text = (tree / "README.md").read_text(encoding="utf-8")
        self.sources = "".join(f.read_text(encoding="utf-8") for f in sorted((tree / "lib").rglob("*.cpp")))
        if '{"NVRTC", "CUDA 11.2",' in self.sources:  # one sentence for each kind of library
            self.sources = self.sources.replace('" + kind_.name + " of " + kind_.oldest + "', "NVRTC of CUDA 11.2")

    def section(self, title):
        return self.text.split(f"\n## {title}")[1].split("\n## ")[0]

    def test_every_sentence_it_explains_is_one_that_the_library_says(self):
        rows = re.findall(r"^\| `([^`]+)` \|", self.section("What `glass info` says"), re.M)
        self.assertGreater(len(rows), 5)
        for row in rows:
            for part in re.split("…|libcuda.so.1", row):
                self.assertTrue(part.strip().removesuffix(" cu") in self.sources, row)

    def test_every_variable_that_the_library_reads_is_explained(self):
        read = set(re.findall(r'environment\("(GLASS_\w+)"\)', self.sources))
        self.assertGreaterEqual(read, {"GLASS_CACHE", "GLASS_DEVICE"})
        for name in read:
            self.assertIn(f"`{name}`", self.section("Environment"))

    def test_every_folder_of_the_tree_is_shown(self):
        for folder in ("include", "kernels_src", "lib", "cache", "tests", "bench", "scripts"):
            self.assertIn(f"`{folder}/", self.section("What is in the tree"))


class Report(InATree):
    def test_columns_and_rows_are_chosen(self):
        table = self.put("grid.csv", "# a note\nop,n,ns\nposv,8,0.371234\ngemm,8,1\n")
        done = run("report", table, "--columns", "n,ns", "--where", "op=posv")
        self.assertEqual(done.stdout, "| n | ns |\n|---|---|\n| 8 | 0.371 |\n")

    def test_an_unknown_column_names_the_known_ones(self):
        done = run("report", self.put("grid.csv", "op,n\nposv,8\n"), "--columns", "nn")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no column 'nn'; there are op, n", done.stderr)

    def test_google_benchmark_is_read_too(self):
        runs = {"benchmarks": [{"name": "launch", "iterations": 10, "real_time": 123.4, "cpu_time": 1, "time_unit": "ns"}]}
        done = run("report", self.put("b.json", json.dumps(runs)), "--columns", "name,real_time")
        self.assertEqual(done.stdout.splitlines()[-1], "| launch | 123 |")

    def test_the_summary_says_which_goals_are_reached_and_which_cells_miss(self):
        grid = self.put("grid.csv", """operation,type,N,batch,ns_tuned,ns_default,ns_best,ns_floor,ns_vendor,gflops
posv,f32,16,8192,1,2,1,0.9,10,100
gemm_to,f32,64,8192,3,3,2.5,1,2,100
posv,f32,16,1,1900,1900,1900,1500,,1
""")
        other = self.put("other.csv", "# a note\nsource,op,type,n,batch,ns\nreference,posv,f32,16,8192,9\nreference,gemm,f32,64,8192,3\nother,gemm,f32,64,8192,6\n")
        lines = run("report", grid, "--summary", "--against", other).stdout.splitlines()
        self.assertIn(" NO  reference over ours, other runs, batch 8192, geometric mean: 3 (goal ≥ 4, 2 cells)", lines)
        self.assertIn("yes  reference over ours, other runs, batch 8192, potrf and posv, geometric mean: 9 (goal ≥ 8, 1 cells)", lines)
        self.assertIn("  –  reference over ours, other runs, batch 1, geometric mean: no cells", lines)
        self.assertIn("     other, other runs: geometric mean 2, worst 2 at gemm_to f32 N=64 batch=8192 (1 cells)", lines)
        self.assertIn(" NO  vendor over ours, worst cell: 0.667 (goal ≥ 1, 2 cells)", lines)
        self.assertIn(" NO  share of the cells within 1.25 of the floor, batch 8192, %: 50 (goal ≥ 70, 2 cells)", lines)
        self.assertIn("       3.00 gemm_to f32 N=64 batch=8192", lines)
        self.assertIn("yes  alone, posv f32 N=16 batch=1, µs: 1.9 (goal ≤ 2, 1 cells)", lines)
        self.assertIn(" NO  regret of the tuned placement, worst, %: 20 (goal ≤ 10, 3 cells)", lines)
        self.assertIn("       20 gemm_to f32 N=64 batch=8192", lines)
        peak = run("report", grid, "--summary", "--peak", "f32=100").stdout.splitlines()   # then the gemm is at the arithmetic's floor
        self.assertIn("yes  share of the cells within 1.25 of the floor, batch 8192, %: 100 (goal ≥ 70, 2 cells)", peak)


def python_with_matplotlib():
    """Debian's own Python has Debian's matplotlib; another Python that comes first on PATH may have none."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import matplotlib"], capture_output=True).returncode == 0:
            return python
    return None


class Figures(InATree):
    HEAD = "operation,type,N,batch,ns_tuned,ns_default,ns_best,ns_floor,ns_vendor,gflops,gbytes_per_s\n"

    def draw(self, text, *arguments):
        python = python_with_matplotlib()
        if python is None:
            self.skipTest("matplotlib is not installed")
        return subprocess.run([python, SCRIPTS / "report", self.put("grid.csv", text), "--figures", self.root / "figures", *arguments],
                              capture_output=True, text=True)

    def test_three_figures_are_drawn_with_empty_cells_and_all(self):
        done = self.draw(self.HEAD + "posv,f32,8,1,2,3,2,1,20,10,5\nposv,f64,16,8192,2,3,1.9,1,,10,5\n", "--against", "ns_vendor")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("speedup", "roofline", "regret"):
            self.assertEqual((self.root / "figures" / f"{name}.png").read_bytes()[:4], b"\x89PNG")

    def test_regret_is_drawn_of_a_sweep_alone_and_alone_if_asked(self):
        tuned = "posv,f32,8,1,2,3,2,1,20,10,5\n"
        self.assertEqual([pathlib.Path(f).name for f in self.draw(self.HEAD + tuned).stdout.split()], ["speedup.png", "roofline.png"])
        best = tuned.replace("2,1,20", "1.9,1,20")
        self.assertEqual([pathlib.Path(f).name for f in self.draw(self.HEAD + best, "--only", "regret").stdout.split()], ["regret.png"])
        done = self.draw(self.HEAD + tuned, "--only", "regret")
        self.assertEqual((done.returncode, done.stderr), (1, "there is no figure 'regret' of this file: speedup, roofline\n"))

    LIBRARIES = HEAD.replace("\n", ",ns_library\n") + "posv,f32,8,8192,2,3,2,1,,10,5,4\nsyev,f32,8,8192,2,3,2,1,,10,5,1\nsyev,f64,32,8192,2,3,2,1,,10,5,\n"

    def test_a_file_with_times_of_libraries_has_a_figure_of_its_own_and_leaves_the_others_alone(self):
        done = self.draw(self.LIBRARIES)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), [str(self.root / "figures/libraries.png")])
        self.assertEqual([(f.name, f.read_bytes()[:4]) for f in (self.root / "figures").iterdir()], [("libraries.png", b"\x89PNG")])
        self.assertIn("speedup.png", self.draw(self.LIBRARIES, "--against", "ns_floor").stdout)

    def test_the_figure_of_libraries_says_their_time_over_ours_in_each_cell(self):
        if (python := python_with_matplotlib()) is None:
            self.skipTest("matplotlib is not installed")
        look = """import importlib.machinery, importlib.util, sys, matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot
loader = importlib.machinery.SourceFileLoader("report", sys.argv[1])
report = importlib.util.module_from_spec(importlib.util.spec_from_loader("report", loader))
sys.dont_write_bytecode = True
loader.exec_module(report)
for axis in report.heat_maps(pyplot, report.read(sys.argv[2]), "ns_library").axes:
    print(axis.get_title(), [t.get_text() for t in axis.texts])"""
        done = subprocess.run([python, "-c", look, SCRIPTS / "report", self.put("grid.csv", self.LIBRARIES)], capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), ["ns_library / ns_tuned, f32, batch 8192: geomean 1.00 ['2', '–', '0.5', '–']",
                                                    "ns_library / ns_tuned, f64, batch 8192: geomean nan ['–', '–', '–', '–']"], done.stderr)

    def test_a_column_that_is_not_there_is_named(self):
        done = self.draw(self.HEAD + "posv,f32,8,1,2,3,2,1,20,10,5\n", "--against", "ns_other")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no column 'ns_other'", done.stderr)


class NewOperation(InATree):
    def setUp(self):
        super().setUp()
        self.put(".clang-format", (SCRIPTS.parent / ".clang-format").read_text(encoding="utf-8"))
        shutil.copytree(SCRIPTS.parent / "lib/catalog/rows", self.root / "lib/catalog/rows")
        shutil.copytree(SCRIPTS.parent / "include", self.root / "include")

    def make(self, folder, table, compiled):
        done = run("new_op", "--root", self.root, "halve", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        made = [f"include/glass/{folder}/halve.cuh", "tests/ops/halve_test.cpp", f"lib/catalog/rows/{table}.cpp", "include/glass/glass.cuh"]
        self.assertEqual(done.stdout.split(), made)
        compiler = ["c++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-Iinclude", "-Ilib", "-isystem/usr/include/eigen3",
                    *(f"-I{SCRIPTS.parent / folder}" for folder in ("lib", "tests"))]
        for file in made[compiled]:
            done = subprocess.run([*compiler, "-x", "c++", file], cwd=self.root, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.root / made[3]).read_text(encoding="utf-8").splitlines()
        includes = [line for line in lines if line.startswith(f"#include <glass/{folder}/")]
        self.assertIn(f"#include <glass/{folder}/halve.cuh>", includes)
        self.assertEqual(includes, sorted(includes))

    def test_what_it_makes_compiles_as_it_is(self):
        self.make("vector", "vector", slice(1, 3))  # the test includes the header

    def test_a_table_of_another_name_that_adds_its_rows_one_by_one_takes_it_too(self):
        self.make("reduce", "reduction", slice(2, 3))

    def test_every_family_takes_a_row(self):
        folders = ("control", "factor", "matrix", "reduce", "spectrum", "vector")
        for folder in folders:
            done = run("new_op", "--root", self.root, f"halve_{folder}", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        done = run("new_op", "--root", self.root, "halve", "strided")
        self.assertIn("one of " + ", ".join(folders), done.stderr)

    def test_what_is_there_already_stays(self):
        before = (self.root / "lib/catalog/rows/factor.cpp").read_bytes()
        done = run("new_op", "--root", self.root, "posv", "vector")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has a row 'posv' already", done.stderr)
        self.assertEqual((self.root / "lib/catalog/rows/factor.cpp").read_bytes(), before)
        self.assertFalse((self.root / "include/glass/vector/posv.cuh").exists())


if __name__ == "__main__":
    unittest.main()
