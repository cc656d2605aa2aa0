import HCI
import Timeline
import Transports
import World

extension ArraySlice<TransportSpecification> {
  /// Opens controllers, all or none.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with what to do, when one cannot be opened.
  func open(on loop: EventLoop, _ options: OpeningOptions) throws(ControlFailure) -> [any PacketPipe] {
    var pipes: [any PacketPipe] = []
    for controller in self {
      do { pipes.append(try TransportOpening.open(controller, on: loop, options: options)) } catch {
        for pipe in pipes { pipe.close() }
        throw .bench("\(controller) cannot be opened: \(error)")
      }
    }
    return pipes
  }
}
