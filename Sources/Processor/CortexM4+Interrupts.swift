extension CortexM4 {
  /// External interrupts that the processor has.
  package static let interruptCount = InterruptState.count

  /// Makes an external interrupt pending. Numbers beyond ``interruptCount`` are ignored.
  package mutating func setPending(interrupt: Int) {
    guard let bit = Self.bit(interrupt) else { return }
    let isNew = state.interrupts.pending & bit == 0
    state.interrupts.pending |= bit
    if isNew, state.system.systemControl & 0x10 != 0 { state.hasEvent = true }
  }

  /// Makes an external interrupt no longer pending.
  package mutating func clearPending(interrupt: Int) {
    guard let bit = Self.bit(interrupt) else { return }
    state.interrupts.pending &= ~bit
  }

  /// Whether an external interrupt is pending.
  package func isPending(interrupt: Int) -> Bool {
    Self.bit(interrupt).map { state.interrupts.pending & $0 != 0 } ?? false
  }

  /// Whether an external interrupt is enabled.
  package func isEnabled(interrupt: Int) -> Bool {
    Self.bit(interrupt).map { state.interrupts.enabled & $0 != 0 } ?? false
  }

  /// Enables or disables an external interrupt, as a write to NVIC_ISER or NVIC_ICER does.
  package mutating func setEnabled(_ isEnabled: Bool, interrupt: Int) {
    guard let bit = Self.bit(interrupt) else { return }
    if isEnabled { state.interrupts.enabled |= bit } else { state.interrupts.enabled &= ~bit }
  }

  /// The priority of an external interrupt, 0 (first) to 7.
  package func priority(ofInterrupt interrupt: Int) -> UInt8 {
    Self.bit(interrupt) == nil ? 0 : state.interrupts.priorities[interrupt] >> 5
  }

  /// Sets the priority of an external interrupt, 0 (first) to 7.
  package mutating func setPriority(_ priority: UInt8, ofInterrupt interrupt: Int) {
    guard Self.bit(interrupt) != nil else { return }
    state.interrupts.priorities[interrupt] = priority << 5
  }

  /// Bit n: interrupt n was entered and not left.
  package var activeInterrupts: UInt64 { state.interrupts.active }

  /// The priority of the supervisor call's exception, 0 (first) to 7: which calls cannot get through depends on it.
  package var supervisorCallPriority: UInt8 {
    get { state.interrupts.systemPriorities[ExceptionNumber.supervisorCall] >> 5 }
    set { state.interrupts.systemPriorities[ExceptionNumber.supervisorCall] = newValue << 5 }
  }

  /// Whether any external interrupt is pending, enabled or not.
  package var isAnyInterruptPending: Bool { state.interrupts.pending != 0 }

  /// Whether there is a reason to end a sleep after WFE or WFI (ARMv7-M, B1.5.18 and B1.5.19); nil while it does not sleep.
  package var endsSleep: Bool? {
    switch state.sleep {
    case .awake: nil
    case .forEvent: state.hasEvent || state.exceptionToTake != 0
    case .forInterrupt: state.wakesFromInterrupt
    }
  }

  /// Sets the event register, as SEV or an event signal does: a WFE returns.
  package mutating func setEvent() { state.hasEvent = true }

  private static func bit(_ interrupt: Int) -> UInt64? {
    0..<interruptCount ~= interrupt ? 1 << UInt64(interrupt) : nil
  }
}
