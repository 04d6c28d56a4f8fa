"""Tests the check of the items of the guides, with invented items."""

import unittest

import guide_items


class GuideItemsTest(unittest.TestCase):
    complete = {"item": "A pen", "status": "works", "symbol": "Pen.draw", "test": "PenTests: a pen draws"}

    def problems(self, *items, page=None):
        data = [{"guide": "G", "chapters": [{"chapter": "C", "items": list(items)}]}]
        found = guide_items.problems(
            data, page=guide_items.text(data) if page is None else page, tests={"PenTests: a pen draws"},
            symbols={"Pen": {"draw"}})
        return [problem.removeprefix("docs/guide-items.json: ").replace(" (G, C)", "") for problem in found]

    def item(self, **members):
        return {key: value for key, value in {**self.complete, **members}.items() if value is not None}

    def test_a_complete_item_is_no_problem(self):
        self.assertEqual(self.problems(self.complete), [])

    def test_an_item_needs_a_test_that_exists(self):
        self.assertEqual(
            self.problems(self.item(test=None)), ["'A pen' has no test, which the status 'works' requires"])
        self.assertEqual(self.problems(self.item(test="PenTests: no")), [
            "'A pen' names the test 'PenTests: no', which is not in Tests; correct it, or write the test"])

    def test_an_item_needs_a_symbol_that_exists(self):
        self.assertEqual(
            self.problems(self.item(symbol=None)), ["'A pen' has no symbol, which the status 'works' requires"])
        for symbol in ["Pen.erase", "Brush", "Sources/None.swift", "scripts/guide_items.py:none"]:
            self.assertEqual(self.problems(self.item(symbol=symbol)), [
                f"'A pen' names the symbol '{symbol}', which is not in the sources; correct it"])

    def test_an_item_that_differs_or_does_not_work_needs_a_reason(self):
        for status in ["differs", "partly", "missing"]:
            self.assertEqual(
                self.problems(self.item(status=status)),
                [f"'A pen' has no reason, which the status '{status}' requires"])

    def test_at_most_ten_items_are_partly_or_missing(self):
        unfinished = [self.item(item=f"{n}", status="missing", reason="none") for n in range(11)]
        self.assertEqual(self.problems(*unfinished[:10]), [])
        self.assertEqual(self.problems(*unfinished), ["11 items are partly or missing, more than 10"])

    def test_unknown_status_and_repeated_items_are_problems(self):
        self.assertIn("has the status 'done'", self.problems(self.item(status="done"))[0])
        self.assertEqual(self.problems(self.complete, self.complete), ["'A pen' is listed twice"])

    def test_the_page_is_up_to_date(self):
        self.assertIn("'scripts/guide-items --write' writes it", self.problems(self.complete, page="old")[0])

    def test_tests_and_symbols_are_found_in_the_repository(self):
        self.assertIn("ContextTests: drawing without a current context does nothing", guide_items.all_tests())
        symbols = guide_items.all_symbols()
        for symbol in ["GraphicsContext.saveState", "BlendMode.multiply", "Image.init", "PrintError.Code"]:
            self.assertTrue(guide_items.is_symbol(symbol, symbols), symbol)
        self.assertTrue(guide_items.is_symbol("scripts/guide-items", symbols))
        self.assertFalse(guide_items.is_symbol("GraphicsContext.nothing", symbols))
