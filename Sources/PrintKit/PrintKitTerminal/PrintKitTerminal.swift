// PrintKitTerminal shows printer options, menus and previews on the terminal of a program.
//
// A program that is linked with this module needs no further code: the presenters of this module are the defaults of
// PrintKit's and DocumentInteraction's controllers.

@_exported public import DocumentInteraction

/// Stores the presenter at the given address, when `CLinkedDefaults` calls this function.
@_cdecl("printkit_default_options_presenter")
package func makeDefaultOptionsPresenter(at place: UnsafeMutableRawPointer) {
    place.initializeMemory(as: (any PrinterOptionsPresenting).self, to: TerminalOptionsPresenter())
}

/// Stores the presenter at the given address, when `CLinkedDefaults` calls this function.
@_cdecl("printkit_default_document_presenter")
package func makeDefaultDocumentPresenter(at place: UnsafeMutableRawPointer) {
    place.initializeMemory(as: (any DocumentPresenting).self, to: TerminalDocumentPresenter())
}
