import Bytes
import Foundation
import Requirements
import Runner
import ScenarioLanguage
import SecureDFU
import Timeline
import Verdicts
import World

/// How fast an update goes in virtual time: the same on every machine.
enum UpdateRates {
  /// What is measured.
  struct Variant {
    let radio: String
    /// What the phone asks for and keeps: a bootloader asks for 15 ms, and lives with what the central decides.
    let interval: String
    let receipts: Int
    /// What the recorder's flash takes, as `given` states it; empty for the nRF52840's.
    let flash: String
  }

  private static let variants = ["1M", "2M"].flatMap { radio in
    ["15 ms", "7.5 ms"].flatMap { interval in
      ["", "erase: 0 ms, word: 0 us"].flatMap { flash in
        [10, 0].map { Variant(radio: radio, interval: interval, receipts: $0, flash: flash) }
      }
    }
  }

  /// Octets a second for each variant.
  static func measured() throws -> JSONValue {
    .array(
      try variants.map { variant in
        let watch = Watch()
        _ = try Measurement().cost(of: scenario(variant), firmware: Packages(), observer: watch)
        guard let rate = watch.octetsPerSecond else {
          throw Measurement.Spoilt(description: "no octet of the update was confirmed")
        }
        return .object([
          ("radio", .string(variant.radio)), ("interval", .string(variant.interval)),
          ("receipts", .integer(variant.receipts)),
          ("flash", .string(variant.flash.isEmpty ? "nRF52840" : "none")), ("octetsPerSecond", .integer(rate)),
        ])
      })
  }

  private static func scenario(_ variant: Variant) -> String {
    """
    scenario: update
    id: update
    given:
      device: {bootloader: {build: s140-debug\(variant.flash.isEmpty ? "" : ", " + variant.flash)}}
      phone: {interval: \(variant.interval), parameters: refuses, mtu: 247 B, radio: \(variant.radio)}
    steps:
      - phone: connect
      - phone: pair
      - phone: {update: {package: s140-1.6.0.zip, receipts: \(variant.receipts)}}
    """
  }

  /// Sees when the first and the last octet were confirmed.
  private final class Watch: RunObserver {
    private var began: Instant?
    private var ended: (instant: Instant, octets: UInt32)?

    var octetsPerSecond: Int? {
      guard let began, let ended else { return nil }
      return Int(Double(ended.octets) / (began.duration(to: ended.instant) / .seconds(1)))
    }

    func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
    func stepFinished(_ report: StepReport) {}

    func observed(_ event: ProductEvent) {
      guard case .oracle(.update(.shown(_, let state))) = event.happening, state.phase == .sending else { return }
      if state.octets == 0 { began = event.instant }
      ended = (event.instant, state.octets)
    }
  }

  /// The packages of the repository, by their file names.
  private struct Packages: FirmwareLibrary {
    func catalogue() throws(ControlFailure) -> FirmwareCatalogue { FirmwareCatalogue([]) }

    func package(_ name: String) throws(ControlFailure) -> [UInt8] {
      guard let data = FileManager.default.contents(atPath: "firmware-images/\(name)") else {
        throw .impossible("firmware-images/\(name) cannot be read")
      }
      return Array(data)
    }
  }
}
