// Determines the outcome of a worker from the way in which its process ended.

import Glibc
import PrintModel
import ProcessLaunch
import ProcessPools

extension Worker {
    func finish(_ ended: InteractiveProcess.Ending) {
        finish { state in
            // The kernel kills a process that has ignored the signal for its limit of processor time.
            let isOutOfTime =
                ended == .signaled(SIGKILL) && state.stop == nil
                && state.processorSeconds >= Double(limits.processorSeconds)
            let status = isOutOfTime ? .signaled(SIGXCPU) : ended
            let errors = Self.oneLine(state.errors)
            if let answer = state.conversation.answer { return .answered(answer) }
            if let draft = state.conversation.draft, state.stop != .canceled { return .answered(.prepared(draft)) }
            if state.request == .probe, let protections = state.conversation.protections {
                return .answered(.locked(protections))
            }
            let isStarted = command.startLine == nil ? state.conversation.protections != nil : state.hasStarted
            if state.stop == .outOfTime, state.sharesTime {
                return .failed(.timeUsedUp(Self.activity(state.request), tool: command.tool))
            }
            if state.stop == nil, state.conversation.fault == nil, !isStarted {
                return .neverBegan("\(status)" + (errors.isEmpty ? "" : ": \(errors)"))
            }
            if command.executesProgram, case .convert(let request) = state.request?.task,
                state.conversation.fault == nil
            {
                let end = ProgramTermination(
                    converter: request.type.converter, limits: command.limits, status: status, stop: state.stop,
                    output: String(decoding: state.errors, as: UTF8.self))
                if let error = end.error { return .failed(error) }
                return .answered(.converted(ConvertedDocument(pageCount: 0)))
            }
            let error = WorkerTermination(
                activity: Self.activity(state.request), tool: command.tool, limits: command.limits, status: status,
                stop: state.stop, fault: state.conversation.fault, errors: errors
            ).error
            let isByOthers = status == .signaled(SIGKILL) && state.stop == nil && state.conversation.fault == nil
            return isByOthers ? .killed(error) : .failed(error)
        }
    }

    func finish(notStarted reason: String) {
        finish { state in
            if state.stop == .outOfTime {
                return .failed(.timeUsedUp(Self.activity(state.request), tool: command.tool))
            }
            return state.stop == .canceled || Task.isCancelled
                ? .failed(WorkError(.canceled, "\(Self.activity(state.request)) the document was canceled"))
                : .neverBegan(reason)
        }
    }

    private func finish(_ decide: (State) -> Outcome) {
        let (waiter, outcome) = state.withLock { state in
            let outcome = decide(state)
            state.outcome = outcome
            defer { state.waiter = nil }
            return (state.waiter, outcome)
        }
        waiter?.resume(returning: outcome)
    }

    private static func oneLine(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).joined(separator: " / ")
            .sanitized(to: 4000)
    }

    /// Returns the activity of a worker as the first word of a message, such as `preparing` in "preparing the document
    /// took …".
    private static func activity(_ request: WorkerRequest?) -> String {
        switch request?.task {
        case nil, .probe: "opening"
        case .inspect: "inspecting"
        case .identify: "identifying"
        case .convert: "converting"
        case .prepare: "preparing"
        case .render: "rendering"
        case .rasterize: "rasterizing"
        case .view: "showing"
        }
    }
}
