import Bytes
import HostStack
import Probe
import Recorder
import Session
import Synchronization
import Text

/// Shows what `probe` does and finds, as lines or as a document.
struct ProbeScreen: Sendable {
  let output: ResultOutput
  /// The simulated recorder that the measured one is compared with.
  let twin: RecorderProfile
  private let instruments = InstrumentTroubles()

  init(output: ResultOutput, twin: RecorderProfile) {
    self.output = output
    self.twin = twin
  }

  /// Whether an instrument failed, so that figures are missing because of the bench.
  var hasSeenBenchFail: Bool { instruments.areSeen.withLock { $0 } }

  func show(_ event: ProbeEvent) {
    switch event {
    case .step(let words, let length):
      output.console.note("\(words) (about \(DurationText.text(length)))")
    case .gaveUp(let words, let failure): output.console.note("gave up: \(words): \(failure.sentence)")
    case .instrumentFailed(let words, let fault):
      output.console.note("gave up: \(words): \(fault)")
      instruments.areSeen.withLock { $0 = true }
    }
  }

  func show(_ recorder: MeasuredRecorder, writtenTo path: String) {
    let distance = Distance(of: recorder, from: twin)
    output.show(document(recorder, distance, path), lines(recorder, distance, path))
  }

  // MARK: Lines

  private func lines(_ recorder: MeasuredRecorder, _ distance: Distance, _ path: String) -> [String] {
    figures(recorder)
      + ProbedConstant.allCases.compactMap { constant in
        recorder.figures[constant] == nil ? recorder.reasons[constant].map { "\(constant.rawValue): \($0)" } : nil
      }
      + differences(distance) + ["written to \(path)"]
  }

  private func figures(_ recorder: MeasuredRecorder) -> [String] {
    let named = ProbedConstant.allCases.compactMap { constant in
      recorder.figures[constant].map { (constant.rawValue, $0) }
    }
    return (named + recorder.observations.map { ($0.name, $0.figure) }).map { "\($0.0): \(Self.text($0.1))" }
  }

  private static func text(_ figure: Figure) -> String {
    "\(figure.unit.text(figure.value)) ± \(figure.unit.text(figure.spread)), "
      + "\(Wording.count(figure.samples, "sample")), \(figure.method)"
  }

  private func differences(_ distance: Distance) -> [String] {
    if distance.isEmpty { return ["like \(twin.name), as far as it was measured"] }
    return distance.differences.map { difference in
      let unit = difference.measured.unit
      return "differs from \(twin.name): \(difference.constant.rawValue) is \(unit.text(difference.measured.value)) ± "
        + "\(unit.text(difference.measured.spread)) instead of \(unit.text(difference.twin))"
    } + distance.phrases.map { "differs from \(twin.name): \($0)" }
  }

  // MARK: Document

  private func document(_ recorder: MeasuredRecorder, _ distance: Distance, _ path: String) -> JSONValue {
    .object([
      ("recorder", .string("\(recorder.address)")), ("twin", .string(twin.name)), ("file", .string(path)),
      (
        "figures",
        .array(
          ProbedConstant.allCases.compactMap { constant in
            recorder.figures[constant].map { Self.document(constant.rawValue, $0) }
          } + recorder.observations.map { Self.document($0.name, $0.figure) })
      ),
      (
        "missing",
        .array(
          ProbedConstant.allCases.compactMap { constant in
            guard recorder.figures[constant] == nil, let reason = recorder.reasons[constant] else { return nil }
            return .object([("name", .string(constant.rawValue)), ("reason", .string(reason))])
          })
      ),
      (
        "accesses",
        .array(
          recorder.accesses.map { .object([("attempt", .string($0.attempt)), ("result", .string($0.result))]) })
      ),
      (
        "differences",
        .array(
          distance.differences.map { difference in
            .object([
              ("name", .string(difference.constant.rawValue)),
              ("measured", .string(difference.measured.unit.text(difference.measured.value))),
              ("twin", .string(difference.measured.unit.text(difference.twin))),
            ])
          })
      ),
      ("otherDifferences", .strings(distance.phrases)),
    ])
  }

  private static func document(_ name: String, _ figure: Figure) -> JSONValue {
    .object([
      ("name", .string(name)), ("value", .string(figure.unit.text(figure.value))),
      ("spread", .string(figure.unit.text(figure.spread))), ("samples", .integer(figure.samples)),
      ("how", .string(figure.method)),
    ])
  }
}

/// Remembers that an instrument failed, of which the conversation tells from its own thread.
private final class InstrumentTroubles: Sendable {
  let areSeen = Mutex(false)
}
