/// Generated faults that no scenario can notice, and why.
enum Equivalences {
  /// The reason for a fault of this name; `nil` where a scenario should notice it.
  static func reason(for name: String) -> String? { reasons.first { $0.names.contains(name) }?.reason }

  /// The names of all of them.
  static var names: [String] { reasons.flatMap { $0.names.sorted() } }

  private struct Reason {
    let reason: String
    let names: Set<String>

    init(_ reason: String, _ names: Set<String>) {
      self.reason = reason
      self.names = names
    }
  }

  private static let reasons: [Reason] = []
}
