import HostStack
import Timeline

extension PhoneApplication {
  /// What it will do when it syncs, in words, with times counted from `instant` and without tokens and numbers that
  /// only have to differ.
  ///
  /// Two applications of one configuration with the same words and equal libraries do the same from then on, as long as
  /// they are asked for nothing but syncs. What they are waiting for, timers included, is part of the words; when a
  /// timer will fire is not, except for the pause before the next request.
  package func outline(at instant: Instant) -> String {
    let trouble = troubledRecords.map { "\($0.identifier)×\(min($0.times, Self.troubleLimit))" }
    let link = link.map { "link \($0.maximumTransmissionUnit)\($0.attributes == nil ? "" : " known")" } ?? "no link"
    let timers = "\(step.isRunning ? " timed" : "")\(battery.isReading ? " reading" : "")"
    return "\(power) \(running?.outline ?? "idle")\(timers), \(link) \(linkState.state)\(search.outline), "
      + "battery \(battery.level.map { "\($0)" } ?? "unknown")\(battery.isLow ? " low" : ""), "
      + "trouble \(trouble), \(exchange.outline(at: instant))"
  }

  /// Whether the end of this procedure of the GATT client is awaited.
  package func awaits(_ token: ClientToken) -> Bool {
    if case .preparing(let preparation) = running?.stage, preparation.procedure == token { return true }
    return token == exchange.procedure
  }

  /// Whether it runs no operation.
  package var isIdle: Bool { running == nil && queue.isEmpty }

  /// The first event that one of its state charts has no transition for; `nil` where it moved as they say.
  package var refusedEvent: String? {
    (linkState.log.refusal ?? exchange.state.log.refusal).map { "\($0)" }
  }
}

extension RecorderSearch {
  /// What it is doing, in words.
  fileprivate var outline: String { "\(isListening ? " listening" : "")\(attempt == nil ? "" : " attempting")" }
}

extension RunningOperation {
  /// Where it is, in words. Of the stages that no sync has, only the names.
  fileprivate var outline: String {
    let place =
      switch stage {
      case .preparing(let preparation): "preparing \(preparation.step)"
      case .closing(let result): "closing \(result)"
      case .sizing(let identifier): "sizing \(identifier)"
      case .fetching(let identifier, let number): "fetching \(identifier) \(number?.rawValue ?? 0)"
      case .listing: "listing"
      case .finding: "finding"
      case .connecting: "connecting"
      case .checkingSpace: "checking space"
      case .finishing: "finishing"
      default: "elsewhere"
      }
    let rest = plan.remaining.map { "\($0.identifier) \($0.settledSize.map { "\($0)" } ?? "new")" }
    return "\(place) attempts \(attemptsLeft) rest \(rest) failed \(plan.firstFailure.map { "\($0)" } ?? "none")"
  }
}

extension TimerToken {
  /// Whether this timer of the phone's application limits the time of its running step.
  package var limitsStep: Bool { owner == .application && kind == ApplicationTimer.Kind.step.rawValue }
  /// Whether this timer of the phone's application is its pause before the next request.
  package var endsPause: Bool { owner == .application && kind == ApplicationTimer.Kind.settle.rawValue }
}
