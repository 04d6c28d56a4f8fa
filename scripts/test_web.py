"""Tests the checks of the sources of the web pages, with invented files."""

import pathlib
import tempfile
import unittest
from unittest import mock

import web


class WebTest(unittest.TestCase):
    def problems(self, en="{}", ja="{}", **files):
        """Returns the problems of a folder with these files; the keys are names without their endings."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder) / "Web"
            for name, text in {"words/en.json": en, "words/ja.json": ja, **{
                    "base/" + name.replace("_", "."): text for name, text in files.items()}}.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text)
            with mock.patch.object(web, "FOLDER", folder):
                return [problem.removeprefix("Web/").removeprefix("base/") for problem in web.problems()]

    def test_modules_that_import_each_other_are_a_cycle_also_if_one_import_is_dynamic(self):
        problems = self.problems(
            a_js='import { b } from "./b.js"\nb()\n', b_js='export const b = () => import("./a.js")\n',
            c_js='import "./a.js"\n')
        self.assertEqual(problems, [f"{name}.js: the module imports itself through other modules" for name in "ab"])

    def test_each_import_is_used_and_exists(self):
        problems = self.problems(
            a_js='import { b, c as d } from "./b.js"\n// d is only in a comment\nb()\n',
            b_js="export const c = 1\nconst b = 2\nexport let e\n",
            c_js='const style = import.meta.resolve("./c.css")\n')
        self.assertEqual(problems, [
            "a.js: base/b.js does not export b", "a.js: the import d is not used", "b.js: no other module uses e",
            "c.js: base/c.css does not exist"])

    def test_a_wide_line_is_a_problem(self):
        self.assertEqual(self.problems(a_css=f"/* {'x' * 115} */\n"), ["a.css:1: 121 characters, more than 120"])

    def test_each_text_is_used_and_exists_in_each_language(self):
        problems = self.problems(
            en='{"state.held": "Held", "old": "Old", "n": "{n} jobs", "new": "New"}',
            ja='{"state.held": "保留中", "old": "旧", "n": "{m}件", "more": "詳細"}',
            a_js='t("state." + "held", t(x ? "n" : "absent"), t("new"))\n')
        self.assertEqual(problems, [
            "words/en.json: no module uses the text 'old'", "words/en.json: the text 'more' is missing",
            "words/ja.json: the text 'n' has other parameters than the English text",
            "words/ja.json: the text 'new' is missing", "a.js: there is no text 'absent'",
        ])
