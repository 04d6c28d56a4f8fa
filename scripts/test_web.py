"""Tests the checks of the sources of the web pages, with invented files."""

import pathlib
import tempfile
import unittest
from unittest import mock

import web


class WebTest(unittest.TestCase):
    def problems(self, **files):
        """Returns the problems of a folder with these files; the keys are names without their endings."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder) / "Web"
            (folder / "base").mkdir(parents=True)
            for name, text in {"words_json": "{}", **files}.items():
                (folder / "base" / name.replace("_", ".")).write_text(text)
            with mock.patch.object(web, "FOLDER", folder):
                return [problem.removeprefix("Web/base/") for problem in web.problems()]

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

    def test_each_text_is_used_in_both_languages_and_is_in_a_table_that_the_module_loads(self):
        problems = self.problems(
            words_json='{"state.held": ["Held", "保留中"], "old": ["Old", "旧"], "n": ["{n} jobs", "{m}件"]}',
            more_json='{"more": ["More", "詳細"]}',
            a_js='t("state." + "held", t(x ? "n" : "absent"), t("more"))\n',
            b_js='addWords(import.meta.resolve("./more.json"))\n', c_js='import "./b.js"\nt("more")\n')
        self.assertEqual(problems, [
            "words.json: no module uses the text 'old'",
            "words.json: the Japanese text 'n' is empty, or has other parameters than the English text",
            "a.js: the text 'absent' is in no table that the module loads",
            "a.js: the text 'more' is in no table that the module loads",
        ])
