import Timeline
import World

/// Sees by a supply's current whether an operator switched a recorder on or off, where the bench has no console.
///
/// Only what changed after the prompt confirms it by itself: a recorder that was off and is on was pressed, or given power.
final class CurrentWitness: PromptWitness {
  /// Told when everything that was asked for has been seen.
  var onSeen: (() -> Void)?

  private let deeds: [Deed]
  private let supply: SupplyLink
  private let plan: CurrentPlan
  private let loop: EventLoop
  private let waits: Waits
  /// What was seen of each deed since the prompt; `nil` for nothing.
  private var seen: [String?]
  private var sense: CurrentSense
  /// Whether the recorder was off after the prompt.
  private var wasOff = false
  private var poll: ScheduledEvent?

  /// Time from one reading to the next.
  private static let pace = Duration.milliseconds(100)
  /// The supply may be asked for something else in between.
  private static let longestGap = pace * 5
  /// Beyond the time that the bench file states, until it is told that nothing can be told.
  private static let room = Duration.seconds(2)

  /// A witness of deeds to the recorder at a supply.
  init(_ deeds: [Deed], at supply: SupplyLink, _ plan: CurrentPlan, on loop: EventLoop, _ waits: Waits) {
    self.deeds = deeds
    self.supply = supply
    self.plan = plan
    self.loop = loop
    self.waits = waits
    seen = deeds.map { _ in nil }
    sense = Self.freshSense(plan)
  }

  deinit { if let poll { loop.cancel(poll) } }

  private static func freshSense(_ plan: CurrentPlan) -> CurrentSense { CurrentSense(plan, longestGap: longestGap) }

  /// Begins to look, when the prompt is shown.
  func begin() {
    end()
    seen = deeds.map { _ in nil }
    sense = Self.freshSense(plan)
    wasOff = false
    lookLater()
  }

  /// Stops looking.
  func end() {
    if let poll { loop.cancel(poll) }
    poll = nil
  }

  /// Whether everything that was asked for has been seen.
  var isConvinced: Bool { !seen.contains(nil) }

  /// What was seen, for reports; `nil` for nothing.
  var account: String? {
    let facts = seen.compactMap { $0 }
    return facts.isEmpty ? nil : facts.joined(separator: ", ")
  }

  private func lookLater() {
    poll = loop.schedule(after: Self.pace, .background) { [weak self] in
      guard let self else { return }
      let askedAt = loop.now
      // Whoever uses the supply is told by it when something is wrong.
      supply.look { [weak self] reading in
        if case .success(let current) = reading { self?.take(current, askedAt) }
      }
      lookLater()
    }
  }

  private func take(_ microamperes: Int, _ askedAt: Instant) {
    _ = sense.take(microamperes: microamperes, askedAt: askedAt, answeredAt: loop.now)
    guard let isOn = sense.isOn else { return }
    if !isOn { wasOff = true }
    for (index, deed) in deeds.enumerated() {
      switch deed {
      case .powerOn, .press: if isOn, wasOff { seen[index] = "\(CurrentSense.name): it went on" }
      case .cutPower: seen[index] = isOn ? nil : "\(CurrentSense.name): it is off"
      default: break
      }
    }
    if isConvinced { onSeen?() }
  }

  /// What contradicts the operator, who says that it is done; `nil` for nothing.
  ///
  /// - Throws: ``ControlFailure/ended(_:)`` where the step is given up meanwhile.
  func contradiction() async throws(ControlFailure) -> String? {
    let wanted = deeds.indices.filter { seen[$0] == nil && (deeds[$0] == .powerOn || deeds[$0] == .cutPower) }
    guard !wanted.isEmpty else { return nil }
    sense = Self.freshSense(plan)
    let deadline = loop.now.advanced(by: plan.within + plan.lag + Self.room)
    while sense.isOn == nil, loop.now < deadline {
      if case .failure(let end) = await waits.pass(Self.pace, on: loop) { throw .ended(end) }
    }
    guard let isOn = sense.isOn else { return nil }
    for index in wanted {
      guard isOn == (deeds[index] == .powerOn) else {
        return "\(CurrentSense.name) shows that the recorder is \(isOn ? "on" : "off")"
      }
      seen[index] = "\(CurrentSense.name): it is \(isOn ? "on" : "off")"
    }
    return nil
  }
}
