import Bytes
import Crypto
import Foundation
import SecureDFU
import Testing

/// The files beside the tests.
enum Vectors {
  static func bytes(_ path: String) throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourceURL?.appending(path: "Vectors"))
    return Array(try Data(contentsOf: folder.appending(path: path)))
  }

  static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  static func decode<Value: Decodable>(_ path: String) throws -> [Value] {
    try JSONDecoder().decode([Value].self, from: Data(try bytes(path)))
  }

  /// The builds by the names of the vectors.
  static func build(_ name: String) throws -> BootloaderBuild {
    try #require(BootloaderBuild.all.first { $0.name == name.replacing("_", with: "-") })
  }

  /// What was on the device whose answers the vectors are: 8192 octets of an application of version 1.
  static let installed = InstalledFirmware(applicationVersion: 1, bootloaderVersion: 1, applicationSize: 8192)
}

/// Every octet of a hexadecimal text that a test knows to be one.
func octets(_ text: some StringProtocol) -> [UInt8] { Hexadecimal.bytes(text) ?? [] }

/// Repeatable chance (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
