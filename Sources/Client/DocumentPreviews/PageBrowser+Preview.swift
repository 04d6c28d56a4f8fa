// Shows the results of print-preview in a page viewer.

package import PrintModel
package import TerminalImages

extension PageBrowser {
    /// Adds a result of `print-preview` to the page browser.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of page images of each document.
    ///   - indices: The index of each document of the request in the browser.
    ///   - cleaned: The function that replaces control characters in a text.
    package mutating func take(
        _ event: PreviewEvent, limit: Int, indices: [Int], cleaned: (String) -> String
    ) {
        func place(_ index: Int) -> Int { indices.indices.contains(index) ? indices[index] : -1 }
        switch event {
        case .document(let document):
            describe(place(document.index), as: cleaned(document.text), sides: document.sides, images: limit)
        case .page(let index, let side, let path): add(path, side: side, of: place(index))
        case .failed(let index, let error): fail(place(index), because: cleaned(error.message))
        case .finished: break
        }
    }
}
