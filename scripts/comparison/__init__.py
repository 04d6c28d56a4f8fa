"""The parts of scripts/compare-pages: renderers, pixels, reports, one subject per file."""
