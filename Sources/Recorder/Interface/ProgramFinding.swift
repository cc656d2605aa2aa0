/// Something that was seen while a program was executed on a recorder's chip, which nobody outside the chip can see.
public struct ProgramFinding: Hashable, Sendable {
  /// What kind of thing it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An access to an address where nothing answers, or a store to what cannot be written.
    case badAccess
    /// A store to the first kilobyte of the address space, as through a null pointer.
    case nullWrite
    /// An access that the processor allows only at aligned addresses.
    case unaligned
    /// A load of RAM that nobody had written.
    case unwrittenRead
    /// Something other than code was executed: RAM, an undefined instruction, an address without memory.
    case wildExecution
    /// A stack grew beyond its end.
    case stackOverrun
    /// The watchdog was not fed in time and reset the chip.
    case watchdog
    /// A fault inside the handler of a fault: the chip stood still and was reset.
    case lockup
    /// A breakpoint was executed, as firmware does after a failed assertion.
    case assertion
    /// The program runs in circles, and nothing that can happen will end it.
    case stuck
    /// A call of the SoftDevice that was wrong, or whose answer nobody fetched.
    case badCall
    /// The program used something that is not modelled; what it did afterwards may differ from a real chip.
    case notModelled
    /// The program switched its recorder off, although the scenario keeps it awake.
    case fellAsleep
    /// The program had worked for as long as it may within one scenario, and is not executed any more.
    case outOfTime
  }

  /// What kind of thing it is.
  public var kind: Kind
  /// One sentence with the place.
  public var text: String

  /// A finding.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
