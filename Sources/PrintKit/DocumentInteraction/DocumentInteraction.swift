// DocumentInteraction provides the types of documents, their previews, and the applications that open them.
//
// The names are UIKit's and Quick Look's without their prefixes. The types of files come from the shared MIME database of
// the desktop, from declarations of the program, and from the print system. A surface, such as the terminal of
// PrintKitTerminal, shows the menus and previews.

@_exported public import PrintKit
