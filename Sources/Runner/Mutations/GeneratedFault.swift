import Controllers
import Phone
import Recorder
import Requirements
import World

/// A fault that nobody chose: one value of recorder, phone, controller or monitor that is not what it should be.
package struct GeneratedFault: Sendable {
  /// What is changed.
  enum Change: Sendable {
    /// How the recorder's application behaves.
    case profile(@Sendable (inout RecorderProfile) -> Void)
    /// What the recorder was made with.
    case recorder(@Sendable (inout RecorderConfiguration) -> Void)
    /// What the phone was made with.
    case phone(@Sendable (inout PhoneConfiguration) -> Void)
    /// What the controllers of one side are like.
    case controllers(MediumSide, @Sendable (inout ControllerProfile) -> Void)
    /// What a monitor is told.
    case monitor(MonitorWeakening)
  }

  /// Its name, such as `halved keepAlive`.
  package let name: String
  /// What it is about, such as `timing`.
  package let subject: String
  /// The requirement that the changed value serves; `nil` where it serves several.
  package let requirement: String?
  /// Why no scenario can notice it; `nil` where one should.
  package let equivalence: String?
  private let change: Change

  init(_ name: String, _ subject: String, _ requirement: String?, _ change: Change) {
    self.name = name
    self.subject = subject
    self.requirement = requirement
    self.change = change
    equivalence = Equivalences.reason(for: name)
  }

  /// Every generated fault.
  package static let all: [GeneratedFault] =
    ofAdvertising + ofAttributes + ofBehaviours + ofTimes + ofValues + ofSettings + ofBootloaders + ofPhones
    + ofControllers + ofMonitors

  /// The monitor that is weakened; `nil` for a fault of anything else.
  package var weakening: MonitorWeakening? { if case .monitor(let weakening) = change { weakening } else { nil } }

  /// How controllers are altered; `nil` for a fault of anything else.
  var alteration: ((MediumSide, inout ControllerProfile) -> Void)? {
    guard case .controllers(let wanted, let body) = change else { return nil }
    return { side, profile in if side == wanted { body(&profile) } }
  }

  /// Applies a change of the recorder's behaviour.
  func change(_ profile: inout RecorderProfile) { if case .profile(let body) = change { body(&profile) } }

  /// Applies a change of what the recorder was made with.
  func change(_ configuration: inout RecorderConfiguration) {
    if case .recorder(let body) = change { body(&configuration) }
  }

  /// Applies a change of what the phone was made with.
  func change(_ configuration: inout PhoneConfiguration) { if case .phone(let body) = change { body(&configuration) } }
}

extension GeneratedFault {
  /// Each behaviour of the published firmware.
  static let ofBehaviours = PublishedBehaviour.allCases.map { behaviour in
    GeneratedFault("published \(behaviour.rawValue)", "published behaviour", nil, .profile { $0 = $0.with(behaviour) })
  }

  /// Each monitor weakened.
  static let ofMonitors = MonitorWeakening.all.map {
    GeneratedFault($0.description, "monitors", $0.requirement, .monitor($0))
  }
}
