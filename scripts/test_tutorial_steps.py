"""Tests the check of the tutorial, with invented pages."""

import unittest

import tutorial_steps

TABLE = '@TutorialReference(tutorial: "doc:A")'


class TutorialTest(unittest.TestCase):
    def problems(self, page, made=("a-1.swift", "a-1.png"), table=TABLE):
        return tutorial_steps.problems({"A.tutorial": page, "Tutorials.tutorial": table}, made=set(made))

    def test_a_page_shows_every_listing_and_picture(self):
        self.assertEqual(self.problems('@Code(name: "main.swift", file: a-1.swift) { @Image(source: a-1.png, alt: "A") }'), [])
        self.assertEqual(self.problems("@Code(name: \"main.swift\", file: a-1.swift)"), [
            "no page of the tutorial shows 'a-1.png'; add it to a page, or remove the step"])

    def test_a_page_shows_nothing_that_no_step_makes(self):
        self.assertEqual(self.problems('@Code(file: a-2.swift) @Image(source: a-2.png, alt: "A")', made=()), [
            f"A.tutorial: no step makes '{name}'; add the step to Examples/Tutorial, or correct the name"
            for name in ("a-2.png", "a-2.swift")])

    def test_the_table_of_contents_lists_every_page(self):
        for table in ["", TABLE + '@TutorialReference(tutorial: "doc:B")']:
            self.assertEqual(len(self.problems("", made=(), table=table)), 1)

    def test_the_listing_of_a_step_is_the_body_of_its_function(self):
        listings = tutorial_steps.listings()
        self.assertTrue(listings["first-page-1.swift"].startswith(
            "import PrintKit\n\nlet controller = PrintInteractionController.shared\n"))
        self.assertIn("func routes() -> Router<BasicRequestContext> {\n    let router", listings["print-endpoint-2.swift"])
