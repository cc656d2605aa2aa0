import FirmwareImages
import ImageRecorder
import Processor

/// The schedules that reached something new, and everything that was reached.
package struct Corpus: Sendable {
  /// The schedules, oldest first.
  package private(set) var schedules: [Schedule] = []
  /// How often each was taken to be changed.
  private var changes: [Int] = []
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
    guard isNew || reached.count > before else { return false }
    if keeps {
      schedules.append(schedule)
      changes.append(0)
    }
    return true
  }

  /// The schedule to be changed next; `nil` where none is kept. It is the one that was changed least often, of several the
  /// newest: chosen evenly, old ones would be changed again and again, and what they lead to is known first.
  package mutating func nextToChange() -> Schedule? {
    guard let least = changes.min(), let place = changes.lastIndex(of: least) else { return nil }
    changes[place] += 1
    return schedules[place]
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
