// Initializes poppler and cairo before a document is opened.

import CPoppler

extension PDFDocument {
    /// Draws an empty page, so that poppler, GLib and cairo are initialized.
    ///
    /// A process that forks workers calls this function once. The function does not initialize fontconfig, so that the
    /// workers find fonts that are installed later.
    public static func warmUp() {
        g_object_unref(UnsafeMutableRawPointer(g_file_new_for_path("/")))
        guard let document = try? PDFDocument(bytes: Array(emptyPage.utf8), madeOf: "", label: "") else { return }
        _ = try? document.render(page: 0, dpi: 72)
        // Poppler's tables are freed with the last document, so this document stays open.
        _ = Unmanaged.passRetained(document)
    }

    private static let emptyPage = """
        %PDF-1.4
        1 0 obj
        << /Type /Catalog /Pages 2 0 R >>
        endobj
        2 0 obj
        << /Type /Pages /Kids [3 0 R] /Count 1 >>
        endobj
        3 0 obj
        << /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] >>
        endobj
        xref
        0 4
        0000000000 65535 f\u{20}
        0000000009 00000 n\u{20}
        0000000058 00000 n\u{20}
        0000000115 00000 n\u{20}
        trailer
        << /Size 4 /Root 1 0 R >>
        startxref
        184
        %%EOF

        """
}
