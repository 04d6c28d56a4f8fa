"""Tests the search for doc comments that repeat their declarations."""

import unittest

import doc_comments


class DocCommentsTest(unittest.TestCase):
    def found(self, *lines):
        return [line for line, _ in doc_comments.empty_comments("\n".join(lines))]

    def test_a_comment_that_repeats_the_declaration_is_found(self):
        self.assertEqual(self.found("/// The page count.", "public var pageCount: Int"), [1])
        self.assertEqual(self.found("", "/// Creates a page.", "@inlinable", "public init(page: Int) {}"), [2])

    def test_the_words_of_the_type_add_nothing(self):
        self.assertEqual(
            self.found("public struct DocumentInfo {", "    /// The title of the document.", "    public var title: String"),
            [2])

    def test_units_special_values_and_further_lines_are_new(self):
        for comment in ["/// The width, in points.", "/// The width; nil for any width.", "/// The width.\n/// At most 5."]:
            self.assertEqual(self.found(*comment.split("\n"), "public var width: Double"), [], comment)

    def test_comments_of_private_declarations_are_not_checked(self):
        self.assertEqual(self.found("/// The width.", "private var width: Double"), [])

    def test_requirements_of_protocols_are_checked(self):
        lines = ["protocol Shape {", "    /// Returns the area.", "    func area() -> Double"]
        self.assertEqual(self.found(*lines), [2])
        self.assertEqual(self.found("extension Shape {", *lines[1:]), [])
