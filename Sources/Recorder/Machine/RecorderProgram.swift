/// Which program runs on the chip of simulated recorders: it makes the machine behind each recorder's host stack.
public struct RecorderProgram: Sendable {
  /// Name in reports.
  public let name: String
  /// Whether it is the model, which can begin a scenario in any state. What another program keeps in its own flash, such
  /// as bonds and updates, has to come about by itself.
  public var isModelled = false
  /// The bootloader that it brings, where that is executed as well; `nil` for a program without one, and for the model.
  package var bootloader: ExecutedBootloader?
  /// What else than the application decides what it does, a few words each, such as `bootloader` and its digest; empty
  /// where all is as usual, and for the model.
  package var conditions: [String] = []
  /// Makes the machines of recorders that are off.
  package typealias Machines = @Sendable (RecorderConfiguration) -> any RecorderApplicationMachine
  /// Makes what makes the machines of one world.
  private var machines: @Sendable () -> Machines
  /// The same where nobody watches what the machines execute; `nil` where nobody does anyway.
  private var unwatchedMachines: (@Sendable () -> Machines)?

  /// A program of this name.
  package init(named name: String, machine: @escaping Machines) {
    self.init(named: name, machines: { machine })
  }

  /// A program of this name, with what makes the machines of one world. They are never executed at the same time, so that
  /// they can share what is the same in each.
  package init(named name: String, machines: @escaping @Sendable () -> Machines) {
    self.name = name
    self.machines = machines
  }

  /// A program of this name that somebody watches, with the same one where nobody does.
  package init(
    named name: String, watched machines: @escaping @Sendable () -> Machines,
    unwatched: @escaping @Sendable () -> Machines
  ) {
    self.init(named: name, machines: machines)
    unwatchedMachines = unwatched
  }

  /// Makes the machine of one recorder that is off.
  package func machine(_ configuration: RecorderConfiguration) -> any RecorderApplicationMachine {
    machines()(configuration)
  }

  /// The program for the recorders of one world.
  package var inOneWorld: RecorderProgram {
    let shared = machines()
    var program = self
    program.machines = { shared }
    return program
  }

  /// The program for what serves many scenarios at once, such as pairing before them: what it executes counts for none.
  package var unwatched: RecorderProgram {
    var program = self
    if let unwatchedMachines { program.machines = unwatchedMachines }
    return program
  }

  /// The model of the published firmware, with its bootloader.
  public static let modelled: RecorderProgram = {
    var program = RecorderProgram(named: "modelled") { ModelledRecorder($0) }
    program.isModelled = true
    return program
  }()
}

/// A bootloader that recorders execute, and what they can install with it.
package struct ExecutedBootloader: Hashable, Sendable {
  /// The board it is for, such as `s140`.
  package var board: String
  /// Whether the packages that scenarios name hold programs that can be executed. Those of the house do not.
  package var installsPackages: Bool

  /// A bootloader for a board.
  package init(board: String, installsPackages: Bool) {
    self.board = board
    self.installsPackages = installsPackages
  }
}
