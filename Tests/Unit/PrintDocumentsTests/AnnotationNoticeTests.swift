import Testing

@testable import PrintDocuments

struct AnnotationNoticeTests {
    @Test(arguments: [
        ([3], "page 3"), ([3, 4], "pages 3, 4"), ([1, 2, 3, 4, 5, 6], "pages 1, 2, 3, 4, 5 …"),
    ])
    func `the notice about annotations that are not printed lists at most five pages`(pages: [Int], words: String) {
        #expect(
            AnnotationOverlays.notice(ofPages: pages, of: "'a.pdf'")
                == "annotations without an appearance on \(words) of 'a.pdf' are not printed")
    }
}
