import Timeline

/// A supply without a supply: answers the SCPI that the bench speaks, and misbehaves on demand.
package struct SupplyServer {
  /// What is wrong with it.
  package enum Misbehaviour: Hashable, Sendable {
    /// It says that it does what it does not: the output stays where it was.
    case lies
    /// It does what it is told after so long.
    case lags(Duration)
    /// It stops answering.
    case isSilent
    /// It hangs up in the middle.
    case hangsUp
    /// It answers in words of its own.
    case babbles
  }

  /// What comes of a line.
  package enum Effect: Hashable, Sendable {
    /// Send an answer.
    case answer(String)
    /// The voltage at the terminals changes, in millivolts; 0 when the output is off.
    case output(millivolts: Int)
    /// Close the line.
    case hangUp
  }

  /// Millivolts from one voltage that it can be set to, to the next.
  package var step = 1
  /// What is wrong with it; `nil` for nothing.
  package var misbehaviour: Misbehaviour?

  private let identity: String
  private var setPoint: Int
  private var isOn = false
  private var channel = 1
  private var outputBefore = 0
  private var changedAt = Instant.zero
  /// The errors that nobody has asked for, oldest first.
  private var errors: [String] = []
  /// Errors that the queue holds; the last one says that there were more (SCPI-99, 21.8.1).
  private static let longestQueue = 16

  /// A supply that is off and set to a voltage, in millivolts.
  package init(identity: String, millivolts: Int = 3_700) {
    self.identity = identity
    setPoint = millivolts
  }

  /// Takes a line, while this much current is drawn.
  package mutating func handle(_ line: String, at now: Instant, microamperes: Int = 0) -> [Effect] {
    switch misbehaviour {
    case .isSilent: return []
    case .hangsUp: return [.hangUp]
    case .babbles where line.hasSuffix("?"): return [.answer("WARMING UP")]
    default: break
    }
    switch line.uppercased() {
    case "*IDN?": return [.answer(identity)]
    case "SYST:ERR?": return [.answer(errors.isEmpty ? "0,\"No error\"" : errors.removeFirst())]
    case "*CLS":
      errors.removeAll()
      return []
    case "VOLT?": return [.answer(SCPINumber.volts(setPoint))]
    case "OUTP?": return [.answer(isOn ? "1" : "0")]
    case "INST:NSEL?": return [.answer(String(channel))]
    case "MEAS:VOLT?": return [.answer(SCPINumber.volts(measured(at: now)))]
    case "MEAS:CURR?": return [.answer(SCPINumber.amperes(isOn ? microamperes : 0))]
    case "OUTP ON": return change(at: now) { $0.isOn = true }
    case "OUTP OFF": return change(at: now) { $0.isOn = false }
    case let text where text.hasPrefix("VOLT "):
      guard let millivolts = SCPINumber.millivolts(String(text.dropFirst(5))), (0...6_000).contains(millivolts) else {
        return fail("-222,\"Data out of range\"")
      }
      return change(at: now) { $0.setPoint = millivolts / $0.step * $0.step }
    case let text where text.hasPrefix("INST:NSEL "):
      if let number = Int(text.dropFirst(10)), (1...3).contains(number) { channel = number }
      return []
    default:
      return fail("-113,\"Undefined header\"")
    }
  }

  private mutating func fail(_ error: String) -> [Effect] {
    if errors.count < Self.longestQueue { errors.append(error) }
    if errors.count == Self.longestQueue { errors[Self.longestQueue - 1] = "-350,\"Queue overflow\"" }
    return []
  }

  private func measured(at now: Instant) -> Int {
    switch misbehaviour {
    case .lies: outputBefore
    case .lags(let delay) where now < changedAt.advanced(by: delay): outputBefore
    default: isOn ? setPoint : 0
    }
  }

  private mutating func change(at now: Instant, _ body: (inout Self) -> Void) -> [Effect] {
    outputBefore = measured(at: now)
    body(&self)
    changedAt = now
    return misbehaviour == .lies ? [] : [.output(millivolts: isOn ? setPoint : 0)]
  }
}
