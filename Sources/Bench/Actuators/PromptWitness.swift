import World

/// Sees whether an operator did what a prompt asks for.
protocol PromptWitness: AnyObject {
  /// Told when everything that was asked for has been seen.
  var onSeen: (() -> Void)? { get set }
  /// Whether everything that was asked for has been seen.
  var isConvinced: Bool { get }
  /// What was seen, for reports; `nil` for nothing.
  var account: String? { get }
  /// Begins to look, when the prompt is shown.
  func begin()
  /// What contradicts the operator, who says that it is done; `nil` for nothing.
  ///
  /// - Throws: ``ControlFailure/ended(_:)`` where the step is given up meanwhile.
  func contradiction() async throws(ControlFailure) -> String?
  /// Stops looking.
  func end()
}
