import HCI
import HostStack
import Testing

@testable import SoftDevice

/// Calls that no sane image makes: none may trap, and none may change memory that is not the image's.
@Suite struct Hostility {
  /// An image with a table, a link, system attributes and a pairing that waits.
  private func busy() throws -> Image {
    var image = try Image.enabled()
    _ = image.addService(0x1234)
    _ = image.add(.init(uuid: 0x1002, properties: 0x3A, value: [1], limit: 100))
    _ = image.advertise()
    image.connect()
    _ = image.call(0xB1, 0, 0, 0, 0)
    let features = PairingFeatures(
      inputOutput: .noInputNoOutput, authentication: .bonding, initiatorKeys: .encryption, responderKeys: .encryption)
    image.take(.pairingFeaturesRequested(Image.handle, features))
    image.take(.longTermKeyRequested(Image.handle, encryptedDiversifier: 0, randomNumber: 0))
    return image
  }

  private static let nowhere: [UInt32] = [
    0, 1, 0x1FFF_FFFF, 0x2003_FFFF, 0x2003_FFFE, 0x2004_0000, 0x4000_0000, 0xFFFF_FFFC, 0xFFFF_FFFF,
  ]

  @Test("every call, each of its pointers into nowhere: an error and no trap", arguments: nowhere)
  func pointers(_ address: UInt32) throws {
    let start = try busy()
    for entry in CallTable.entries.compactMap({ $0 }) where ![0x11, 0x33].contains(entry.number) {
      for (index, argument) in entry.arguments.enumerated() where argument == .pointer {
        var image = start
        var values = entry.arguments.map { $0 == .pointer ? image.put(words: [1, 2, 3, 4, 5, 6, 7, 8]) : 0 as UInt32 }
        values += Array(repeating: 0, count: 4 - values.count)
        values[index] = address
        _ = image.call(entry.number, values[0], values[1], values[2], values[3])
      }
    }
  }

  @Test("mandatory pointers into nowhere are invalid addresses and findings")
  func findings() throws {
    for (number, arguments): (UInt8, [UInt32]) in [
      (0x4B, [0x9000_0000]), (0x61, [0, 0x9000_0000]), (0x62, [0x9000_0000, 0]), (0x69, [1, 0x9000_0000]),
      (0x6D, [0x9000_0000]), (0x72, [0x9000_0000, 0, 0]), (0x7A, [0x9000_0000]), (0x7F, [0, 0, 0x9000_0000, 0]),
      (0x86, [0, 0x9000_0000]), (0x8F, [0, 0x9000_0000]), (0x9D, [0, 0x9000_0000]), (0xA3, [0, 0x9000_0000]),
      (0xA8, [1, 0x9000_0000, 0]), (0xAA, [0, 0x9000_0000, 0, 0]), (0xAC, [0, 16, 0x9000_0000]),
      (0xAE, [0, 0x9000_0000]), (0xB1, [0, 0x9000_0000, 8, 0]), (0xB2, [0, 0, 0x9000_0000, 0]),
    ] {
      var image = try number == 0x69 ? Image() : busy()
      if number == 0x69 { _ = image.call(0x10, 0, 1) }
      if number == 0x4B {
        _ = image.call(0x28, 0xF0)
        image.complete()
      }
      image.output.findings = []
      let padded = arguments + Array(repeating: 0, count: 4 - arguments.count)
      #expect(image.call(number, padded[0], padded[1], padded[2], padded[3]) == 16, "call \(number)")
      #expect(image.output.findings.count == 1, "call \(number)")
    }
  }

  @Test("results do not go into flash") func readOnly() throws {
    var image = try Image.enabled()
    #expect(image.call(0x6D, 0x3_0000) == 16)
    #expect(image.octets(0x3_0000, 1) == [255])
    #expect(image.call(0x46, 0x3_0000) == 16)
  }

  @Test("an image that fetches nothing loses events, with a finding") func events() throws {
    var image = try busy()
    for _ in 0..<1_000 { image.take(.attributeWritten(Image.handle, AttributeHandle(16), [1])) }
    #expect(image.device.waitingEventCount == 256)
    #expect(image.output.findings.contains(.eventLost(0x50)))
  }

  @Test("a buffer that is too small tells the length") func smallBuffer() throws {
    var image = try busy()
    let length = image.put(halfwords: [43])
    #expect(image.call(0x61, image.room(64), length) == 12)
    #expect(image.halfword(length) == 44)
    #expect(image.call(0x61, 0, length) == 0)
    #expect(image.call(0x61, image.room(64) + 1, length) == 16)
    #expect(image.call(0x61, image.room(64), length) == 0)
  }

  @Test("100,000 calls with random registers", arguments: [1, 2] as [UInt64]) func fuzz(_ seed: UInt64) throws {
    var chance = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func draw() -> UInt64 {
      chance ^= chance << 13
      chance ^= chance >> 7
      chance ^= chance << 17
      return chance &* 0x2545_F491_4F6C_DD1D >> 16
    }
    func value() -> UInt32 {
      let number = UInt32(truncatingIfNeeded: draw())
      switch draw() % 8 {
      case 0: return number
      case 1: return 0
      case 2: return number % 32
      case 3: return Self.nowhere[Int(number) % Self.nowhere.count]
      default: return Image.ram + 0x1_0000 + number % 0x400 & ~3
      }
    }
    var image = try busy()
    for _ in 0..<50_000 {
      image.cycle += draw() % 10_000
      switch draw() % 64 {
      case 0:
        image.device.reset()
        _ = image.call(0x10, 0, 1)
        _ = image.call(0x60, image.put(words: [0]))
      case 1: image = try busy()
      case 2: image.complete()
      case 3: image.take(.attributeWritten(Image.handle, AttributeHandle(UInt16(draw() % 40)), [1, 2, 3]))
      case 4: image.take(.writeRequested(Image.handle, AccessToken(1), AttributeHandle(UInt16(draw() % 40)), [9]))
      case 5: image.take(.subscriptionChanged(Image.handle, AttributeHandle(UInt16(draw() % 40)), .all, .written))
      case 6: image.take(.disconnected(Image.handle, .connectionTimeout))
      case 7: image.connect()
      default:
        // Random structures, too.
        try image.processor.memory.writeWord(value(), at: Image.ram + 0x1_0000 + UInt32(draw() % 0x400))
        _ = image.call(UInt8(truncatingIfNeeded: draw()), value(), value(), value(), value())
      }
      image.output = SoftDeviceOutput()
    }
    #expect(image.device.findings.count <= 256)
  }
}

extension Subscription {
  /// Both.
  fileprivate static let all: Subscription = [.notifications, .indications]
}
