import DictofunProtocol
import Recorder
import Timeline

/// What the modelled recorder always tells, without the question whether it does.
extension SimulatedRecorder {
  private var inside: RecorderInspection { inspect(at: .zero) }
  var isBootloaderRunning: Bool { inside.isBootloaderRunning }
  var firmwareVersion: UInt32 { inside.firmwareVersion ?? 0 }
  var records: [PlacedRecord] { inside.records ?? [] }
  var bondCount: Int { inside.bondCount ?? -1 }
  var profile: RecorderProfile { inside.profile ?? RecorderProfile(name: "none") }
  func time(at instant: Instant) -> CivilTime { clock(at: instant) ?? CivilTime(secondsSince2000: 0) }
}
