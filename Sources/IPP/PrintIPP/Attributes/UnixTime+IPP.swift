// Times as IPP values, for any number.

import FoundationEssentials
import IPP
import PrintModel

extension Value {
    /// Returns a time as an IPP `integer`: the whole seconds since 1970.
    ///
    /// Times outside the range of an IPP integer become the nearest integer.
    static func seconds(_ moment: UnixTime) -> Value { .integer(Int32(clamping: Int(wholeSeconds: moment))) }

    /// Returns a time as an IPP `dateTime`, in UTC.
    ///
    /// A time outside the calendar becomes the calendar's first or last second.
    static func moment(_ moment: UnixTime) -> Value { .dateTime(DateTime(unixTime: Int(wholeSeconds: moment))) }
}

extension Attribute {
    /// The time of the first value; `nil` if the value is not a valid `dateTime`.
    var timeValue: UnixTime? { dateTimeValue?.unixTime.map(UnixTime.init) }
}

extension IPP.Collection {
    func time(_ name: String) -> UnixTime? { self[name]?.timeValue }
}

extension Int {
    /// Creates an integer from a time, rounded down to whole seconds.
    ///
    /// The time can be any number; NaN becomes 0.
    fileprivate init(wholeSeconds moment: UnixTime) {
        self = moment.isNaN ? 0 : Int(Swift.min(Swift.max(moment, -1e15), 1e15).rounded(.down))
    }
}
