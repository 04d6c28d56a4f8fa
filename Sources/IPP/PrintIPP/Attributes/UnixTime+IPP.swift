// Moments as IPP writes them, whatever number they are.

import FoundationEssentials
import IPP
import PrintModel

extension Value {
    /// A moment as whole seconds since 1970; what is beyond an IPP integer becomes the nearest one.
    static func seconds(_ moment: UnixTime) -> Value { .integer(Int32(clamping: Int(wholeSeconds: moment))) }

    /// A moment as date and time; what is beyond the calendar becomes its first or last second.
    static func moment(_ moment: UnixTime) -> Value { .dateTime(DateTime(unixTime: Int(wholeSeconds: moment))) }
}

extension Int {
    /// Whole seconds of a moment, which may be any number; NaN is 0.
    fileprivate init(wholeSeconds moment: UnixTime) {
        self = moment.isNaN ? 0 : Int(Swift.min(Swift.max(moment, -1e15), 1e15).rounded(.down))
    }
}
