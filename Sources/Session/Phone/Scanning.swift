import Phone

/// What a scan heard.
package struct ScanResult: Sendable {
  /// The recorders that the user means, in the order in which they were first heard.
  package var recorders: [RecorderSighting]
  /// How long the phone listened.
  package var span: Duration

  /// How long before the end of the scan a recorder was last heard.
  package func age(of recorder: RecorderSighting) -> Duration {
    max(.zero, span - .nanoseconds(Int64(clamping: recorder.lastHeardNanoseconds)))
  }
}

extension RecorderConversation {
  /// Listens for recorders.
  package func scan(for span: Duration) async throws -> ScanResult {
    guard case .recorders(let all) = try await phone.perform(.scan(span), within: span + .seconds(30)).get() else {
      throw PhoneFailure.abandoned
    }
    return ScanResult(recorders: all.filter(isMeant), span: span)
  }

  /// Whether the user means a recorder that was heard.
  private func isMeant(_ recorder: RecorderSighting) -> Bool {
    guard case .address(let address) = choice else { return true }
    return recorder.address == address || recorder.identity == address
  }
}
