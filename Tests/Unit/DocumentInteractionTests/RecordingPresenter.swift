import Synchronization

@testable import DocumentInteraction

/// A presenter that records what it shows, and chooses at once.
final class RecordingPresenter: DocumentPresenting {
    private struct State {
        var menus: [[String]] = []
        var styles: [PresentationStyle] = []
        var previews: [[String]] = []
        var ends: [PreviewEnd] = []
        var choice: Int?
        var lastIndex: Int?
    }

    private let state = Mutex(State())

    var menus: [[String]] { state.withLock { $0.menus } }
    var styles: [PresentationStyle] { state.withLock { $0.styles } }
    /// The ends of the next previews; other previews end at `lastIndex`.
    var ends: [PreviewEnd] {
        get { state.withLock { $0.ends } }
        set { state.withLock { $0.ends = newValue } }
    }
    /// The titles of the items of each preview.
    var previews: [[String]] { state.withLock { $0.previews } }
    var choice: Int? {
        get { state.withLock { $0.choice } }
        set { state.withLock { $0.choice = newValue } }
    }
    /// The index of the item at which the person closes the preview; nil for the first item.
    var lastIndex: Int? {
        get { state.withLock { $0.lastIndex } }
        set { state.withLock { $0.lastIndex = newValue } }
    }

    func presentPreview(_ pages: [PreviewPage], startingAt index: Int) async throws -> PreviewEnd {
        state.withLock {
            $0.previews.append(pages.map(\.title))
            return $0.ends.isEmpty ? PreviewEnd(index: $0.lastIndex ?? index) : $0.ends.removeFirst()
        }
    }

    func presentMenu(_ menu: DocumentMenu) async throws -> Int? {
        state.withLock {
            $0.menus.append(menu.items.map(\.title))
            $0.styles.append(menu.style)
            return $0.choice
        }
    }
}

/// A presenter whose menus and previews remain until they are dismissed.
struct WaitingPresenter: DocumentPresenting {
    let shown: AsyncStream<Void>.Continuation

    func presentPreview(_ pages: [PreviewPage], startingAt index: Int) async throws -> PreviewEnd {
        await waitUntilDismissed()
        throw CancellationError()
    }

    func presentMenu(_ menu: DocumentMenu) async throws -> Int? {
        await waitUntilDismissed()
        return nil
    }

    private func waitUntilDismissed() async {
        shown.yield()
        let (never, end) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in never {}
        } onCancel: {
            end.finish()
        }
    }
}
