import Text
import Bytes
import Timeline
import World

/// A debug probe by its serial number, through OpenOCD: which recorder it is, what its flash holds, and writing it.
package struct FlashProgrammer: Sendable {
  /// One run of OpenOCD.
  package enum Work: Hashable, Sendable {
    /// Reaches the chip, and leaves it running.
    case reach
    /// Reads the device address (nRF52840 product specification, 4.4.1.7 and 4.4.1.8: DEVICEADDR).
    case readAddress
    /// Compares the flash with the image, octet by octet as read back.
    case verify
    /// Writes the image.
    case program
  }

  private let plan: FlashPlan

  package init(_ plan: FlashPlan) { self.plan = plan }

  /// Where the nRF52 keeps its device address.
  private static let addressRegister = "0x100000a4"

  /// What OpenOCD prints when the probe is there and finds no chip.
  private static let noChip = "connecting DP"

  /// The command of a run.
  package func program(for work: Work) -> ExternalProgram {
    let commands: [String]
    switch work {
    case .reach: commands = []
    case .readAddress: commands = ["halt", "mdw \(Self.addressRegister) 2", "resume"]
    case .verify: commands = ["reset halt", "verify_image {\(plan.image)}", "reset run"]
    case .program: commands = ["reset halt", "program {\(plan.image)} verify", "reset run"]
    }
    // The probe is chosen before anything touches a target: with several probes OpenOCD would take the first. An nRF52
    // has SWD only, and J-Link's first choice would be JTAG.
    var words = [
      plan.program, "-f", plan.interface, "-c", "transport select swd", "-c", "adapter serial {\(plan.serial)}",
      "-f", plan.target,
    ]
    for command in ["init"] + commands + ["shutdown"] { words += ["-c", command] }
    return ExternalProgram(words, within: plan.limit)
  }

  /// Whether a text can stand between the braces of OpenOCD's language (Tcl) without meaning anything there.
  static func isPlain(_ text: String) -> Bool { !text.isEmpty && !text.contains { "{}\\\n".contains($0) } }

  /// The static random address in what OpenOCD printed: `0x100000a4: 89abcdef 0000c123`.
  static func address(in output: String) -> BluetoothAddress? {
    for line in output.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix(addressRegister + ":") {
      let words = line.dropFirst(addressRegister.count + 1).split(separator: " ").map { UInt64($0, radix: 16) }
      guard words.count >= 2, let low = words[0], let high = words[1], low <= 0xFFFF_FFFF else { return nil }
      // The two highest bits of a static address are ones, whatever the register has (Vol 6, Part B, 1.3.2.1).
      return BluetoothAddress((high & 0xFFFF) << 32 | low | 0xC000_0000_0000, .random)
    }
    return nil
  }

  /// Makes sure that the recorder has the image: compares first, and writes only where the recorder is the right one.
  /// Whether it was written.
  @discardableResult
  package func establish(
    on recorder: BluetoothAddress, _ loop: EventLoop, _ waits: Waits
  ) async throws(ControlFailure) -> Bool {
    let found = try await program(for: .readAddress).run(on: loop, waits)
    let name = "probe \(PlainText.escaped(plan.serial))"
    guard found.code == 0, let address = Self.address(in: found.output) else {
      throw unreachable(found)
    }
    guard address == recorder else {
      throw .bench(
        "the \(name) is wired to \(address), not to \(recorder)",
        advice: "correct `address`, or the probe's `serial`, "
          + "in the bench file; nothing was written")
    }
    if try await isVerified(loop, waits) { return false }
    let written = try await program(for: .program).run(on: loop, waits)
    guard written.code == 0 else {
      throw .bench(
        "the \(name) could not write \(PlainText.escaped(plan.image))\(Self.said(written))", advice: "try again")
    }
    guard try await isVerified(loop, waits) else {
      throw .bench(
        "the flash does not hold \(PlainText.escaped(plan.image)) after it was written",
        advice: "do not use this recorder")
    }
    return true
  }

  /// Makes sure that the probe is there and reaches a chip, which goes on with what it does.
  package func reach(_ loop: EventLoop, _ waits: Waits) async throws(ControlFailure) {
    let outcome = try await program(for: .reach).run(on: loop, waits)
    guard outcome.code == 0 else { throw unreachable(outcome) }
  }

  private func unreachable(_ outcome: ExternalProgram.Outcome) -> ControlFailure {
    .bench(
      "the probe \(PlainText.escaped(plan.serial)) does not reach a chip\(Self.said(outcome))",
      advice: "check the probe, the nails and the supply",
      cause: outcome.output.contains(Self.noChip) ? .chipUnreachable : .other)
  }

  private func isVerified(_ loop: EventLoop, _ waits: Waits) async throws(ControlFailure) -> Bool {
    let outcome = try await program(for: .verify).run(on: loop, waits)
    // OpenOCD says how much it compared; without that word its exit code proves nothing.
    return outcome.code == 0 && outcome.output.contains("verified ")
  }

  private static func said(_ outcome: ExternalProgram.Outcome) -> String {
    let lines = outcome.output.split(whereSeparator: \.isNewline)
    guard let line = lines.last(where: { $0.hasPrefix("Error") }) ?? lines.last else { return "" }
    return " (`\(PlainText.escaped(line, limit: 120))`)"
  }
}
