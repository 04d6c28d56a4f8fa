// PrintKit provides the print API of iOS for Swift programs on Linux. Names are UIKit's names without the `UI` prefix.
//
// An app describes a job with `PrintInfo`, lays out its content with a `PrintFormatter` or a `PrintPageRenderer`, and
// prints it with a `PrintInteractionController`. The drawn pages become a PDF, which is sent to a `PrintDestination`.
//
// Formatters, renderers and controllers are classes that are used from one isolation domain at a time, the domain that
// created them: the main actor as in UIKit, another actor, or a task. No part of PrintKit requires the main thread. The
// compiler enforces this, because the classes are not `Sendable`. The controller's asynchronous calls run on their
// caller's actor.

// Apps that print also draw and choose paper. Such apps do not need the types of the job queue.

@_exported public import PrintGraphics
@_exported public import enum PrintModel.Duplex
@_exported public import enum PrintModel.JobState
@_exported public import enum PrintModel.Orientation
@_exported public import enum PrintModel.OutputType
@_exported public import struct PrintModel.Length
@_exported public import struct PrintModel.Margins
@_exported public import struct PrintModel.Media
@_exported public import struct PrintModel.PageRanges
@_exported public import struct PrintModel.PageRangesError
@_exported public import struct PrintModel.PrintInfo
@_exported public import struct PrintModel.PrintPaper

// Types for custom destinations and custom option presenters.
@_exported public import enum PrintModel.ColorMode
@_exported public import enum PrintModel.PrintQuality
@_exported public import enum PrintModel.PrintScaling
@_exported public import struct PrintModel.DocumentFormat
@_exported public import struct PrintModel.DocumentType
@_exported public import struct PrintModel.JobTicket
@_exported public import struct PrintModel.PrinterCapabilities
