import Timeline
import Verdicts

/// DEV-11, as far as every run shows it: after its bootloader a recorder starts a whole image, never one of a lower
/// version, and owns what it owned before.
///
/// A bootloader must not fall silent either: it starts an application, starts again, or goes on with an update. What is
/// not meant for a recorder and the time are left to scenarios.
struct SurvivesUpdates: Monitor {
  /// How long a bootloader may neither start anything nor talk: 60 s without a client, and the time to put an image in
  /// place.
  static let patience: Duration = .seconds(180)

  /// What a recorder owns; `nil` for what somebody took from it by hand meanwhile.
  private struct Possessions {
    var records: Int?
    var digest: UInt64?
    var bonds: Int?
  }

  private struct Device: NumberedState {
    var index: UInt16
    /// The version that it ran last.
    var version: UInt32?
    var isInBootloader = false
    /// What it owned when its bootloader started.
    var possessions: Possessions?
    /// When it started last.
    var started: Instant?
    /// What was stated to be its possessions, and when: at a start, before it or after it.
    var stated: (possessions: Possessions, instant: Instant)?
    var deadline: Instant?
  }

  let declaration = MonitorDeclaration(
    "DEV-11", "after its bootloader ran, the recorder starts a complete image that is not older, and has lost nothing",
    judges: .recorder, shows: ["whole"], needsWorld: "what the recorder starts and owns")
  let interests: EventKinds = [.firmwareUpdate, .oracle]
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()

  init() {}

  var deadline: Instant? { devices.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .firmwareUpdate:
      // It may be with any of them.
      if devices.deadline == nil { return .pending }
      for index in devices.indices where devices[index].deadline != nil {
        devices[index].deadline = event.instant.advanced(by: Self.patience)
      }
    case .oracle(.recorderPowered(let index, let isOn)):
      guard let known = devices.place(index) else { return .pending }
      devices[known].deadline =
        isOn && devices[known].isInBootloader ? event.instant.advanced(by: Self.patience) : nil
    case .oracle(.update(.bootloaderStarted(let index))):
      let position = position(index)
      return enter(&devices[position], at: event.instant)
    case .oracle(.update(.firmwareInstalled(let index, let version))):
      let position = position(index)
      devices[position].version = devices[position].version ?? version
    case .oracle(.update(.firmwareStarted(let index, let version, let isWhole))):
      let position = position(index)
      if devices[position].isInBootloader { preconditionCount += 1 }
      return start(version, isWhole, &devices[position], at: event.instant)
    case .oracle(.update(.possessions(let index, let records, let digest, let bonds))):
      let position = position(index)
      devices[position].stated = (Possessions(records: records, digest: digest, bonds: bonds), event.instant)
      return compare(&devices[position])
    case .oracle(.bondsForgottenByHand(let index)):
      if let known = devices.place(index) { devices[known].possessions?.bonds = nil }
    case .oracle(.recordsErasedByHand(let index)):
      guard let known = devices.place(index) else { return .pending }
      devices[known].possessions?.records = nil
      devices[known].possessions?.digest = nil
    default: break
    }
    return .pending
  }

  private mutating func position(_ index: UInt16) -> Int { devices.place(of: Device(index: index)) }

  private func enter(_ device: inout Device, at instant: Instant) -> Observation {
    if !device.isInBootloader { device.possessions = nil }
    device.isInBootloader = true
    device.started = instant
    device.deadline = instant.advanced(by: Self.patience)
    return compare(&device)
  }

  private func start(
    _ version: UInt32, _ isWhole: Bool, _ device: inout Device, at instant: Instant
  ) -> Observation {
    let wasInBootloader = device.isInBootloader
    let before = device.version
    device.version = version
    device.isInBootloader = false
    device.started = instant
    device.deadline = nil
    if wasInBootloader, !isWhole {
      return .violated("recorder \(device.index) started an incomplete image of version \(version)")
    }
    if let before, version < before {
      return .violated("recorder \(device.index) started version \(version) although it had run \(before) before")
    }
    let comparison = compare(&device)
    return comparison == .pending && wasInBootloader ? .met : comparison
  }

  /// Compares what a recorder owns when it starts with what it owned when its bootloader started first.
  private func compare(_ device: inout Device) -> Observation {
    guard let stated = device.stated, stated.instant == device.started else { return .pending }
    device.stated = nil
    let before = device.possessions
    device.possessions = device.isInBootloader ? before ?? stated.possessions : nil
    guard let before else { return .pending }
    let after = stated.possessions
    if let count = Self.difference(before.records, after.records) {
      return .violated("recorder \(device.index) had \(count.before) records before the update and has \(count.after)")
    }
    if let count = Self.difference(before.bonds, after.bonds) {
      return .violated("recorder \(device.index) had \(count.before) bonds before the update and has \(count.after)")
    }
    guard Self.difference(before.digest, after.digest) != nil else { return .pending }
    return .violated("the records of recorder \(device.index) differ from those before the update")
  }

  /// Two values that differ; `nil` where they are the same, or one is not known.
  private static func difference<Value: Equatable>(
    _ before: Value?, _ after: Value?
  ) -> (before: Value, after: Value)? {
    guard let before, let after, before != after else { return nil }
    return (before, after)
  }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let due = devices.firstDue(at: instant) else { return .pending }
    devices[due].deadline = nil
    return .violated(
      "the bootloader of recorder \(devices[due].index) stopped talking and started no program for 3 min")
  }
}
