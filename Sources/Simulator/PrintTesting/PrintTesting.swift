// A library for testing print code: a simulated printer, and the jobs that it printed.
//
//     TestPrinter.start ──► printsim process ──► nextJob() ──► PrintedJob ──► PrintedPage: text, pixels, golden images
//
// A `TestPrinter` starts the program `printsim` as a child process and sends requests to this process over IPP, as the
// code under test does. The child process ends with the test, even if the test crashes. A `PrintedJob` is read from the
// printer's output folder. The library does not draw or parse documents, and it links no library that does: pages are
// PNG files, and `pdftotext` extracts the text.
//
// The library does not depend on Swift Testing. It reports failures as thrown errors, or as values with a description.

/// The module that defines the types for papers, sides, job states and options. These types are part of the public API.
@_exported public import PrintModel
