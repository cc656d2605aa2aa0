import Synchronization

/// Tells one state of something from every other state of anything. The numbers themselves mean nothing and differ from run
/// to run.
struct ChangeMark: Equatable {
  private static let count = Atomic<UInt64>(0)
  let number: UInt64

  init() { number = Self.count.add(1, ordering: .relaxed).newValue }
}
