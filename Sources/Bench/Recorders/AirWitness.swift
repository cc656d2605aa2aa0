import Timeline
import World

/// Sees by a scanner whether an operator switched a recorder on or off, where the bench has neither a console nor a supply
/// that measures.
///
/// A recorder that was silent, although nobody was connected to it, and advertises now was pressed, or given power. One that
/// advertises has power. Silence tells nothing: a recorder that is on may be silent too.
final class AirWitness: PromptWitness {
  /// Told when everything that was asked for has been seen.
  var onSeen: (() -> Void)?

  private let deeds: [Deed]
  private let ear: RecorderEar
  private let patience: Duration
  private let latency: Duration
  private let loop: EventLoop
  private let waits: Waits
  /// Which deeds were seen since the prompt.
  private var seen: [Bool]
  /// When it was last heard since the prompt.
  private var heardAt: Instant?

  /// A witness of deeds to the recorder that is listened to; `nil` where nobody listens.
  init?(_ deeds: [Deed], hearing ear: RecorderEar, on loop: EventLoop, _ waits: Waits) {
    guard let scanner = ear.scanner else { return nil }
    (patience, latency) = scanner
    self.deeds = deeds
    self.ear = ear
    self.loop = loop
    self.waits = waits
    seen = deeds.map { _ in false }
  }

  /// Begins to look, when the prompt is shown.
  func begin() {
    seen = deeds.map { _ in false }
    heardAt = nil
    ear.onHeard = { [weak self] in self?.hear(after: $0) }
  }

  /// Stops looking.
  func end() { ear.onHeard = nil }

  /// Whether everything that was asked for has been seen.
  var isConvinced: Bool { !seen.contains(false) }

  /// What was seen, for reports; `nil` for nothing.
  var account: String? { seen.contains(true) ? "the scanner: it advertises" : nil }

  private func hear(after silence: Duration?) {
    heardAt = loop.now
    guard let silence, silence >= patience else { return }
    for (index, deed) in deeds.enumerated() where deed == .powerOn || deed == .press { seen[index] = true }
    if isConvinced { onSeen?() }
  }

  /// What contradicts the operator, who says that it is done; `nil` for nothing.
  ///
  /// - Throws: ``ControlFailure/ended(_:)`` where the step is given up meanwhile.
  func contradiction() async throws(ControlFailure) -> String? {
    guard deeds.contains(.cutPower) else { return nil }
    // What was on its way to us when the power was cut tells nothing.
    let cut = loop.now.advanced(by: latency)
    if case .failure(let end) = await waits.pass(patience, on: loop) { throw .ended(end) }
    return heardAt.map { $0 > cut } == true ? "the scanner hears it advertise, so it has power" : nil
  }
}
