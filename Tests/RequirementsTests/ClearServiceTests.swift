import DictofunProtocol
import Testing

@testable import Requirements

/// What a recorder gives away on a link that is not encrypted, whatever it answers.
@Suite struct ClearService {
  /// A stranger who knows the attributes and has enabled all answers.
  private static func stranger(_ script: (inout PacketScript) -> Void) -> String? {
    var packets = PacketScript()
    packets.connect()
    packets.discover()
    packets.enableAnswers()
    script(&packets)
    return packets.word(of: NothingServedInClear.self)
  }

  @Test func aListThatACommandAskedForIsServed() {
    let word = Self.stranger {
      $0.ask([0x52, 0x10, 0x00, 0x01])
      $0.notify(0x13, FilesList.firstPart(count: 1, identifiers: [identifier(1)]))
    }
    #expect(word == "violated")
  }

  @Test func octetsOfARecordThatACommandAskedForAreServed() {
    let word = Self.stranger {
      $0.ask([0x52, 0x10, 0x00] + ControlPointRequest.fileData(identifier(1)).encoded)
      $0.notify(0x1C, [1, 2, 3])
    }
    #expect(word == "violated")
  }

  @Test func aRecordIsServedAlthoughItsRequestWasRefused() {
    let word = Self.stranger {
      $0.ask([0x12, 0x10, 0x00] + ControlPointRequest.fileData(identifier(1)).encoded)
      $0.hear([0x01, 0x12, 0x10, 0x00, 0x05])
      $0.notify(0x1C, [1, 2, 3])
    }
    #expect(word == "violated")
  }

  private static let reads: [([UInt8], [UInt8])] = [
    ([0x0A, 0x1C, 0x00], [0x0B, 7, 7]), ([0x0C, 0x1C, 0x00, 2, 0], [0x0D, 7]),
    ([0x0E, 0x29, 0x00, 0x1C, 0x00], [0x0F, 84, 7]), ([0x08, 1, 0, 0xFF, 0xFF, 0x05, 0x10], [0x09, 3, 0x1C, 0, 7]),
  ]

  @Test(arguments: reads)
  func aValueThatIsReadIsServed(request: [UInt8], answer: [UInt8]) {
    let word = Self.stranger {
      $0.ask(request)
      $0.hear(answer)
    }
    #expect(word == "violated")
  }

  @Test(arguments: [(UInt8(0x03), UInt8(0x4D)), (0x10, 0x01)]) func whatIsPreparedAndExecutedIsTaken(
    handle: UInt8, octet: UInt8
  ) {
    let word = Self.stranger { Self.prepare(handle, octet, commits: true, &$0) }
    #expect(word == "violated")
  }

  /// Nor are a client configuration that is read, and a link that was encrypted before.
  @Test func whatIsPreparedAndGivenUpIsNotTaken() {
    let words = [
      Self.stranger { Self.prepare(0x03, 0x4D, commits: false, &$0) },
      Self.stranger {
        $0.ask([0x0C, 0x14, 0x00, 0x00, 0x00])
        $0.hear([0x0D, 0x01, 0x00])
      },
      Self.stranger {
        $0.encrypt()
        Self.prepare(0x10, 0x01, commits: true, &$0)
        $0.ask([0x0A, 0x1C, 0x00])
        $0.hear([0x0B, 7])
      },
      Self.stranger { Self.prepare(0x10, 0x01, commits: true, &$0) },
    ]
    #expect(words == ["notExercised", "notExercised", "notExercised", "violated"])
  }

  private static func prepare(_ handle: UInt8, _ octet: UInt8, commits: Bool, _ script: inout PacketScript) {
    script.ask([0x16, handle, 0, 0, 0, octet])
    script.hear([0x17, handle, 0, 0, 0, octet])
    script.ask([0x18, commits ? 1 : 0])
    script.hear([0x19])
  }
}
