"""Finds the built programs."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NEEDED = ("page-images", "print-worker")


def folder(arguments):
    """Returns the folder of the programs; builds the programs unless a folder is given."""
    if arguments.programs:
        place = os.path.abspath(arguments.programs)
        for name in NEEDED:
            if not os.access(os.path.join(place, name), os.X_OK):
                sys.exit(f"compare-pages: '{place}' has no program '{name}'; build it with 'swift build --product {name}'")
        return place
    configuration = "debug" if arguments.debug else "release"
    place = os.path.join(ROOT, ".build", configuration)
    static = [] if arguments.debug else ["--static-swift-stdlib"]
    for name in NEEDED:
        command = ["swift", "build", "--package-path", ROOT, "-c", configuration, *static, "--product", name]
        if subprocess.run(command, stdout=sys.stderr).returncode != 0:
            sys.exit(f"compare-pages: {name} cannot be built")
    return place
