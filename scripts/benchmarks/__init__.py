"""What scripts/bench measures, one idea a file.

Each file with benchmarks has a table `BENCHMARKS`: name → function of a folder to work in and a number of runs.
"""
