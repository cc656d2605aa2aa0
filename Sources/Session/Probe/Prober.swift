import Bench
import Bytes
import HostStack
import Phone
import Probe
import Recorder
import Timeline
import World

/// What a probe tells while it goes on.
package enum ProbeEvent: Sendable {
  /// It begins with this, which takes about so long.
  case step(String, Duration)
  /// A step was given up, because of this.
  case gaveUp(String, PhoneFailure)
  /// A step was given up, because an instrument of the bench failed.
  case instrumentFailed(String, BenchFault)
}

/// Measures one recorder with the phone's own session, step after step.
///
/// Each step is an extension. It acts on the recorder, and gives what the log heard to an estimate of `Probe`. A step that
/// fails leaves its reason in the place of its figures, and the next one goes on.
struct Prober {
  /// Time that a packet takes between the air and a host, either way; real adapters need up to this.
  static let transit = Duration.milliseconds(3)

  let conversation: RecorderConversation
  let log: ProbeLog
  let twin: RecorderProfile
  /// A failure in words.
  let words: @Sendable (PhoneFailure) -> String
  let tell: @Sendable (ProbeEvent) -> Void
  let hearing: Hearing
  /// The constants that are wanted; steps for others are left out.
  let wanted: Set<ProbedConstant>
  /// What was found out so far.
  var recorder: MeasuredRecorder
  /// When the phone paired with the recorder; `nil` where it had done so before.
  var pairedAt: Instant?

  var phone: any RecorderPhone { conversation.phone }
  var address: BluetoothAddress { recorder.address }

  /// Runs an operation of the phone within its limit.
  func perform(_ operation: PhoneOperation) async throws -> PhoneResult { try await conversation.perform(operation) }

  /// Connects, and leaves the link without encryption.
  func connectUnsecured() async throws { _ = try await perform(.connectUnsecured(.address(address))) }

  /// Connects, and encrypts the link where there is a bond.
  func connect() async throws { _ = try await perform(.connectPlainly(.address(address))) }

  /// Ends the link, if there is one.
  func disconnect() async throws { _ = try await perform(.disconnect) }

  /// Lets time pass.
  ///
  /// - Throws: ``ControlFailure/ended(_:)`` when the user wants to stop.
  func pass(_ span: Duration) async throws(ControlFailure) {
    await phone.wait(span) { [conversation] in conversation.isInterrupted() }
    if conversation.isInterrupted() { throw .ended(.interrupted) }
  }

  /// Lets time pass while the link is there. Returns whether it is still there.
  ///
  /// - Throws: ``ControlFailure/ended(_:)`` when the user wants to stop.
  func stay(_ span: Duration, since begin: Instant) async throws(ControlFailure) -> Bool {
    await phone.wait(span) { [log, conversation] in
      log.disconnection(since: begin) != nil || conversation.isInterrupted()
    }
    if conversation.isInterrupted() { throw .ended(.interrupted) }
    return log.disconnection(since: begin) == nil
  }

  /// Runs a step, after a deed without which it is left out; what it cannot measure gets the reason. A step that no other
  /// needs is left out where none of its constants is wanted.
  mutating func run(
    _ name: String, _ length: Duration, for constants: [ProbedConstant], isNeeded: Bool = false,
    beginningWith deed: Deed? = nil,
    _ step: (inout Prober) async throws -> Void
  ) async throws {
    guard isNeeded || constants.isEmpty || !wanted.isDisjoint(with: constants) else { return }
    guard !conversation.isInterrupted() else { throw ControlFailure.ended(.interrupted) }
    do {
      if let deed { try await phone.perform(deed) }
      tell(.step(name, length))
      try await step(&self)
    } catch let failure as PhoneFailure {
      tell(.gaveUp(name, failure))
      for constant in constants { recorder.keep(constant, missing: words(failure)) }
      _ = try await phone.perform(.disconnect, within: RecorderConversation.connectionLimit)
    } catch ControlFailure.lacking(let capability) {
      for constant in constants { recorder.keep(constant, missing: "needs \(capability)") }
    } catch ControlFailure.bench(let fault) where !conversation.hasLostController() {
      // What needs only the radio, or another instrument, goes on.
      tell(.instrumentFailed(name, fault))
      for constant in constants { recorder.keep(constant, missing: fault.description) }
      _ = try await phone.perform(.disconnect, within: RecorderConversation.connectionLimit)
    }
  }
}

extension Duration {
  /// Nanoseconds, within the range of 64 bits.
  var nanosecondCount: Int64 {
    let (seconds, attoseconds) = components
    return Int64(clamping: Int128(seconds) * 1_000_000_000 + Int128(attoseconds) / 1_000_000_000)
  }
}

extension Measurement.Sample {
  /// The bounds of a time.
  init(_ one: Duration, _ other: Duration) { self.init(one.nanosecondCount, other.nanosecondCount) }
}
