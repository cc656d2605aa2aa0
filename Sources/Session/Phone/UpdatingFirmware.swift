import Phone
import SecureDFU

extension RecorderConversation {
  /// The longest that an update may take: the largest image over a bad link, with every break it may have.
  private static let updateLimit = Duration.seconds(4 * 3_600)

  /// Installs firmware, over as many connections as that takes. `tell` is told how far it is.
  package func update(
    _ order: FirmwareOrder, tell: @escaping @Sendable (UpdateState) -> Void
  ) async throws -> UpdateSummary {
    await phone.onEvent { event in
      if case .update(let state) = event { tell(state) }
    }
    let result = try await phone.perform(.update(order, choice), within: Self.updateLimit).get()
    guard case .updated(let summary) = result else { throw PhoneFailure.abandoned }
    return summary
  }

  /// Connects, and finds out which hardware and firmware the recorder has.
  package func versions() async throws -> VersionReport {
    try await connect()
    guard case .versions(let report) = try await perform(.reportVersions) else { throw PhoneFailure.abandoned }
    return report
  }
}
