import Processor

/// What the image asks for: supervisor calls, and what they started.
extension SoftDeviceHost {
  /// Answers a supervisor call: reads R0 to R3, leaves the result in R0. Never traps, whatever the registers say.
  package mutating func call(_ number: UInt8, _ processor: inout CortexM4, at cycle: UInt64) {
    callCounts[Int(number)] += 1
    let call = SupervisorCall(number, processor, at: cycle)
    processor[register: 0] = perform(call, &processor).rawValue
  }

  private mutating func perform(_ call: SupervisorCall, _ processor: inout CortexM4) -> ErrorNumber {
    guard let entry = CallTable.entries[Int(call.number)] else {
      note(.unknownCall(call.number))
      return .notSupported
    }
    do throws(ErrorNumber) {
      switch entry.need {
      case .nothing: break
      case .enabled: if !state.isEnabled { throw .notEnabled }
      case .bluetooth: if !state.isBluetoothEnabled { throw .bluetoothNotEnabled }
      }
      try entry.perform(&self, call, &processor)
      return .success
    } catch {
      noteMistake(error, in: call)
      return error
    }
  }

  /// A bad pointer is told of already, with the pointer.
  private mutating func noteMistake(_ error: ErrorNumber, in call: SupervisorCall) {
    guard error.mistake != nil else { return }
    let isTold = findings.contains { if case .badPointer(call.number, _, _) = $0 { true } else { false } }
    if error != .invalidAddress || !isTold { note(.refused(call: call.number, error)) }
  }

  /// Something that took its time is done; what has become of no use since is passed over.
  package mutating func complete(
    _ completion: TimedCompletion.Completion, _ processor: inout CortexM4, at cycle: UInt64
  ) {
    switch completion {
    case .flash(let number): completeFlash(number, &processor)
    case .advertising(let number): completeAdvertising(number, at: cycle)
    case .clock(let number):
      guard state.clockRequest == number else { return }
      state.isClockRunning = true
      queue(.clockStarted)
    }
  }
}
