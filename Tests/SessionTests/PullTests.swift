import Foundation
import Phone
import Synchronization
import Testing
import Timeline
import World

@testable import Session

@Suite struct Pulls {
  /// What a pull told, in words.
  private final class Log: Sendable {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock { $0 } }

    func take(_ event: PullEvent) {
      let line =
        switch event {
        case .progress(let progress): "\(progress.percent) %"
        case .stored(let identifier, let octets, let count): "\(identifier) \(octets) \(count)"
        case .connectionEnded: "end"
        case .retrying(_, let attempt, let attempts): "attempt \(attempt) of \(attempts)"
        case .gaveUp(let totals): "gave up after \(totals.downloaded)"
        }
      kept.withLock { $0.append(line) }
    }
  }

  private static func summary(_ listed: Int) -> PhoneResult {
    var summary = SyncSummary()
    summary.listed = listed
    return .synced(summary)
  }

  /// Breaks the connection in the middle of each of the first `breaks` syncs; each sync brings one record.
  private static func phone(breaks: Int, with failure: PhoneFailure = .noAnswer) -> ScriptedPhone {
    let syncs = Mutex(0)
    return ScriptedPhone { operation, phone in
      guard case .sync = operation else { return .success(.done) }
      let number = syncs.withLock { syncs in
        syncs += 1
        return syncs
      }
      phone.store("record \(number)", [UInt8](repeating: 0, count: 100))
      return number <= breaks ? .failure(failure) : .success(summary(number))
    }
  }

  /// Pretends to write each record once.
  private static func writer() -> ([LibraryEntry]) -> [String] {
    let known = Mutex<[String]>([])
    return { entries in
      known.withLock { known in
        let news = entries.map(\.identifier).filter { !known.contains($0) }
        known += news
        return news
      }
    }
  }

  @Test func aLostConnectionIsMadeAgainForWhatIsMissing() async throws {
    let (phone, log) = (Self.phone(breaks: 2), Log())
    let result = try await RecorderConversation(phone, .paired).pull(attempts: 3, write: Self.writer()) { log.take($0) }
    #expect(result.attempts == 3)
    #expect(result.summary.listed == 3)
    #expect(result.totals.downloaded == 3)
    #expect(result.totals.octets == 300)
    #expect(result.totals.written == ["record 1", "record 2", "record 3"])
    #expect(phone.operations.count { $0 == .disconnect } == 2)
    #expect(
      log.lines == [
        "record 1 100 1", "end", "attempt 2 of 4", "record 2 100 2", "end", "attempt 3 of 5", "record 3 100 3", "end",
      ])
  }

  /// Connections that bring something do not count.
  @Test func itGivesUpAfterAttemptsThatBringNothing() async throws {
    let syncs = Mutex(0)
    let phone = ScriptedPhone { operation, phone in
      guard case .sync = operation else { return .success(.done) }
      let number = syncs.withLock { syncs in
        syncs += 1
        return syncs
      }
      if number <= 3 { phone.store("record \(number)", [0]) }
      return .failure(.noAnswer)
    }
    let log = Log()
    await #expect(throws: PhoneFailure.noAnswer) {
      try await RecorderConversation(phone, .paired).pull(attempts: 2, write: Self.writer()) { log.take($0) }
    }
    #expect(phone.operations.count { $0 == .disconnect } == 4)
    #expect(log.lines.last == "gave up after 3")
  }

  /// Two recorders can give two records one name.
  @Test func aNameThatIsTakenByAnotherRecordGetsAPartOfItsDigest() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/pulled-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = PulledFiles(folder: folder)
    let (first, second) = (
      LibraryEntry(identifier: "0000240101120000", bytes: [1]), LibraryEntry(identifier: "0000240101120000", bytes: [2])
    )
    #expect(try files.write([first]) == ["0000240101120000"])
    #expect(try files.write([first, second]) == ["0000240101120000-dbc1b4c9"])
    #expect(try files.write([first, second]).isEmpty)
    try FileManager.default.removeItem(atPath: folder + "/0000240101120000.wav")
    #expect(try files.write([first, second]) == ["0000240101120000"], "what is gone is written again")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
  }

  @Test func aProgramWritesDownWhatIsSaidAndIsAskedAgainWhereItFailed() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/transcribed-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let phone = ScriptedPhone { _, _ in .success(.done) }
    phone.store("0000240101120000", [1])
    phone.store("silent", [2])
    let files = PulledFiles(folder: folder)
    let conversation = RecorderConversation(phone, .paired)
    let first = try await conversation.transcribe(Transcribing(["/usr/bin/hear"], files))
    #expect(first.identifiers == ["0000240101120000"])
    #expect(first.failures.map(\.identifier) == ["silent"])
    #expect(phone.transcripts == [0: "words of 0000240101120000.wav"])
    let text = try String(contentsOfFile: folder + "/0000240101120000.txt", encoding: .utf8)
    #expect(text == "words of 0000240101120000.wav\n")
    let second = try await conversation.transcribe(Transcribing(["/usr/bin/hear"], files))
    #expect(second.identifiers.isEmpty, "what has a transcript is not transcribed again")
    #expect(second.failures.map(\.identifier) == ["silent"])
  }

  @Test(arguments: [PhoneFailure.fileSystemCorrupt, .nothingInSight, .notPaired, .batteryLow(5)])
  func whatIsNoLostConnectionIsNotTriedAgain(failure: PhoneFailure) async throws {
    let phone = Self.phone(breaks: 1, with: failure)
    await #expect(throws: failure) {
      try await RecorderConversation(phone, .paired).pull(attempts: 3, write: Self.writer()) { _ in }
    }
    #expect(!phone.operations.contains(.disconnect))
  }

  @Test func nothingIsTriedAgainWithoutAController() async throws {
    let phone = Self.phone(breaks: 1)
    let conversation = RecorderConversation(phone, .paired, hasLostController: { true })
    await #expect(throws: PhoneFailure.noAnswer) {
      try await conversation.pull(attempts: 3, write: Self.writer()) { _ in }
    }
    #expect(!phone.operations.contains(.disconnect))
  }

  @Test func aPairedRecorderIsNotPairedAgain() async throws {
    let phone = ScriptedPhone { operation, _ in
      switch operation {
      case .pair: .failure(.alreadyPaired(Self.address))
      case .sync: .success(Self.summary(0))
      default: .success(.done)
      }
    }
    let result = try await RecorderConversation(phone, .paired).pull(attempts: 1, write: Self.writer()) { _ in }
    #expect(result.attempts == 1)
    #expect(phone.operations == [.connect(.paired), .pair, .sync(.paired, finishes: true)])
  }

  private static let address = Talks.address

  @Test func theMeterCountsOnlyTimeInWhichOctetsArrive() {
    var meter = TransferMeter()
    let start = Instant.zero
    #expect(meter.progress("a", 100, of: 1_000, at: start).octetsPerSecond == nil)
    let half = meter.progress("a", 500, of: 1_000, at: start.advanced(by: .milliseconds(200)))
    #expect(half.octetsPerSecond == 2_000)
    #expect(half.percent == 50)
    meter.stored(1_000)
    // A minute between two records does not belong to the transfer.
    _ = meter.progress("b", 100, of: 1_000, at: start.advanced(by: .seconds(60)))
    _ = meter.progress("b", 1_000, of: 1_000, at: start.advanced(by: .milliseconds(60_300)))
    meter.stored(1_000)
    #expect(meter.totals.transferring == .milliseconds(500))
    #expect(meter.totals.octetsPerSecond == 4_000)
  }
}
