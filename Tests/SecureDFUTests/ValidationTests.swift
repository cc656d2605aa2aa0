import Bytes
import Crypto
import Foundation
import SecureDFU
import Testing

/// Answers to init packets and images, against those of Nordic's bootloader.
@Suite struct ValidationTests {
  struct Expectation: Decodable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var init_execute, execute, final_execute: String?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var select_after: String
  }
  struct Package: Decodable {
    var package, dat: String
    var expect: [String: Expectation]
  }
  struct Packet: Decodable {
    var name, dat: String
    var expect: [String: Expectation]
  }

  @Test func packagesAreAnsweredAsNordicDoes() throws {
    let packages: [Package] = try Vectors.decode("packages.json")
    #expect(packages.count == 14)
    for row in packages {
      let package = try FirmwarePackage(decoding: try Vectors.bytes("packages/\(row.package).zip"))
      let image = try #require(package.images.last)
      #expect(package.findings.isEmpty, "\(row.package): \(package.findings)")
      #expect(image.initPacket == octets(row.dat))
      for (name, expected) in row.expect.sorted(by: { $0.key < $1.key }) {
        let validator = InitPacketValidator(build: try Vectors.build(name), publicKey: TestKey.publicKey)
        let prediction = validator.predict(
          initPacket: image.initPacket, image: image.image, installed: Vectors.installed)
        #expect(prediction.reply == octets(expected.init_execute ?? ""), "\(row.package) \(name)")
        #expect(prediction.selectReply == octets(expected.select_after), "\(row.package) \(name)")
        #expect(prediction.finalReply == expected.final_execute.map { octets($0) }, "\(row.package) \(name)")
      }
    }
  }

  @Test func initPacketsAreAnsweredAsNordicDoes() throws {
    let packets: [Packet] = try Vectors.decode("init-packets.json")
    #expect(packets.count == 21)
    for row in packets {
      for (name, expected) in row.expect.sorted(by: { $0.key < $1.key }) {
        let validator = InitPacketValidator(build: try Vectors.build(name), publicKey: TestKey.publicKey)
        let prediction = validator.predict(initPacket: octets(row.dat), installed: Vectors.installed)
        #expect(prediction.reply == octets(expected.execute ?? ""), "\(row.name) \(name)")
        #expect(prediction.selectReply == octets(expected.select_after), "\(row.name) \(name)")
      }
    }
  }

  @Test func theSignedBytesAreThoseOfTheInitCommand() throws {
    let packet = try InitPacket(decoding: try Vectors.bytes("app_s132_v2.dat"))
    #expect(packet.signedRange == 9..<72)
    #expect(
      SHA256.digest(packet.signedBytes)
        == octets("942a30ed6e286803b68ae04508d1a16326a003f88a96cff7410f9607e85d43df"))
    #expect(packet.command.encoded == packet.signedBytes)
    #expect(InitPacket(packet.command, signature: packet.signature) == packet)
  }

  @Test func everyFlippedBitIsNoticed() throws {
    let packet = try Vectors.bytes("app_s132_v2.dat")
    let validator = InitPacketValidator(build: .s132Debug, publicKey: TestKey.publicKey)
    let succeeds = DFUResult.success.reply(to: .executeObject)
    for bit in 0..<(packet.count * 8) {
      var damaged = packet
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let reply = validator.predict(initPacket: damaged, installed: Vectors.installed).reply
      // The operation code lies outside the signed bytes and is not looked at (octets 5 and 6 hold it).
      let isIgnored = (5...6).contains(bit / 8)
      #expect(isIgnored || reply != succeeds, "bit \(bit)")
    }
  }

  @Test func truncatedPacketsCannotBeDecoded() throws {
    let packet = try Vectors.bytes("app_s132_v2.dat")
    for length in 0..<packet.count {
      #expect(throws: DecodingFailure.self) { try InitPacket(decoding: Array(packet.prefix(length))) }
    }
  }

  @Test func randomBytesNeverTrap() throws {
    var generator = SeededGenerator(seed: 17)
    let seed = try Vectors.bytes("app_s132_v2.dat")
    let archive = try Vectors.bytes("packages/app_s132_v2.zip")
    for round in 0..<2000 {
      let noise = generator.bytes(Int(generator.next() % 200))
      _ = try? InitPacket(decoding: noise)
      var packet = seed
      for _ in 0..<3 {
        packet[Int(generator.next() % UInt64(packet.count))] = UInt8(truncatingIfNeeded: generator.next())
      }
      if let decoded = try? InitPacket(decoding: packet) {
        #expect(decoded.signedRange.upperBound <= packet.count)
        #expect(decoded.encoded == packet)
      }
      _ = try? FirmwarePackage(decoding: noise)
      guard round % 4 == 0 else { continue }
      var damaged = archive
      let position = round % 8 == 0 ? damaged.count - 1 - Int(generator.next() % 300) : Int(generator.next() % 5000)
      damaged[position] = UInt8(truncatingIfNeeded: generator.next())
      _ = try? FirmwarePackage(decoding: damaged)
    }
  }

  @Test func lengthsBeyondEverythingAreRefused() {
    let huge: [[UInt8]] = [
      [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x12] + [UInt8](repeating: 0xFF, count: 9) + [0x01],
      [0x12] + [UInt8](repeating: 0xFF, count: 20), [UInt8](repeating: 0x80, count: 40), [0x0B], [0x0C], [0x12, 0x7F],
    ]
    for bytes in huge { #expect(throws: DecodingFailure.self) { try InitPacket(decoding: bytes) } }
  }
}
