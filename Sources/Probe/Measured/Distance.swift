import Bytes
import HostStack
import Recorder

/// In what a measured recorder differs from its twin.
package struct Distance: Hashable, Sendable {
  /// A constant that differs beyond its spread.
  package struct Difference: Hashable, Sendable {
    /// Which.
    package var constant: ProbedConstant
    /// What was measured.
    package var measured: Figure
    /// What the twin has, in small units.
    package var twin: Int64
  }

  /// The constants, in the order in which they are declared.
  package var differences: [Difference] = []
  /// Every difference of the attributes and of the advertising data, as one phrase.
  package var phrases: [String] = []

  /// Whether the recorder is like its twin as far as it was measured.
  package var isEmpty: Bool { differences.isEmpty && phrases.isEmpty }

  /// Compares a recorder with a profile.
  package init(of recorder: MeasuredRecorder, from twin: RecorderProfile) {
    var expected = twin
    // Where the ticks explain the time-outs, these are not told once more.
    if let tick = recorder.figures[.tick], tick.excludes(ProbedConstant.tick.value(of: twin)) {
      ProbedConstant.tick.set(tick.value, in: &expected)
      differences.append(
        Difference(constant: .tick, measured: tick, twin: ProbedConstant.tick.value(of: twin)))
    }
    for constant in ProbedConstant.allCases where constant != .tick {
      guard let figure = recorder.figures[constant] else { continue }
      let value = constant.value(of: expected)
      if figure.excludes(value) { differences.append(Difference(constant: constant, measured: figure, twin: value)) }
    }
    if let data = recorder.advertisingData, data != twin.advertisingData {
      phrases.append("advertising data are \(Hexadecimal.string(data))")
    }
    if let data = recorder.scanResponse, data != twin.scanResponseData {
      phrases.append("scan response is \(Hexadecimal.string(data))")
    }
    if !recorder.services.isEmpty {
      phrases += AttributeComparison.differences(recorder.services, from: twin.attributes.discovered)
    }
  }

  /// Whether a constant is named.
  package func names(_ constant: ProbedConstant) -> Bool { differences.contains { $0.constant == constant } }
}
