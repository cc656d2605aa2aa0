import Bytes
import Phone
import Transports

/// One thing that must be right before a bench is used. A new one is a file beside the others, and its line in
/// ``Checkup/preflight`` or ``Checkup/doctor(of:)``.
package protocol BenchCheck: Sendable {
  /// What is looked at, in a word or two of plain text.
  var name: String { get }
  /// Names of the checks that must have come out well before.
  var needs: [String] { get }
  /// Looks at it, disturbs nothing, and gives back what it takes; `nil` where this bench has no such thing.
  func look(_ examination: inout Examination) -> Finding?
}

extension BenchCheck {
  /// Needs no other check.
  package var needs: [String] { [] }
}

/// What is looked at.
package struct BenchSubject: Sendable {
  /// The controllers that a run would use; none for whichever this machine has.
  package var controllers: [TransportSpecification]
  /// The recorders that must be there.
  package var recorders: [RecorderPlace]
  /// Somebody else's phone, before which our recorders would stand.
  package var phone: PhonePlan?
  /// Folders that a run writes to.
  package var folders: [String]
  /// Whether somebody sits at the terminal.
  package var isAttended: Bool
  /// Whether live links over the adapters are to be cut (`--take`).
  package var takesAdaptersInUse = false
  /// The adapters whose deviations are known.
  package var quirks = QuirkLibrary()

  /// A bench, or nothing of it; `controller` in place of its adapters.
  package init(_ bench: BenchFile?, controller: TransportSpecification?, folders: [String], isAttended: Bool) {
    controllers = controller.map { [$0] } ?? bench?.adapters ?? []
    recorders = bench?.recorders ?? []
    phone = bench?.phone
    self.folders = folders
    self.isAttended = isAttended
  }

  /// Real recorders.
  package init(_ target: HardwareTarget, folders: [String]) {
    self.init(nil, controller: nil, folders: folders, isAttended: target.attended != nil)
    controllers = target.controllers
    recorders = target.recorders
    quirks = target.opening.quirks
    takesAdaptersInUse = target.opening.takesAdaptersInUse
  }

  /// Somebody else's phone.
  package init(_ target: ApplicationTarget, folders: [String]) {
    self.init(nil, controller: nil, folders: folders, isAttended: target.attended != nil)
    controllers = target.controllers
    phone = target.phone
    quirks = target.opening.quirks
    takesAdaptersInUse = target.opening.takesAdaptersInUse
  }
}

/// A look at a bench in progress: what it is about, and what is known so far.
package struct Examination: Sendable {
  /// What is looked at.
  package let subject: BenchSubject
  /// The machine on which that stands.
  package let machine: BenchMachine
  /// The machine's clocks when the look began.
  let began: ClockReading
  /// The adapters of this machine that a run would use, or might.
  var adapters: [AdapterSight] = []
  /// The controller that would be used; `nil` while several might be.
  package internal(set) var chosen: TransportSpecification?
  /// The recorders that were heard; `nil` before anybody listened.
  var sightings: [RecorderSighting]?
  /// The entries of the library that mean the controllers, in the order of the controllers.
  package internal(set) var quirks: [(controller: TransportSpecification, entry: QuirkEntry)] = []
}
