import Phone
import Synchronization
import World

/// What a pull tells while it goes on.
package enum PullEvent: Sendable {
  /// More octets of a record arrived.
  case progress(TransferProgress)
  /// A record is in the library; `count` of them were fetched by this pull.
  case stored(identifier: String, octets: UInt32, count: Int)
  /// A connection is over, whatever it came to.
  case connectionEnded
  /// The connection was lost, and is made again for what is still missing.
  case retrying(PhoneFailure, attempt: Int, attempts: Int)
  /// Nothing more is tried.
  case gaveUp(PullTotals)
}

/// What a pull came to.
package struct PullResult: Sendable {
  /// What the last connection did.
  package var summary: SyncSummary
  /// What all connections did.
  package var totals: PullTotals
  /// How many connections it took.
  package var attempts: Int
}

extension RecorderConversation {
  /// The longest that fetching everything may take.
  private static let pullLimit = Duration.seconds(4 * 3_600)

  /// Pairs where that is needed, and fetches every new record. A lost connection is made again for what is still missing,
  /// until `attempts` connections one after the other brought nothing new. After each one, also one that is interrupted,
  /// `write` writes the library's records to files, and returns which are new there.
  package func pull(
    attempts: Int, write: ([LibraryEntry]) throws -> [String], tell: @escaping @Sendable (PullEvent) -> Void
  ) async throws -> PullResult {
    let meter = PullMeter(self, tell)
    await phone.onEvent { meter.take($0) }
    var fruitless = 0
    for attempt in 1... {
      let before = meter.totals.downloaded
      let result: Result<SyncSummary, PhoneFailure>
      do { result = try await fetch() } catch {
        // What has arrived is not kept from its owner, whatever ended the conversation.
        tell(.connectionEnded)
        if let records = try? await phone.records(), let written = try? write(records) { meter.add(written: written) }
        tell(.gaveUp(meter.totals))
        throw error
      }
      fruitless = meter.totals.downloaded > before ? 0 : fruitless + 1
      tell(.connectionEnded)
      meter.add(written: try write(try await phone.records()))
      switch result {
      case .success(let summary): return PullResult(summary: summary, totals: meter.totals, attempts: attempt)
      case .failure(let failure):
        guard fruitless < attempts, failure.isLostConnection, !hasLostController() else {
          tell(.gaveUp(meter.totals))
          throw failure
        }
        // Each connection that brought something leaves as many attempts as there were in the beginning.
        tell(.retrying(failure, attempt: attempt + 1, attempts: attempt + attempts - fruitless))
        _ = try await phone.perform(.disconnect, within: Self.connectionLimit)
      }
    }
    throw PhoneFailure.abandoned
  }

  /// One connection: pairs where needed, and fetches what is missing.
  private func fetch() async throws -> Result<SyncSummary, PhoneFailure> {
    do {
      try await connect()
      _ = try await pairWhereNeeded()
      let result = try await phone.perform(.sync(choice, finishes: true), within: Self.pullLimit).get()
      guard case .synced(let summary) = result else { return .failure(.abandoned) }
      return .success(summary)
    } catch let failure as PhoneFailure {
      return .failure(failure)
    }
  }
}

/// Follows the phone's events during a pull.
private final class PullMeter: Sendable {
  private let conversation: RecorderConversation
  private let tell: @Sendable (PullEvent) -> Void
  private let meter = Mutex(TransferMeter())

  init(_ conversation: RecorderConversation, _ tell: @escaping @Sendable (PullEvent) -> Void) {
    self.conversation = conversation
    self.tell = tell
  }

  var totals: PullTotals { meter.withLock { $0.totals } }

  func add(written: [String]) { meter.withLock { $0.add(written: written) } }

  func take(_ event: PhoneEvent) {
    switch event {
    case .progress(let identifier, let received, let total):
      let now = conversation.phone.now
      tell(.progress(meter.withLock { $0.progress(identifier, received, of: total, at: now) }))
    case .recordStored(let identifier, let octets):
      let count = meter.withLock { meter in
        meter.stored(octets)
        return meter.totals.downloaded
      }
      tell(.stored(identifier: identifier, octets: octets, count: count))
    default: break
    }
  }
}

extension PhoneFailure {
  /// Whether the connection was lost, so that making it again may help.
  fileprivate var isLostConnection: Bool {
    switch self {
    case .disconnected, .noAnswer, .connectionFailed, .notConnected: true
    default: false
    }
  }
}
