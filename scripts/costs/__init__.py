"""The parts of scripts/cost."""
