// The steps of the tutorial "Print from a server" that have routes.

import Hummingbird
import PrintKit
import PrintSubmission

func printEndpoint2() -> Router<BasicRequestContext> {
    let router = Router()
    router.post("orders") { request, context -> HTTPResponse.Status in
        let order = try await request.decode(as: Order.self, context: context)
        let controller = PrintInteractionController()
        controller.destination = SpoolerDestination()
        controller.printPageRenderer = PackingSlip(order)
        _ = try await controller.submit(to: controller.printer(named: nil))
        return .accepted
    }
    return router
}

func printEndpoint3() -> Router<BasicRequestContext> {
    struct Accepted: ResponseEncodable {
        var job: Int?
    }

    let router = Router()
    router.post("orders") { request, context -> EditedResponse<Accepted> in
        let order = try await request.decode(as: Order.self, context: context)
        let controller = PrintInteractionController()
        controller.destination = SpoolerDestination()
        controller.printInfo.jobName = "Order \(order.number)"
        controller.printPageRenderer = PackingSlip(order)
        // A request that is sent again returns the same job.
        let job = try await controller.submit(
            to: controller.printer(named: nil), submissionID: "order \(order.number)")
        return EditedResponse(status: .accepted, response: Accepted(job: job.number))
    }
    return router
}

func printEndpoint4() -> Router<BasicRequestContext> {
    struct Accepted: ResponseEncodable {
        var job: Int?
    }
    struct Status: ResponseEncodable {
        var state: String
        var page: Int
        var alert: String?
    }

    let router = Router()
    router.post("orders") { request, context -> EditedResponse<Accepted> in
        let order = try await request.decode(as: Order.self, context: context)
        let controller = PrintInteractionController()
        controller.destination = SpoolerDestination()
        controller.printInfo.jobName = "Order \(order.number)"
        controller.printPageRenderer = PackingSlip(order)
        // A request that is sent again returns the same job.
        let job = try await controller.submit(
            to: controller.printer(named: nil), submissionID: "order \(order.number)")
        return EditedResponse(status: .accepted, response: Accepted(job: job.number))
    }
    router.get("jobs/:number") { _, context -> Status in
        let number = try context.parameters.require("number", as: Int.self)
        guard let job = try await SpoolerDestination().job(number: number) else { throw HTTPError(.notFound) }
        let status = try await job.status()
        return Status(state: "\(status.state)", page: status.page, alert: status.alert)
    }
    return router
}
