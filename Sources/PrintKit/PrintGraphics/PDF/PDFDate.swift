// The dates of PDFs.

import FoundationEssentials

/// Converts the dates of PDF (ISO 32000-1 §7.9.4): `D:20240131120000+01'00'`.
enum PDFDate {
    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    /// Returns the text of a date, to the second, in UTC.
    static func text(_ date: Date) -> String { "D:\(date.formatted(Date.ISO8601FormatStyle()).filter(\.isNumber))Z" }

    /// Returns the date; `nil` for text in another form.
    ///
    /// Missing parts have their lowest values, and UTC is the default.
    static func date(_ text: String) -> Date? {
        var rest = text.hasPrefix("D:") ? text.dropFirst(2) : text[...]
        func take(_ count: Int) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
            rest = rest.dropFirst(count)
            return Int(digits)
        }
        guard let year = take(4) else { return nil }
        var parts = DateComponents(year: year)
        (parts.month, parts.day) = (take(2) ?? 1, take(2) ?? 1)
        (parts.hour, parts.minute, parts.second) = (take(2) ?? 0, take(2) ?? 0, take(2) ?? 0)
        var offset = 0
        if let sign = rest.first, sign == "+" || sign == "-" {
            rest = rest.dropFirst()
            let hours = take(2) ?? 0
            if rest.first == "'" { rest = rest.dropFirst() }
            offset = (hours * 60 + (take(2) ?? 0)) * (sign == "-" ? -60 : 60)
        }
        return calendar.date(from: parts)?.addingTimeInterval(-Double(offset))
    }
}
