/// Which program runs on the chip of simulated recorders: it makes the machine behind each recorder's host stack.
public struct RecorderProgram: Sendable {
  /// Name in reports.
  public let name: String
  /// Whether it is the model, which can begin a scenario in any state. What another program keeps in its own flash, such
  /// as bonds and updates, has to come about by itself.
  public var isModelled = false
  /// Makes the machine of one recorder that is off.
  package let machine: @Sendable (RecorderConfiguration) -> any RecorderApplicationMachine
  /// Makes the same machine where nobody watches what it executes; `nil` where `machine` is not watched.
  private var unwatchedMachine: (@Sendable (RecorderConfiguration) -> any RecorderApplicationMachine)?

  /// A program of this name.
  package init(
    named name: String, machine: @escaping @Sendable (RecorderConfiguration) -> any RecorderApplicationMachine
  ) {
    self.name = name
    self.machine = machine
  }

  /// A program of this name that somebody watches, with the same one where nobody does.
  package init(
    named name: String, watched machine: @escaping @Sendable (RecorderConfiguration) -> any RecorderApplicationMachine,
    unwatched: @escaping @Sendable (RecorderConfiguration) -> any RecorderApplicationMachine
  ) {
    self.init(named: name, machine: machine)
    unwatchedMachine = unwatched
  }

  /// The program for what serves many scenarios at once, such as pairing before them: what it executes counts for none.
  package var unwatched: RecorderProgram {
    unwatchedMachine.map { RecorderProgram(named: name, machine: $0) } ?? self
  }

  /// The model of the published firmware, with its bootloader.
  public static let modelled: RecorderProgram = {
    var program = RecorderProgram(named: "modelled") { ModelledRecorder($0) }
    program.isModelled = true
    return program
  }()
}
