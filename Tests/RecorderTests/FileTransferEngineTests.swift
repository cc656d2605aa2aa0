import DictofunProtocol
import HostStack
import Testing
import Timeline

@testable import Recorder

@Suite struct FileTransferEngineTests {
  @Test(arguments: [0, 64, 200, 256, 448, 512, 8064], [UInt16(247), 185, 23])
  func recordIsSentInThePatternOfTheFirmware(size: Int, unit: UInt16) {
    let record = placedRecords([size])[0]
    var bench = RecorderBench.connected(maximumTransmissionUnit: unit) { $0.records = [record] }
    let answers = bench.answers(to: .fileData(record.identifier))
    #expect(
      answers.map(\.value.count) == FileDataLayout.packetLengths(fileSize: size, maximumTransmissionUnit: Int(unit)))
    #expect(answers.allSatisfy { $0.handle == DictofunHandle.fileData })
    #expect(answers.flatMap(\.value) == record.content)
    #expect(bench.plainEvents.contains(.recordDelivered(record.identifier)))
  }

  @Test(arguments: [0, 1, 7, 8, 15, 20, 253], [UInt16(247), 100, 23])
  func listIsSentOnBothCharacteristics(count: Int, unit: UInt16) throws {
    let records = placedRecords(Array(repeating: 64, count: count))
    var bench = RecorderBench.connected(maximumTransmissionUnit: unit) { $0.records = records }
    let answers = bench.answers(to: .listFiles)
    var assembler = FilesListAssembler()
    var progress = FilesListAssembler.Progress.incomplete
    for answer in answers { progress = try assembler.append(answer.value) }
    #expect(progress == .complete(records.map(\.identifier)))
    // What the transmission unit cut off follows on the characteristic of its beginning.
    let firstPart = 8 + 16 * min(count, 7)
    var sent = 0
    for answer in answers {
      #expect((answer.handle == DictofunHandle.filesList) == (sent < firstPart))
      sent += answer.value.count
    }
  }

  /// The document's transcript of a session: two files of 448 and 32 octets.
  @Test func sessionHasTheOctetsOfTheTranscript() throws {
    let first = try #require(RecordIdentifier("0000231101213012"))
    let second = try #require(RecordIdentifier("0100231101213012"))
    let content = (0..<448).map { UInt8($0 % 32) }
    var bench = RecorderBench.connected {
      $0.staysAwake = true
      $0.records = [
        PlacedRecord(identifier: first, content: content),
        PlacedRecord(identifier: second, content: Array(content.prefix(32))),
      ]
    }
    #expect(bench.answers(to: .listFiles).map(\.value) == [[2, 0, 0, 0, 0, 0, 0, 0] + first.octets + second.octets])
    #expect(bench.answers(to: .fileInformation(first)).map(\.value) == [[9, 0] + Array(#"{"s":448}"#.utf8)])
    #expect(bench.answers(to: .fileData(first)).map(\.value.count) == [200, 56, 192])
    let status = bench.answers(to: .fileSystemStatus)
    #expect(status.map(\.handle) == [0x1F])
    #expect(status.map(\.value) == [[0x0E, 0, 0x20, 0xCE, 0xFF, 0, 0xE0, 0x21, 0, 0, 2, 0, 0, 0]])
    let unknown = RecordIdentifier(repeating: 0x39)
    #expect(bench.answers(to: .fileInformation(unknown)).map(\.value) == [[2] + unknown.octets])
    #expect(bench.answers(to: .fileData(unknown)).map(\.handle) == [DictofunHandle.generalStatus])
    #expect(bench.answers(to: .receiveComplete).isEmpty)
    #expect(bench.plainEvents.contains(.recordsConfirmed(1)))
    #expect(bench.plainEvents.contains(.disconnected(.remoteUserTerminatedConnection)))
    #expect(bench.recorder.softDevice.isAdvertising)
  }

  @Test func requestThatBreaksTheRulesIsIgnored() {
    var bench = RecorderBench.connected { $0.records = placedRecords([64]) }
    for octets in [[], [0], [5], [1, 0], [2], [3, 1, 2], [0xFF]] as [[UInt8]] {
      #expect(bench.answers(to: .unaccepted(octets), within: .seconds(1)).isEmpty)
    }
    #expect(bench.answers(to: .listFiles, within: .seconds(1)).count == 1)
  }

  @Test func requestIsSilentUntilBothListCharacteristicsAreEnabled() {
    var bench = RecorderBench.connected()
    bench.subscribe(DictofunHandle.filesListContinuation, [])
    #expect(bench.answers(to: .listFiles, within: .seconds(5)).isEmpty)
    bench.subscribe(DictofunHandle.filesListContinuation)
    #expect(bench.answers(to: .listFiles, within: .seconds(5)).count == 1)
  }

  @Test func secondRequestWaitsAndAThirdIsDropped() {
    let records = placedRecords([2048, 64])
    var bench = RecorderBench.connected { $0.records = records }
    bench.ask(.fileData(records[0].identifier))
    bench.run(for: .milliseconds(100))
    bench.ask(.fileInformation(records[1].identifier))
    bench.ask(.listFiles)
    bench.run(for: .seconds(10))
    #expect(bench.notifications.count == 17)
    #expect(bench.notifications.dropLast().flatMap(\.value) == records[0].content)
    #expect(bench.notifications.last?.handle == DictofunHandle.fileInformation)
  }

  @Test func requestInTheBatchOfTheLastAcknowledgementIsServed() {
    let records = placedRecords([64])
    for writesFirst in [true, false] {
      var bench = RecorderBench.connected { $0.records = records }
      bench.acknowledgesAfter = nil
      bench.ask(.fileInformation(records[0].identifier))
      bench.run(for: .seconds(1))
      if writesFirst { bench.ask(.fileSystemStatus) }
      bench.hear(.notificationTransmitted(RecorderBench.link, NotificationTicket(1)))
      if !writesFirst { bench.ask(.fileSystemStatus) }
      bench.run(for: .seconds(1))
      #expect(bench.notifications.last?.handle == DictofunHandle.fileSystemStatus)
    }
  }

  @Test func brokenTransferStartsAgainFromTheFirstOctet() {
    let record = placedRecords([100_000])[0]
    var bench = RecorderBench.connected { $0.records = [record] }
    bench.ask(.fileData(record.identifier))
    bench.run(for: .seconds(3))
    bench.acknowledgesAfter = nil
    bench.run(for: .seconds(1))
    bench.disconnect()
    #expect(!bench.recorder.fileTransfer.isServing)
    bench.acknowledgesAfter = .milliseconds(7)
    bench.connect()
    let answers = bench.answers(to: .fileData(record.identifier))
    #expect(answers.flatMap(\.value) == record.content)
  }

  @Test func batteryLevelDoesNotDisturbATransfer() {
    let record = placedRecords([60_000])[0]
    var bench = RecorderBench.connected { $0.records = [record] }
    bench.subscribe(DictofunHandle.batteryLevel)
    bench.ask(.fileData(record.identifier))
    bench.run(for: .milliseconds(50))
    bench.act(.setBattery(millivolts: 3120))
    bench.run(for: .seconds(60))
    #expect(bench.notifications.filter { $0.handle == DictofunHandle.fileData }.flatMap(\.value) == record.content)
    #expect(bench.notifications.last { $0.handle == DictofunHandle.batteryLevel }?.value == [12])
  }

  @Test func disabledDataEndsTheTransferAndNothingElse() {
    let record = placedRecords([10_000])[0]
    var bench = RecorderBench.connected { $0.records = [record] }
    bench.ask(.fileData(record.identifier))
    bench.run(for: .milliseconds(200))
    bench.subscribe(DictofunHandle.fileData, [])
    bench.run(for: .seconds(1))
    #expect(!bench.recorder.fileTransfer.isServing)
    bench.subscribe(DictofunHandle.fileData)
    #expect(bench.answers(to: .fileData(record.identifier)).flatMap(\.value) == record.content)
  }

  @Test func engineActsAtMostATickAfterAnAcknowledgement() throws {
    let record = placedRecords([256])[0]
    var bench = RecorderBench.connected { $0.records = [record] }
    bench.ask(.fileData(record.identifier))
    bench.run(for: .seconds(1))
    try #require(bench.notifications.count == 2)
    let gap = bench.notifications[0].at.duration(to: bench.notifications[1].at) - .milliseconds(15)
    #expect(gap > .zero)
    #expect(gap <= .nanoseconds(976_563))
  }

  @Test func transferAsksOnceForAQuickInterval() {
    var bench = RecorderBench.connected()
    _ = bench.answers(to: .listFiles, within: .seconds(1))
    _ = bench.answers(to: .fileSystemStatus, within: .seconds(1))
    let wishes = bench.requests.compactMap { if case .updateParameters(_, let wish) = $0 { wish } else { nil } }
    #expect(wishes.map(\.minimumIntervalUnits) == [12])
    #expect(wishes.map(\.maximumIntervalUnits) == [20])
    #expect(wishes.map(\.supervisionTimeoutUnits) == [200])
  }
}
