import FirmwareImages
import ImageRecorder
import Processor

/// The schedules that reached something new, and everything that was reached.
package struct Corpus: Sendable {
  private struct Kept {
    let schedule: Schedule
    /// Whether it reached a landmark, and not only instructions.
    let reachedLandmark: Bool
    /// How often it was taken to be changed.
    var changes = 0
  }

  private var kept: [Kept] = []
  /// Whether the next one is of those that reached only instructions.
  private var isInstructionsTurn = false
  /// The instructions of a firmware that were executed; `nil` where none was.
  private var executed: Coverage?
  private var reached: Set<Landmark> = []

  package init() {}

  /// Takes what a run reached. `keeps` says whether the schedule may be changed further. Returns whether anything of it
  /// was new.
  @discardableResult
  package mutating func take(
    _ landmarks: Set<Landmark>, _ executed: Coverage? = nil, of schedule: Schedule, keeps: Bool
  ) -> Bool {
    let before = reached.count
    reached.formUnion(landmarks)
    let isNew = takeExecuted(executed)
    let reachedLandmark = reached.count > before
    guard isNew || reachedLandmark else { return false }
    if keeps { kept.append(Kept(schedule: schedule, reachedLandmark: reachedLandmark)) }
    return true
  }

  /// The schedules, oldest first.
  package var schedules: [Schedule] { kept.map(\.schedule) }

  /// The schedule to be changed next; `nil` where none is kept. It is the one that was changed least often, of several the
  /// newest: chosen evenly, old ones would be changed again and again, and what they lead to is known first. Those that reached
  /// a landmark and those that reached only instructions take turns: on an image the latter are many more.
  package mutating func nextToChange() -> Schedule? {
    defer { isInstructionsTurn.toggle() }
    let group = !isInstructionsTurn
    guard let place = leastChanged(reachedLandmark: group) ?? leastChanged(reachedLandmark: !group) else { return nil }
    kept[place].changes += 1
    return kept[place].schedule
  }

  private func leastChanged(reachedLandmark: Bool) -> Int? {
    var best: Int?
    for place in kept.indices where kept[place].reachedLandmark == reachedLandmark {
      if let best, kept[best].changes < kept[place].changes { continue }
      best = place
    }
    return best
  }

  /// Whether an instruction was executed that no run before had executed.
  private mutating func takeExecuted(_ other: Coverage?) -> Bool {
    guard let other else { return false }
    guard let before = executed?.count else {
      executed = other
      return other.count > 0
    }
    executed?.formUnion(other)
    return executed.map { $0.count > before } ?? false
  }

  /// How many pairs of state and event were seen.
  package var pairCount: Int { reached.count { if case .pair = $0 { true } else { false } } }

  /// How many transitions were taken.
  package var transitionCount: Int { reached.count - pairCount }

  /// How much of an image was executed; `nil` where nothing was.
  package func coverage(of image: FirmwareImage) -> ImageCoverage? {
    executed.map { ImageCoverage(image, executed: $0) }
  }

  /// Whether this was reached.
  package func hasReached(_ landmark: Landmark) -> Bool { reached.contains(landmark) }
}
