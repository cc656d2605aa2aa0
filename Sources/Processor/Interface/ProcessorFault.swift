/// What the guest did that ends its run: kind, place and the address involved.
package struct ProcessorFault: Error, Equatable, Sendable {
  /// What happened (Armv7-M Architecture Reference Manual, B1.5.14, "Fault behavior").
  package enum Kind: String, Equatable, Sendable, CaseIterable {
    /// A load from an address where nothing answers.
    case readUnmapped
    /// A store to an address where nothing answers.
    case writeUnmapped
    /// A store to a read-only region.
    case writeReadOnly
    /// Unprivileged code touched the processor's own registers.
    case unprivileged
    /// An unaligned access where the architecture allows none, or any with CCR.UNALIGN_TRP.
    case unaligned
    /// Execution at an address that holds no memory.
    case executeUnmapped
    /// Execution in a region from which it is never allowed, 0x40000000 to 0x5FFFFFFF and 0xA0000000 to 0xFFFFFFFF.
    case executeNever
    /// Execution in RAM, where the owner asked for a stop.
    case executeData
    /// An instruction that the architecture does not define.
    case undefined
    /// An instruction whose effect the architecture calls unpredictable.
    case unpredictable
    /// A branch to an address with bit 0 clear: the processor has no ARM state.
    case invalidState
    /// A floating-point instruction while CPACR denies access.
    case noCoprocessor
    /// A division by zero with CCR.DIV_0_TRP.
    case divideByZero
    /// An exception return with a value or a state that does not allow it.
    case invalidReturn
    /// The frame of an exception could not be written: the stack is not where memory is.
    case stacking
    /// The frame of an exception could not be read back.
    case unstacking
    /// The vector table could not be read, or the vector has bit 0 clear.
    case vector
    /// SVC where the priority does not let its exception in.
    case supervisorCallEscalated
  }

  /// What happened.
  package let kind: Kind
  /// The address of the instruction; for a failed fetch, the address fetched from.
  package let programCounter: UInt32
  /// The address accessed, or the opcode for undefined and unpredictable instructions; nil if there is none.
  package let address: UInt32?

  /// Describes a fault.
  package init(_ kind: Kind, programCounter: UInt32, address: UInt32? = nil) {
    self.kind = kind
    self.programCounter = programCounter
    self.address = address
  }
}
