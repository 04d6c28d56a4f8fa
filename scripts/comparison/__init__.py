"""What scripts/compare-pages is made of: renderers, pixels, reports, one subject per file."""
