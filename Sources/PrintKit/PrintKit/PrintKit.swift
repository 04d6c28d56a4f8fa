// The print API of iOS for Swift programs on Linux: UIKit's vocabulary without the `UI` prefix.
//
// An app describes a job with `PrintInfo`, lays its content out with a `PrintFormatter` or a `PrintPageRenderer`, and lets a
// `PrintInteractionController` print it. What is drawn becomes a PDF, which goes to a `PrintDestination`.
//
// Formatters, renderers and controllers are classes that are used from one isolation domain at a time, the one that made
// them: the main actor as in UIKit, or any actor or task. Nothing here wants the main thread. The compiler keeps to that,
// for they are not `Sendable`; the controller's asynchronous calls run where their caller runs.

// Whoever prints also draws, and speaks of papers; of the queue behind it an app sees nothing.

@_exported public import PrintGraphics
@_exported public import enum PrintModel.Duplex
@_exported public import enum PrintModel.Orientation
@_exported public import enum PrintModel.OutputType
@_exported public import struct PrintModel.Length
@_exported public import struct PrintModel.Margins
@_exported public import struct PrintModel.Media
@_exported public import struct PrintModel.PageRanges
@_exported public import struct PrintModel.PageRangesError
@_exported public import struct PrintModel.PrintInfo
@_exported public import struct PrintModel.PrintPaper

// What a destination or a presenter of options of one's own speaks of.
@_exported public import enum PrintModel.ColorMode
@_exported public import enum PrintModel.PrintQuality
@_exported public import enum PrintModel.PrintScaling
@_exported public import struct PrintModel.DocumentFormat
@_exported public import struct PrintModel.JobTicket
@_exported public import struct PrintModel.PrinterCapabilities
