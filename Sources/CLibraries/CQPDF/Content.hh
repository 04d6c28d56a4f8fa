// Writes content streams.

#pragma once

#include <charconv>
#include <string>

/// Appends operands and operators; numbers are independent of the locale.
class Content {
  public:
    std::string text;

    Content &add(char const *words) {
        text += words;
        return *this;
    }

    Content &number(double value, int decimals) {
        char digits[400];
        auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals).ptr;
        while (end[-1] == '0') end--;
        if (end[-1] == '.') end--;
        text.append(digits, end);
        text += ' ';
        return *this;
    }

    Content &concatenate(double const matrix[6]) {
        for (int index = 0; index < 4; index++) number(matrix[index], 8);
        return number(matrix[4], 4).number(matrix[5], 4).add("cm\n");
    }

    Content &numbers(double const values[4], int decimals) {
        for (int index = 0; index < 4; index++) number(values[index], decimals);
        return *this;
    }

    Content &rectangle(double const rectangle[4]) { return numbers(rectangle, 4).add("re "); }
};
