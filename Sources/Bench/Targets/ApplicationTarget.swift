import HCI
import Timeline
import Transports
import World

/// Somebody else's phone, and the controllers on which our recorders stand before it.
package struct ApplicationTarget: Sendable {
  /// The recorders' controllers, one each, in the order in which scenarios mean the recorders.
  package let controllers: [TransportSpecification]
  /// The phone, and who uses it.
  package let phone: PhonePlan
  /// Extra time that steps may take.
  package let tolerance: Duration
  /// How the controllers are opened.
  package var opening = OpeningOptions()
  /// Who is told what is to be known of the controllers; `nil` for nobody.
  package var notes: OpeningNotes?
  /// Where an operator is asked; `nil` when nobody attends.
  package let attended: OperatorPlace?

  /// What a bench file states, or nothing of it; `controller` in place of its adapters. `nil` without any controller.
  package init?(_ bench: BenchFile?, controller: TransportSpecification?, attended: OperatorPlace?) {
    controllers = controller.map { [$0] } ?? bench?.adapters ?? []
    phone = bench?.phone ?? PhonePlan()
    tolerance = bench?.tolerance ?? .zero
    self.attended = attended
    if controllers.isEmpty { return nil }
  }

  /// Whether an action can be done with the phone.
  package func can(_ action: ApplicationAction) -> Bool { phone.can(action, isAttended: attended != nil) }

  /// Whether an action is the operator's.
  package func isByHand(_ action: ApplicationAction) -> Bool { can(action) && !phone.can(action, isAttended: false) }

  /// Opens the controllers of `count` recorders.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with what to do, when one cannot be opened.
  package func open(_ count: Int, on loop: EventLoop) throws(ControlFailure) -> [any PacketPipe] {
    try controllers.prefix(count).open(on: loop, opening, notes)
  }
}
