import AsyncPrimitives
import IPP
import IPPNetworkClient
import IPPServer
import PrintIPP
import Testing

struct EventLoopTests {
    @Test func `a request is handled on a thread that must not block, and blocking calls run on another thread`()
        async throws
    {
        let responder = Responder { request in
            let here = BlockingCall.mayBlock
            let there = await BlockingThreads.shared.run { BlockingCall.mayBlock }
            let back = BlockingCall.mayBlock
            return reply(to: request, [here, there, back].enumerated().map { Attribute("a\($0)", .boolean($1)) })
        }
        try await withServer(responder) { server in
            let answer = try await IPPClient(address: server.unix).send(request(.getJobs))
            #expect((0..<3).map { answer[.printer]?.boolean("a\($0)") } == [false, true, false])
        }
    }
}
