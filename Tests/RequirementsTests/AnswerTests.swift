import DictofunProtocol
import Testing
import Timeline

@testable import Requirements

/// Which answer serves which request, and what was not asked for.
@Suite struct Answers {
  private static func served(_ script: (inout PacketScript) -> Void) -> PacketScript {
    var packets = PacketScript()
    Monitors.serve(&packets)
    script(&packets)
    return packets
  }

  // MARK: Ends of requests

  private static let foreign: [(ControlPointRequest, UInt8, [UInt8])] = [
    (.fileData(identifier(1)), 0x22, [0x02] + identifier(2).octets),
    (.fileInformation(identifier(1)), 0x22, [0x02] + identifier(2).octets),
    (.fileData(identifier(1)), 0x22, [0x01]), (.listFiles, 0x19, FileInformation(size: 5).encoded),
    (.listFiles, 0x22, [0x02] + identifier(2).octets),
  ]

  @Test(arguments: foreign)
  func anotherAnswerEndsNoRequest(request: ControlPointRequest, handle: UInt8, answer: [UInt8]) {
    let script = Self.served {
      $0.request(request)
      $0.notify(handle, answer)
      $0.wait(.seconds(30))
    }
    #expect(script.word(of: RequestsEnd.self) == "violated")
  }

  /// What waited is served first; it may take as long as that takes.
  @Test func aRequestWaitsForTheRecordBeforeIt() {
    let script = Self.served {
      $0.inform(identifier(1), size: 3_000)
      $0.request(.fileInformation(identifier(2)))
      $0.request(.fileData(identifier(1)))
      $0.notify(0x19, FileInformation(size: 64).encoded)
      $0.request(.listFiles)
      for _ in 0..<15 {
        $0.wait(.seconds(2))
        $0.notify(0x1C, Array(repeating: 0, count: 200))
      }
      for part in FilesList.parts([identifier(1)]) { $0.notify(0x13, part) }
    }
    #expect(script.word(of: RequestsEnd.self) == "shown")
  }

  @Test(arguments: [UInt8(0x08), 0x13, 0x16]) func theEndOfALinkServesNoRequest(reason: UInt8) {
    let script = Self.served {
      $0.request(.fileSystemStatus)
      $0.disconnect(reason: reason)
    }
    #expect(script.word(of: RequestsEnd.self) == "notExercised")
  }

  /// Only a recorder that ends the link itself has heard that the phone has everything.
  @Test func theEndOfALinkAnswersThatEverythingIsThere() {
    let words = [UInt8(0x13), 0x16].map { reason in
      Self.served {
        $0.request(.receiveComplete)
        $0.disconnect(reason: reason)
      }.word(of: RequestsEnd.self)
    }
    #expect(words == ["shown", "notExercised"])
  }

  // MARK: What nobody asked for

  private static let unasked: [(UInt8, [UInt8])] = [
    (0x13, FilesList.firstPart(count: 0, identifiers: [])), (0x19, FileInformation(size: 300).encoded),
    (0x1C, [1, 2, 3]), (0x1F, [0x0E, 0, 0x20, 0xCE, 0xFF, 0, 0xE0, 0x21, 0, 0, 2, 0, 0, 0]),
    (0x22, [0x02] + identifier(2).octets),
  ]

  @Test(arguments: unasked)
  func whatNobodyAskedForIsNoAnswer(handle: UInt8, value: [UInt8]) {
    var script = Self.served { $0.readBattery(84) }
    script.notify(handle, value)
    #expect(script.word(of: AnswersAsDocumented.self) == "violated")
  }

  @Test func anAnswerComesOnce() {
    let script = Self.served {
      $0.inform(identifier(1), size: 400)
      $0.notify(0x19, FileInformation(size: 400).encoded)
    }
    #expect(script.word(of: AnswersAsDocumented.self) == "violated")
  }

  @Test func aStatusThatAllIsWellShowsNothing() {
    let script = Self.served {
      $0.request(.listFiles)
      $0.notify(0x22, [0x01])
    }
    #expect(script.word(of: AnswersAsDocumented.self) == "notExercised")
  }

  /// It is said once, and nothing is said of what a command or an unknown request may have asked for.
  @Test func whatMayHaveBeenAskedForIsNotBlamed() {
    let troubles = [
      Self.served { $0.ask([0x52, 0x10, 0x00] + ControlPointRequest.fileData(identifier(1)).encoded) },
      Self.served { $0.request(.unaccepted([0x09])) },
      Self.served { $0.wait(.zero) },
    ].map { script in
      var script = script
      for _ in 0..<3 { script.notify(0x1C, [1, 2, 3]) }
      return script.words.count { $0 == "fts.not-understood" }
    }
    #expect(troubles == [0, 0, 1])
  }

  // MARK: Whose size it is

  private static func names(_ script: (inout PacketScript) -> Void) -> [RecordIdentifier?] {
    served(script).events.compactMap { event in
      if case .fileTransfer(.informed(let identifier, _)) = event.happening { .some(identifier) } else { nil }
    }
  }

  @Test func aSizeIsNotGivenToTheRecordThatWasAskedForLast() {
    let names = Self.names {
      $0.request(.fileInformation(identifier(1)))
      $0.request(.fileInformation(identifier(2)))
      $0.notify(0x19, FileInformation(size: 100).encoded)
      $0.notify(0x19, FileInformation(size: 200).encoded)
      $0.inform(identifier(3), size: 300)
    }
    #expect(names == [nil, identifier(2), identifier(3)])
  }

  /// A recorder that drops a second request answers less, and what it answers is known again when a record is fetched.
  @Test func aRequestThatWasDroppedNamesNoSize() {
    let names = Self.names {
      $0.request(.fileInformation(identifier(1)))
      $0.request(.fileInformation(identifier(2)))
      $0.notify(0x19, FileInformation(size: 100).encoded)
      $0.inform(identifier(3), size: 300)
      $0.download(identifier(3), size: 300)
      $0.inform(identifier(4), size: 400)
    }
    #expect(names == [nil, nil, identifier(4)])
  }

  // MARK: Lengths

  /// An ATT_MTU of 23 octets leaves 20 for a value.
  @Test(arguments: [(20, "notExercised"), (21, "violated")]) func aLinkBeginsWithShortPackets(octets: Int, word: String)
  {
    var script = PacketScript()
    script.connect()
    script.discover(exchangingMTU: false)
    script.encrypt()
    script.request(.fileData(identifier(1)))
    script.notify(0x1C, Array(repeating: 0, count: octets))
    #expect(script.word(of: AnswersAsDocumented.self) == word)
  }

  @Test func howLongPacketsAreWasAgreedBeforeTheBeginning() {
    let troubles = [true, false].map { isBegun in
      var script = PacketScript()
      if isBegun { script.connect() }
      script.discover(exchangingMTU: false)
      script.request(.fileData(identifier(1)))
      script.notify(0x1C, Array(repeating: 0, count: 200))
      return script.words.contains("fts.not-understood")
    }
    #expect(troubles == [true, false])
  }

  @Test(arguments: [[], [200, 1]] as [[UInt8]], [false, true]) func aBatteryLevelHasOneOctet(
    value: [UInt8], isRead: Bool
  ) {
    let script = Self.served {
      if isRead { $0.ask([0x0A, 0x29, 0x00]) }
      $0.hear((isRead ? [0x0B] : [0x1B, 0x29, 0x00]) + value)
    }
    #expect(script.word(of: AnswersAsDocumented.self) == "violated")
  }
}
