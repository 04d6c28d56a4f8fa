// Checks whether ready-made content can be printed.

public import FoundationEssentials
import PrintModel

extension PrintInteractionController {
    /// The uniform type identifiers of the documents that can be printed: the types of `DocumentTypes.builtIn`.
    ///
    /// A destination that does not convert documents prints PDFs and images only (`canPrint(_:)`).
    public static let printableUTIs = Set(
        DocumentTypes.builtIn.types.filter { $0.rank != .none }.map(\.identifier))

    /// Returns whether the default destination can print the content of a URL as a `printingItem`.
    ///
    /// The content must be an image, a readable PDF, or a document that `defaultDestination` converts.
    public static func canPrint(url: URL) -> Bool { canPrint(.url(url), at: defaultDestination) }

    /// Returns whether the default destination can print data as a `printingItem`.
    ///
    /// The data must be an image, a PDF that opens without a password, or a document that `defaultDestination`
    /// converts.
    public static func canPrint(data: Data) -> Bool { canPrint(.data(data), at: defaultDestination) }

    /// Returns whether the controller's destination can print an item.
    ///
    /// Documents that must be converted require a destination that converts documents
    /// (`PrintDestination.convertsDocuments`).
    public func canPrint(_ item: PrintingItem) -> Bool { Self.canPrint(item, at: destination) }

    private static func canPrint(_ item: PrintingItem, at destination: any PrintDestination) -> Bool {
        switch opened(item, destination.documentTypes) {
        case nil: false
        case .convertible: destination.convertsDocuments
        case .pdf, .image: true
        }
    }

    private static func opened(_ item: PrintingItem, _ types: DocumentTypes) -> OpenedItem? {
        do { return try OpenedItem(item, in: ScratchFolder(), types: types) } catch { return nil }
    }
}
