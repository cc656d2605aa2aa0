import Bytes
import DictofunProtocol
import HCI
import HostStack
import Testing

@testable import Phone

/// Every fault shows in what leaves the phone, and does not show without it.
@Suite struct Faults {
  private static func rig(_ fault: PhoneFault?) throws -> PhoneRig {
    var recorder = ModelRecorder()
    recorder.record(sizes: [300, 5000])
    var second = ModelRecorder()
    second.address = BluetoothAddress(0xC0DE_0000_0002, .random)
    var rig = PhoneRig([recorder, second], library: try PhoneLibrary(.memory)) {
      $0.faults = fault.map { [$0] } ?? []
      $0.transcribes = true
    }
    #expect(try rig.perform(.connect(.address(recorder.address))) == .success(.done))
    #expect(try rig.perform(.pair) == .success(.done))
    return rig
  }

  private static func shows(_ fault: PhoneFault, _ rig: inout PhoneRig) throws -> Bool {
    let records = rig.recorders[0].records.map(\.identifier)
    switch fault {
    case .skipsBatteryRead: return !rig.events.contains { if case .battery = $0 { true } else { false } }
    case .keepsTransferringWhileBatteryLow:
      rig.recorders[0].battery = 0
      _ = try rig.perform(.readBattery)
      _ = try rig.perform(.list)
      return rig.recorders[0].requests == [.listFiles]
    case .requestsRemovedRecords, .redownloadsEverything:
      _ = try rig.perform(.sync(.paired, finishes: false))
      if fault == .requestsRemovedRecords { _ = try rig.perform(.delete(.newest)) }
      rig.recorders[0].requests = []
      _ = try rig.perform(.sync(.paired, finishes: false))
      return rig.recorders[0].requests.contains(.fileData(records[1]))
    case .storesTruncatedRecords:
      _ = rig.begin(.download(.newest))
      rig.run { $0.application.exchange.inbox.received > 1000 }
      rig.loseLink(.connectionTimeout)
      rig.pass(.seconds(1))
      return try rig.application.configuration.library.records().contains(where: \.isComplete)
    case .sortsOldestFirst:
      _ = try rig.perform(.sync(.paired, finishes: false))
      return rig.recorders[0].requests.dropFirst().first == .fileInformation(records[0])
    case .servesWrongTime, .ignoresTimeReads:
      rig.readTime()
      let answer = try rig.timeAnswers.first.map { try CurrentTime(decoding: $0.get()) }
      return answer?.civilTime?.hour != 12
    case .listsLocalTimeFirst:
      let service = rig.application.hostConfiguration.database.services.last
      return service?.characteristics.first?.uuid != DictofunUUID.currentTime
    case .takesFirstRecorder:
      _ = try rig.perform(.disconnect)
      _ = try rig.perform(.connect(.address(rig.recorders[1].address)))
      return rig.connected != 1
    case .pairsTwice:
      _ = try rig.perform(.disconnect)
      _ = try rig.perform(.connect(.address(rig.recorders[1].address)))
      _ = try rig.perform(.pair)
      return rig.recorders[1].isBonded
    case .skipsContinuationSubscription:
      _ = try rig.perform(.list)
      return !rig.recorders[0].subscribed.contains(DictofunHandle.filesListContinuation)
    case .skipsSettling:
      _ = try rig.perform(.list)
      _ = rig.begin(.list)
      return rig.recorders[0].requests.count == 2
    case .stormsRequests:
      _ = try rig.perform(.list)
      rig.pass(.seconds(1))
      return rig.recorders[0].requests.count > 1
    case .hidesLowBattery:
      rig.recorders[0].battery = 0
      _ = try rig.perform(.readBattery)
      return !rig.events.contains { if case .batteryLow = $0 { true } else { false } }
    case .overstatesProgress:
      _ = rig.begin(.download(.newest))
      rig.run { $0.application.exchange.inbox.received > 1000 }
      let received = rig.application.exchange.inbox.received
      return rig.events.contains { if case .progress(_, let shown, _) = $0 { shown > received } else { false } }
    case .unpairsSilently:
      _ = try rig.perform(.unpair)
      return rig.recorders[0].isBonded
    default: return try showsInLibrary(fault, &rig)
    }
  }

  private static func showsInLibrary(_ fault: PhoneFault, _ rig: inout PhoneRig) throws -> Bool {
    rig.pass(.seconds(90))
    _ = try rig.perform(.sync(.paired, finishes: false))
    for case .transcriptWanted(let number, let octets) in rig.events {
      rig.request(.transcribed(number, "\(octets.count) octets"))
    }
    let end = Duration.milliseconds(fault == .listensBeyondEnds ? 60_000 : 5)
    _ = try rig.perform(.listen(.oldest, until: end))
    let oldest = try #require(try rig.application.shownRecords().last)
    switch fault {
    case .listensBeyondEnds: return oldest.position > oldest.duration
    case .mixesTranscripts: return oldest.transcript != "300 octets"
    case .datesByArrival: return oldest.date != RecordIdentifier(oldest.identifier)?.date
    case .countsHeardAsNew:
      return rig.events.last { if case .newRecords = $0 { true } else { false } }.map { "\($0)" } != "newRecords(1)"
    case .forgetsPositions:
      rig.request(.restart)
      rig.pass(.seconds(60))
      return try rig.application.shownRecords().last?.position == .zero
    case .keepsPositionsByName:
      let name = rig.recorders[0].records[0].identifier
      rig.recorders[0].records.removeFirst()
      _ = try rig.perform(.sync(.paired, finishes: false))
      rig.recorders[0].records.append((name, [UInt8](repeating: 7, count: 300)))
      _ = try rig.perform(.sync(.paired, finishes: false))
      return try rig.application.shownRecords().count { !$0.isNew } > 1
    default: return try showsLater(fault, &rig)
    }
  }

  /// Faults that show after a record was removed, in the background or when the phone comes back.
  private static func showsLater(_ fault: PhoneFault, _ rig: inout PhoneRig) throws -> Bool {
    func levels(in events: some Sequence<PhoneEvent>) -> Int {
      events.count { if case .battery = $0 { true } else { false } }
    }
    let newest = try #require(rig.recorders[0].records.last)
    switch fault {
    case .removesOldest:
      _ = try rig.perform(.delete(.newest))
      return try rig.application.shownRecords().contains { $0.identifier == newest.identifier.description }
    case .neverFreesNames:
      _ = try rig.perform(.delete(.newest))
      rig.recorders[0].records.removeLast()
      _ = try rig.perform(.sync(.paired, finishes: false))
      rig.recorders[0].records.append(newest)
      rig.recorders[0].requests = []
      _ = try rig.perform(.sync(.paired, finishes: false))
      return !rig.recorders[0].requests.contains(.fileData(newest.identifier))
    case .staysInLowBatteryTransfer:
      _ = rig.begin(.download(.newest))
      rig.run { $0.application.exchange.inbox.received > 1000 }
      rig.notify(DictofunHandle.batteryLevel, [5])
      rig.pass(.seconds(1))
      return rig.connected != nil
    case .takesNamesakesForRemoved:
      _ = try rig.perform(.delete(.newest))
      rig.recorders[0].records.removeLast()
      rig.recorders[0].records.append((newest.identifier, [UInt8](repeating: 7, count: 300)))
      rig.recorders[0].requests = []
      _ = try rig.perform(.sync(.paired, finishes: false))
      return !rig.recorders[0].requests.contains(.fileData(newest.identifier))
    case .takesNamesakesForKept:
      rig.recorders[0].records.removeLast()
      _ = try rig.perform(.sync(.paired, finishes: false))
      rig.recorders[0].records.append(newest)
      rig.recorders[0].requests = []
      _ = try rig.perform(.sync(.paired, finishes: false))
      return !rig.recorders[0].requests.contains(.fileData(newest.identifier))
    case .removesFromAllRecorders:
      _ = try rig.perform(.delete(.newest))
      _ = try rig.perform(.unpair)
      _ = try rig.perform(.disconnect)
      rig.recorders[1].records = [newest]
      _ = try rig.perform(.connect(.address(rig.recorders[1].address)))
      _ = try rig.perform(.pair)
      _ = try rig.perform(.sync(.paired, finishes: false))
      return !rig.recorders[1].requests.contains(.fileData(newest.identifier))
    case .neglectsBatteryInBackground:
      rig.request(.setForeground(false))
      let before = rig.events.count
      rig.pass(.seconds(180))
      return levels(in: rig.events.dropFirst(before)) == 0
    case .returnsWhileBatteryLow:
      _ = try rig.perform(.disconnect)
      rig.recorders[0].battery = 5
      let before = rig.events.count
      rig.request(.setAutomatic(true))
      rig.pass(.seconds(55))
      return levels(in: rig.events.dropFirst(before)) > 1
    default: return false
    }
  }

  /// Those about updates need a bootloader; the table of faults has rows for them.
  @Test(arguments: PhoneFault.all.filter { !$0.isAboutUpdates }) func aFaultShowsAndIsAbsentFromACorrectPhone(
    _ fault: PhoneFault
  ) throws {
    var faulty = try Self.rig(fault)
    #expect(try Self.shows(fault, &faulty))
    #expect(PhoneFault(fault.description) == fault)
    var correct = try Self.rig(nil)
    #expect(try !Self.shows(fault, &correct))
  }
}
