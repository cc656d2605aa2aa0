/// Which program runs on the chip of simulated recorders: it makes the machine behind each recorder's host stack.
public struct RecorderProgram: Sendable {
  /// Name in reports.
  public let name: String
  /// Makes the machine of one recorder that is off.
  public let machine: @Sendable (RecorderConfiguration) -> any RecorderApplicationMachine

  /// A program of this name.
  public init(
    named name: String, machine: @escaping @Sendable (RecorderConfiguration) -> any RecorderApplicationMachine
  ) {
    self.name = name
    self.machine = machine
  }

  /// The model of the published firmware, with its bootloader.
  public static let modelled = RecorderProgram(named: "modelled") { ModelledRecorder($0) }
}
