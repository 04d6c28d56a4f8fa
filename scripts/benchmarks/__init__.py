"""The benchmarks of scripts/bench, one subject per file.

Each file with benchmarks has a table `BENCHMARKS`: name → function of a working folder and a number of runs.
"""
