// Printing, tested: a printer for a test, and what came out of it.
//
//   TestPrinter.start ──► a printsim of the test's own ──► nextJob() ──► PrintedJob ─► PrintedPage: text, pixels, golden images
//
// A `TestPrinter` is the program `printsim`, started as a child and spoken to over IPP, as the code under test does. It ends
// with the test, even when that crashes. A `PrintedJob` is read from what the printer left in its output folder. Nothing
// here draws, reads a document, or links what does: pages are PNG files, and text is found by `pdftotext`.
//
// Swift Testing is not needed for it: what is wrong is thrown, or is a value that says so in words.

/// Papers, sides, job states and options come with the printer.
@_exported public import PrintModel
