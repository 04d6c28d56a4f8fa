// Checks whether ready-made content can be printed.

public import FoundationEssentials

extension PrintInteractionController {
    /// The uniform type identifiers of ready-made content that can be printed.
    public static let printableUTIs: Set<String> = [
        "com.adobe.pdf", "public.png", "public.jpeg", "public.tiff", "com.compuserve.gif", "com.microsoft.bmp",
        "com.microsoft.ico", "com.microsoft.cur", "public.xbitmap-image",
    ]

    /// Returns whether the content of a URL can be printed as a `printingItem`: a readable PDF, or an image.
    public static func canPrint(url: URL) -> Bool { canPrint(.url(url)) }

    /// Returns whether data can be printed as a `printingItem`: a PDF that opens without a password, or an image.
    public static func canPrint(data: Data) -> Bool { canPrint(.data(data)) }

    private static func canPrint(_ item: PrintingItem) -> Bool {
        do {
            _ = try OpenedItem(item, in: ScratchFolder())
            return true
        } catch {
            return false
        }
    }
}
