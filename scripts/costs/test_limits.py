"""Tests the comparison with the limits, with invented counts."""
import unittest

from . import limits

TABLE = {"print": {"system calls": 100, "look-ups": 10, "fsyncs": 0}}


class LimitsTests(unittest.TestCase):
    def exceeded(self, **counts):
        found = limits.exceeded(TABLE, {"print": {kind.replace("_", " ").replace("look ", "look-"): count
                                                  for kind, count in counts.items()}})
        return [sentence for _, sentence in found]

    def test_equal_counts_pass(self):
        self.assertEqual(self.exceeded(system_calls=100, look_ups=10, fsyncs=0), [])

    def test_one_more_of_an_exact_count_fails(self):
        self.assertEqual(self.exceeded(look_ups=11), ["print: 11 look-ups; at most 10 are allowed"])

    def test_the_first_of_its_kind_fails(self):
        self.assertEqual(self.exceeded(fsyncs=1), ["print: 1 fsyncs; at most 0 are allowed"])

    def test_a_kind_that_the_table_does_not_have_fails(self):
        self.assertEqual(self.exceeded(statements=1), ["print: 1 statements; at most 0 are allowed"])

    def test_a_varying_count_fails_above_its_margin(self):
        self.assertEqual(self.exceeded(system_calls=105), [])
        self.assertEqual(self.exceeded(system_calls=106), ["print: 106 system calls; at most 105 are allowed"])

    def test_small_counts_of_operations_that_print_are_exact(self):
        self.assertEqual([limits.allowed("print to a folder", "requests", count) for count in (1, 3, 4, 15)], [1, 4, 6, 22])
        self.assertEqual(limits.allowed("printq queue", "requests", 15), 15)

    def test_an_operation_without_limits_fails(self):
        (name, sentence), = limits.exceeded(TABLE, {"scan": {"fsyncs": 0}})
        self.assertIn("scan: has no limits", sentence)

    def test_a_limit_far_above_the_count_is_reported(self):
        self.assertEqual(list(limits.loose(TABLE, {"print": {"look-ups": 9}})), [])
        self.assertEqual(list(limits.loose(TABLE, {"print": {"look-ups": 8}})), ["print: 8 look-ups; the table has 10"])

    def test_a_written_page_reads_as_the_same_table(self):
        table = {"`print`": {"system calls": 12_345, "fsyncs": 0}}
        self.assertEqual(limits.read(limits.page(table, ["system calls", "fsyncs"], "0")), table)


if __name__ == "__main__":
    unittest.main()
