"""Tests the figures of README.md, with invented results."""
import unittest

from . import readme

RESULTS = """# Results

## submit

`a9d0fca5`, 2026-11-21: `scripts/bench submit --runs 5`; 2 processors, load 0.1 at the end.

| Measurement | Result | Target |
|---|---|---|
| submit: ours / theirs | 2.3 | at least 2 |

## start

Commit `c6036cce-dirty`, 2026-11-22: by hand.

| Measurement | Result | Target |
|---|---|---|
| start | 10 ms | |
"""
PAGE = "# printq\n\n<!-- figures: submit: ours / theirs; start -->\n\nText\n"


class ReadmeTests(unittest.TestCase):
    known = readme.results(RESULTS)

    def test_results_have_the_commit_and_the_date_of_their_section(self):
        self.assertEqual(self.known, {"submit: ours / theirs": ("2.3", "a9d0fca5", "2026-11-21", "submit"),
                                      "start": ("10 ms", "c6036cce", "2026-11-22", "start")})

    def test_the_renewed_page_has_the_last_results_and_no_problem(self):
        page = readme.renewed(PAGE, self.known)
        self.assertIn("| submit: ours / theirs | 2.3 | `a9d0fca5`, 2026-11-21 |\n| start | 10 ms |", page)
        self.assertEqual(readme.renewed(page, self.known), page)
        self.assertEqual(list(readme.problems(page, self.known, lambda commit: 300)), [])

    def test_an_old_figure_is_a_problem(self):
        page = readme.renewed(PAGE, self.known)
        sentence, = readme.problems(page, self.known, {"a9d0fca5": 301, "c6036cce": 0}.get)
        self.assertIn("'submit: ours / theirs: 2.3' is 301 commits older", sentence)
        self.assertIn("scripts/bench submit --write", sentence)

    def test_a_changed_figure_is_a_problem(self):
        page = readme.renewed(PAGE, self.known).replace("10 ms", "9 ms")
        sentence, = readme.problems(page, self.known, lambda commit: 0)
        self.assertIn("does not have the last figures", sentence)

    def test_an_unknown_measurement_is_a_problem(self):
        sentence = next(readme.problems("<!-- figures: speed -->\n", {}, lambda commit: 0))
        self.assertIn("no measurement 'speed'", sentence)

    def test_a_page_without_figures_has_no_problem(self):
        self.assertEqual(list(readme.problems("# printq\n", self.known, lambda commit: 999)), [])


if __name__ == "__main__":
    unittest.main()
