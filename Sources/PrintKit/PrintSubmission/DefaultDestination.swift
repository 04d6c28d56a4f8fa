// Makes the queue the default destination of programs that are linked with this module.

import PrintKit

/// Stores the destination at the given address, when `CLinkedDefaults` calls this function.
@_cdecl("printkit_default_destination")
package func makeDefaultDestination(at place: UnsafeMutableRawPointer) {
    place.initializeMemory(as: (any PrintDestination).self, to: SpoolerDestination())
}
