import YAML
import Bytes
import ScenarioLanguage
import Timeline
import World

/// An instrument, program or person that does something to one recorder.
///
/// A new kind is a folder with an actuator and its ``ActuatorPlan``, and the plan's line in ``ActuatorKinds/all``.
protocol Actuator: AnyObject {
  /// Makes sure that it is the one that the bench file states. Nothing is changed, and the recorder may be off.
  ///
  /// - Returns: what identifies it.
  func identify() async throws(ControlFailure) -> [BenchTrait]
  /// Brings the recorder, which should be awake, to what the bench file states, and makes sure that it is at the other end.
  func prepareRecorder() async throws(ControlFailure) -> [BenchTrait]
  /// Makes sure that the recorder runs what the bench file states, once it is known whose recorder it is.
  func verifyRecorder() async throws(ControlFailure)
  /// Remembers the state in which the recorder's power is found, before it is changed first.
  func rememberPower() async throws(ControlFailure)
  /// Does something; false when that is left to the next actuator, wholly or in part. `isRestoring` is set after a
  /// scenario, when nobody is asked to confirm anything.
  func perform(_ deed: Deed, isRestoring: Bool) async throws(ControlFailure) -> Bool
  /// Brings the recorder's power back to what ``rememberPower()`` found.
  func restore() async throws(ControlFailure)
  /// Whether a question was not answered, after which no other will be.
  var isBroken: Bool { get }
  /// Whether the power that it took away must be given again, because nobody can look how the power was found.
  var forgetsPower: Bool { get }
  /// Opens its line again, after ``close()``.
  func reopen() throws(ControlFailure)
  /// Gives its line back.
  func close()
}

extension Actuator {
  func identify() async throws(ControlFailure) -> [BenchTrait] { [] }
  func prepareRecorder() async throws(ControlFailure) -> [BenchTrait] { [] }
  func verifyRecorder() async throws(ControlFailure) {}
  func rememberPower() async throws(ControlFailure) {}
  func perform(_ deed: Deed, isRestoring: Bool) async throws(ControlFailure) -> Bool { false }
  func restore() async throws(ControlFailure) {}
  var isBroken: Bool { false }
  var forgetsPower: Bool { false }
  func reopen() throws(ControlFailure) {}
  func close() {}
}

/// What the bench file states about one actuator.
protocol ActuatorPlan: Sendable {
  /// The field of a recorder's entry in the bench file.
  static var key: any FieldKey { get }
  /// Reads what is stated; `nil` where nothing is.
  static func stated(in arguments: Arguments) -> Self?

  /// What it can do completely.
  var purposes: [Purpose] { get }
  /// Whether a person does it.
  var isByHand: Bool { get }
  /// Whether it looks into the recorder or writes into it, so that the recorder has to be awake before a run.
  var needsRecorder: Bool { get }
  /// The line at which it is reached; `nil` for none.
  var line: LineResource? { get }
  /// Whether ``line`` has to be stated.
  var needsLine: Bool { get }
  /// The full paths of the programs that it runs, with their arguments.
  var programs: [[String]] { get }
  /// The files that it needs, seen from where the program runs, and where they are stated.
  var files: [(SourceLocation?, String)] { get }
  /// How much longer than predicted it may take to bring about what a scenario begins with.
  var patience: Duration { get }
  /// What the recorder reports of its battery and what is true, where this actuator's entry says so.
  var ownCalibration: Calibration? { get }
  /// Takes over the recorder's calibration, where it has none of its own.
  mutating func adopt(_ calibration: Calibration)
  /// What is wrong with the entry, besides its line, programs and calibration.
  func problems(at place: SourceLocation) -> [Diagnostic]

  /// Opens it; `nil` where it can do nothing here.
  func open(at site: ActuatorSite) throws(ControlFailure) -> (any Actuator)?
  /// How the check-up looks at it; `nil` where there is nothing to look at.
  var look: InstrumentLook? { get }
}

extension ActuatorPlan {
  var purposes: [Purpose] { [] }
  var isByHand: Bool { false }
  var needsRecorder: Bool { false }
  var line: LineResource? { nil }
  var needsLine: Bool { false }
  var programs: [[String]] { [] }
  var files: [(SourceLocation?, String)] { [] }
  var patience: Duration { .zero }
  var ownCalibration: Calibration? { nil }
  mutating func adopt(_ calibration: Calibration) {}
  func problems(at place: SourceLocation) -> [Diagnostic] { [] }
  var look: InstrumentLook? { nil }

  /// The abilities for which it does everything that belongs to them.
  var abilities: [Ability] { Ability.allCases.filter { $0.purposes.allSatisfy(purposes.contains) } }
}

/// How the check-up looks at an instrument. Nothing is set, pressed, reset or halted.
struct InstrumentLook: Sendable {
  /// What the instrument is called, such as `supply`.
  let kind: String
  /// The kind of fault that is excused while the recorder is off; `nil` for none.
  let excusedWhileOff: BenchFault.Cause?
  /// Looks at the instrument of a recorder; a name for its trait is given.
  let look:
    @Sendable (_ name: String, _ recorder: BluetoothAddress, EventLoop, Waits) async throws(ControlFailure) ->
      [BenchTrait]
}

/// The recorder at which actuators stand, and what they share.
final class ActuatorSite {
  /// The recorder's address.
  let address: BluetoothAddress
  /// What the recorder reports of its battery, and what is true.
  let calibration: Calibration
  /// Whether somebody has measured that.
  let isCalibrated: Bool
  /// Where an operator is asked; `nil` when nobody attends.
  let attended: OperatorPlace?
  let loop: EventLoop
  let waits: Waits
  /// Makes who sees whether the operator did something; `nil` where nobody can.
  var makeWitness: ([Deed]) -> (any PromptWitness)? = { _ in nil }
  /// Whether a supply feeds the recorder at its rail, after its power latch, which does not matter then.
  var isRailFed = false
  /// Told the SHA-256 of an image that was written to the recorder.
  var onWritten: ((String) -> Void)?
  /// Whether what is done by the instruments reaches the recorder with its address.
  var belonging = Belonging.unknown("no check has found out whose it is")

  init(
    _ address: BluetoothAddress, _ calibration: Calibration, isCalibrated: Bool, attended: OperatorPlace?,
    on loop: EventLoop, _ waits: Waits
  ) {
    self.address = address
    self.calibration = calibration
    self.isCalibrated = isCalibrated
    self.attended = attended
    self.loop = loop
    self.waits = waits
  }

  /// Who sees whether the operator did something; `nil` where nobody does.
  func witness(of deeds: [Deed]) -> (any PromptWitness)? { makeWitness(deeds) }

  /// What must be at the battery's terminals, in millivolts, for the recorder to report this.
  func terminalMillivolts(reported: Int) -> Int { max(0, calibration.actual(reported: reported)) }

  /// Nothing is destroyed that may be another recorder's.
  func requireBelonging(of instrument: String, for deed: String) throws(ControlFailure) {
    guard case .unknown(let reason) = belonging else { return }
    throw .bench(
      "nothing was \(deed), because it is not certain that the \(instrument) belongs to \(address): \(reason)")
  }
}

/// Whether what a bench does by its instruments is done to the recorder with the address of the bench file.
package enum Belonging: Hashable, Sendable {
  /// The air and the instruments told the same.
  case seen
  /// Nobody could see it; why, and what to do.
  case unknown(String)
}
