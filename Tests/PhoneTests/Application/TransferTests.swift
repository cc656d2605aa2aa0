import Bytes
import DictofunProtocol
import HCI
import HostStack
import Testing

@testable import Phone

@Suite struct Transferring {
  private static func rig(
    sizes: [Int], _ configure: (inout PhoneConfiguration) -> Void = { _ in }
  ) throws -> PhoneRig {
    var recorder = ModelRecorder()
    recorder.record(sizes: sizes)
    var rig = try PhoneRig(recorder, configure)
    try rig.pair()
    return rig
  }

  @Test(arguments: [0, 1, 7, 8, 15, 253]) func listsOfEveryLengthArriveWhole(_ count: Int) throws {
    var rig = try Self.rig(sizes: Array(repeating: 1, count: count))
    #expect(try rig.perform(.list) == .success(.records(rig.recorders[0].records.map(\.identifier.description))))
  }

  @Test(arguments: [0, 64, 200, 256, 448, 8064], [23, 185, 247])
  func recordsOfEverySizeArriveWhole(_ size: Int, _ maximumTransmissionUnit: Int) throws {
    var rig = try Self.rig(sizes: [64, size]) { $0.maximumTransmissionUnit = UInt16(maximumTransmissionUnit) }
    rig.recorders[0].maximumTransmissionUnit = maximumTransmissionUnit
    let record = rig.recorders[0].records[1]
    let identifier = record.identifier.description
    #expect(try rig.perform(.inform(.newest)) == .success(.size(UInt32(size))))
    #expect(
      try rig.perform(.download(.newest)) == .success(.record(identifier: identifier, bytes: record.content)))
    let library = rig.application.configuration.library
    let kept = try #require(try library.records().first)
    #expect(try library.content(of: kept.number) == record.content)
  }

  @Test func progressGrowsAndEndsWithTheWhole() throws {
    var rig = try Self.rig(sizes: [20_000])
    _ = try rig.perform(.sync(.paired, finishes: false))
    let received = rig.events.compactMap { event -> UInt32? in
      guard case .progress(_, let received, let total) = event else { return nil }
      #expect(total == 20_000)
      return received
    }
    #expect(received == received.sorted())
    #expect(Set(received).count == received.count)
    #expect(received.last == 20_000)
    #expect((50...101).contains(received.count))
  }

  @Test func whatTheRecorderDoesNotKnowIsSaid() throws {
    var rig = try Self.rig(sizes: [64])
    let unknown = "9999999999999999"
    #expect(try rig.perform(.inform(.identifier(unknown))) == .failure(.recordNotFound(unknown)))
    #expect(try rig.perform(.download(.identifier("nonsense"))) == .failure(.recordNotFound("nonsense")))
    rig.recorders[0].records = []
    #expect(try rig.perform(.inform(.oldest)) == .failure(.recordNotFound("oldest")))
    let space = FileSystemStatus(fileSizes: [])
    #expect(
      try rig.perform(.fileSystemStatus)
        == .success(.fileSystem(free: space.freeBytes, occupied: space.occupiedBytes, count: 0)))
  }

  @Test func anUnpairedPhoneIsRefused() throws {
    var rig = try PhoneRig(ModelRecorder())
    #expect(try rig.perform(.connect(.paired)) == .success(.done))
    #expect(try rig.perform(.list) == .failure(.refused(.insufficientAuthentication)))
    #expect(try rig.perform(.disconnect) == .success(.done))
    #expect(try rig.perform(.list) == .failure(.notConnected))
  }

  @Test func requestsLeaveTheRecorderTimeToCloseItsFile() throws {
    var rig = try Self.rig(sizes: [64])
    _ = try rig.perform(.list)
    let ended = rig.now
    let before = rig.recorders[0].requests.count
    _ = rig.begin(.list)
    rig.run { $0.recorders[0].requests.count > before }
    // Twenty milliseconds and one interval of 30 ms.
    #expect(rig.now - ended >= 50_000_000)
  }

  // MARK: Sync

  @Test func aSyncFetchesWhatIsNewNewestFirstAndEndsTheSession() throws {
    var rig = try Self.rig(sizes: [100, 200, 300])
    guard case .success(.synced(let summary)) = try rig.perform(.sync(.paired, finishes: true)) else {
      Issue.record("a sync ends in a summary")
      return
    }
    #expect(summary.listed == 3)
    #expect(summary.downloaded == 3)
    #expect(summary.octets == 600)
    #expect(summary.battery == 84)
    let identifiers = rig.recorders[0].records.map(\.identifier)
    #expect(
      rig.recorders[0].requests == [.listFiles]
        + identifiers.reversed().flatMap { [.fileInformation($0), .fileData($0)] }
        + [.fileSystemStatus, .receiveComplete])
    #expect(rig.connected == nil)
  }

  @Test func finishedAndRemovedRecordsAreNeverFetchedAgain() throws {
    let library = try PhoneLibrary(.memory)
    var recorder = ModelRecorder()
    recorder.record(sizes: [100, 200, 300])
    var rig = PhoneRig([recorder], library: library)
    try rig.pair()
    _ = try rig.perform(.sync(.paired, finishes: true))
    #expect(try rig.perform(.delete(.newest)) == .success(.done))
    #expect(try rig.perform(.delete(.identifier("9999999999999999"))) == .failure(.noSuchRecord))
    let removed = recorder.records[2].identifier
    // The whole application is new, only the library stays.
    var again = PhoneRig(rig.recorders, library: library)
    again.recorders[0].record(sizes: [50])
    again.recorders[0].requests = []
    guard case .success(.synced(let summary)) = try again.perform(.sync(.paired, finishes: false)) else {
      Issue.record("a sync ends in a summary")
      return
    }
    #expect(summary.listed == 4)
    #expect(summary.downloaded == 1)
    #expect(summary.octets == 50)
    let new = again.recorders[0].records[3].identifier
    #expect(again.recorders[0].requests.dropFirst().prefix(2) == [.fileInformation(new), .fileData(new)])
    #expect(!again.recorders[0].requests.contains(.fileData(removed)))
    #expect(try again.perform(.download(.identifier(removed.description))) == .failure(.noSuchRecord))
    #expect(!again.recorders[0].requests.contains(.fileData(removed)))
  }

  @Test func anIdentifierThatComesAgainWithAnotherSizeIsNew() throws {
    var rig = try Self.rig(sizes: [100])
    _ = try rig.perform(.sync(.paired, finishes: false))
    _ = try rig.perform(.delete(.newest))
    rig.recorders[0].records[0].content = [1, 2, 3]
    guard case .success(.synced(let summary)) = try rig.perform(.sync(.paired, finishes: false)) else {
      Issue.record("a sync ends in a summary")
      return
    }
    #expect(summary.downloaded == 1)
  }

  @Test func aBrokenDownloadStartsAgainAndAFinishedOneDoesNot() throws {
    var rig = try Self.rig(sizes: [1000, 5000])
    let sync = rig.begin(.sync(.paired, finishes: false))
    rig.run { $0.application.exchange.inbox.size == 1000 && $0.application.exchange.inbox.received > 0 }
    rig.loseLink(.connectionTimeout)
    rig.run { $0.ended[sync] != [] }
    #expect(rig.ended[sync] == [.failure(.disconnected(.connectionTimeout))])
    rig.recorders[0].requests = []
    guard case .success(.synced(let summary)) = try rig.perform(.sync(.paired, finishes: false)) else {
      Issue.record("a sync ends in a summary")
      return
    }
    #expect(summary.downloaded == 1)
    #expect(summary.octets == 1000)
    #expect(!rig.recorders[0].requests.contains(.fileData(rig.recorders[0].records[1].identifier)))
  }

  @Test func oneRecordThatCannotBeOpenedDoesNotKeepTheOthers() throws {
    var rig = try Self.rig(sizes: [100, 200])
    let broken = rig.recorders[0].records[1].identifier
    rig.recorders[0].unopenable = broken
    #expect(
      try rig.perform(.sync(.paired, finishes: true)) == .failure(.recordNotFound(broken.description)))
    #expect(try rig.application.configuration.library.records().filter(\.isComplete).map(\.size) == [100])
    #expect(rig.connected != nil, "nothing is called complete that is not")
  }

  @Test(arguments: [
    (DictofunHandle.filesList, [UInt8](repeating: 0xFF, count: 8)),
    (DictofunHandle.filesListContinuation, []),
    (DictofunHandle.generalStatus, [0x77]),
  ]) func answersThatMakeNoSenseEndTheRequest(_ handle: UInt16, _ value: [UInt8]) throws {
    var rig = try Self.rig(sizes: [])
    rig.recorders[0].isDeafToRequests = true
    let list = rig.begin(.list)
    rig.run { $0.recorders[0].requests.count == 1 }
    rig.notify(handle, value)
    guard case .failure(.malformedAnswer)? = rig.ended[list]?.first else {
      Issue.record("\(String(describing: rig.ended[list]))")
      return
    }
    rig.recorders[0].isDeafToRequests = false
    #expect(try rig.perform(.list) == .success(.records([])))
  }

  /// A recorder's memory has sixteen mebibytes; nothing that it announces beyond that is believed.
  @Test func aSizeBeyondTheRecordersMemoryIsNotBelieved() throws {
    var rig = try Self.rig(sizes: [1000])
    rig.recorders[0].isDeafToRequests = true
    let size = rig.begin(.inform(.identifier(rig.recorders[0].records[0].identifier.description)))
    rig.run { $0.recorders[0].requests.count == 1 }
    rig.notify(DictofunHandle.fileInformation, FileInformation(size: 2_147_483_700).encoded)
    guard case .failure(.malformedAnswer)? = rig.ended[size]?.first else {
      Issue.record("\(String(describing: rig.ended[size]))")
      return
    }
  }

  /// A record at which two syncs ended is tried last, so that the others arrive.
  @Test func aRecordThatBreaksEverySyncIsTriedLast() throws {
    var rig = try Self.rig(sizes: [100, 200, 5000])
    for _ in 0..<2 {
      let sync = rig.begin(.sync(.paired, finishes: false))
      rig.run { $0.application.exchange.inbox.received > 1000 }
      rig.loseLink(.connectionTimeout)
      rig.run { $0.ended[sync] != [] }
    }
    rig.recorders[0].requests = []
    let sync = rig.begin(.sync(.paired, finishes: false))
    rig.run { $0.application.exchange.inbox.received > 1000 }
    rig.loseLink(.connectionTimeout)
    rig.run { $0.ended[sync] != [] }
    let records = try rig.application.configuration.library.records()
    #expect(records.filter(\.isComplete).map(\.size).sorted() == [100, 200])
  }

  @Test func moreOctetsThanWereToldEndTheDownload() throws {
    var rig = try Self.rig(sizes: [1000])
    let download = rig.begin(.download(.newest))
    rig.run { $0.application.exchange.inbox.received > 0 }
    rig.notify(DictofunHandle.fileData, [UInt8](repeating: 0, count: 900))
    guard case .failure(.malformedAnswer)? = rig.ended[download]?.first else {
      Issue.record("\(String(describing: rig.ended[download]))")
      return
    }
  }

  @Test func aStatusOfAnotherRecordIsNotTheAnswer() throws {
    var rig = try Self.rig(sizes: [1000])
    let download = rig.begin(.download(.newest))
    rig.run { $0.application.exchange.inbox.received > 0 }
    rig.notify(DictofunHandle.generalStatus, GeneralStatus.fileNotFound(.fallback).encoded)
    #expect(rig.ended[download] == [])
    rig.notify(
      DictofunHandle.generalStatus, GeneralStatus.fileNotFound(rig.recorders[0].records[0].identifier).encoded)
    #expect(rig.ended[download]?.count == 1)
  }

  @Test func octetsWithoutARequestAreTrouble() throws {
    var rig = try Self.rig(sizes: [])
    rig.notify(DictofunHandle.fileData, [1])
    rig.notify(DictofunHandle.filesList, [1])
    #expect(rig.events.count { if case .protocolTrouble = $0 { true } else { false } } == 2)
  }
}
