import Bench
import Phone
import ScenarioLanguage
import Timeline
import World

/// How a bench finds out which program a recorder's chip runs, and of which version its application is.
extension Stage {
  /// Looks for what a step asks of the program.
  func lookAtPrograms(
    of device: ActuatedDevice, _ index: Int, by senses: BenchSenses, _ call: VerbCall, _ findings: inout Findings
  ) async throws(ControlFailure) {
    guard call.wants(Inspect.version) || call.wants(Inspect.bootloader) else { return }
    let began = loop.now
    // A banner tells both.
    let deadline = began.advanced(by: Self.bootTime)
    let isOff = senses.isOn(index) == false
    while !isOff, call.wants(Inspect.version), senses.runningVersion(index).version == nil, loop.now < deadline {
      try await rest(Self.pace)
    }
    let (version, source) = senses.runningVersion(index)
    if call.wants(Inspect.version) {
      guard let version else { throw Self.unseen("the version of its application", source) }
      findings.set(Inspect.version, Int(version))
      seenBy.append(source)
    }
    if call.wants(Inspect.bootloader) {
      findings.set(Inspect.bootloader, try await isInBootloader(device, index, by: senses, isOff: isOff))
    }
    // In a simulated world, in which scenarios are written, looking takes no time.
    guard !senses.mayHaveChangedFirmware(index, since: began) else {
      throw Self.unseen("which program it runs", "a phone went on with an update meanwhile")
    }
  }

  /// The longest time from a reset to the end of a boot, and to the banner on the console.
  private static let bootTime = Duration.seconds(5)
  private static let pace = Duration.milliseconds(100)
  /// Six advertisements, with one that is lost.
  private static let scan = Duration.seconds(1)

  /// Whether the bootloader runs: told by a banner since the last boot, by what answers a phone that is connected, or by what
  /// advertises. A recorder that is off runs nothing.
  private func isInBootloader(
    _ device: ActuatedDevice, _ index: Int, by senses: BenchSenses, isOff: Bool
  ) async throws(ControlFailure) -> Bool {
    if isOff || senses.hasApplicationStarted(index) {
      seenBy.append((isOff ? Sensor.rail : .console).name)
      return false
    }
    let deadline = loop.now.advanced(by: Self.bootTime)
    repeat {
      for phone in phones {
        // Only the application has a battery level.
        if case .success = try await phone.perform(.readBattery) {
          seenBy.append("the answer to a phone")
          return false
        }
        guard case .success(.recorders(let seen)) = try await phone.perform(.scan(Self.scan)) else { continue }
        if let found = seen.filter({ $0.isOf(device) }).max(by: { $0.lastHeardNanoseconds < $1.lastHeardNanoseconds }) {
          seenBy.append("what advertises")
          return found.isBootloader
        }
      }
    } while loop.now < deadline
    throw Self.unseen("whether its bootloader runs", "neither program was heard")
  }
}

extension RecorderSighting {
  /// Whether it is a program of this recorder.
  fileprivate func isOf(_ device: ActuatedDevice) -> Bool {
    address == device.address || isBootloader && address == device.address.ofBootloader
  }
}
