import Bytes
import HCI
import System

/// What an ``H4Pipe`` reads from and writes to: a descriptor that never blocks.
protocol OctetStream {
  /// What is read from and written to.
  var descriptor: FileDescriptor { get }
  /// Octets that may be passed over until the first packet is found; 0 where nothing can be lost.
  var toleratedGarbage: Int { get }
  /// Reads what is there, up to the size of `buffer`: the number of octets, 0 at the end, `nil` when none are there.
  func read(into buffer: inout [UInt8]) throws(SystemCallFailure) -> Int?
  /// Writes as much of `octets` as the system takes now.
  func write(_ octets: ArraySlice<UInt8>) throws(SystemCallFailure) -> Int
  /// Whether octets that came may hold more than was read of them, although nothing is left to read at the descriptor.
  var hasMore: Bool { get }
  /// Sends what was taken by ``write(_:)`` and kept back; whether nothing is kept back any more.
  func flush() throws(SystemCallFailure) -> Bool
  /// What the end of the stream, or a failed call, means for the pipe.
  func closure(after failure: SystemCallFailure?, isBetweenPackets: Bool) -> PipeClosure
  /// What the person is told when the octets make no packets: one broke the rules, or none was found (`nil`).
  func sentence(forGarbage violation: H4Violation?) -> String
  /// Leaves a controller that was used as it was found: with a reset, which ends what it does.
  func sayFarewell()
  /// Gives the descriptor back.
  func close()
}

extension OctetStream {
  var hasMore: Bool { false }

  func flush() throws(SystemCallFailure) -> Bool { true }

  func read(into buffer: inout [UInt8]) throws(SystemCallFailure) -> Int? { try descriptor.read(into: &buffer) }

  func write(_ octets: ArraySlice<UInt8>) throws(SystemCallFailure) -> Int { try descriptor.write(octets) }
}

extension StreamSocket: OctetStream {
  /// A socket loses nothing, so what breaks the framing is not HCI, and no reset will mend it.
  var toleratedGarbage: Int { 0 }

  func closure(after failure: SystemCallFailure?, isBetweenPackets: Bool) -> PipeClosure {
    if let failure { return .failed(failure.description) }
    return isBetweenPackets ? .closedByPeer : .failed("the other end closed within a packet")
  }

  /// Who serves a controller over a socket notices by itself that its host is gone.
  func sayFarewell() {}

  func sentence(forGarbage violation: H4Violation?) -> String {
    "the other end does not speak H4" + (violation.map { ": \($0.sentence)" } ?? "")
  }
}

extension H4Violation {
  /// The violation in words.
  var sentence: String {
    switch self {
    case .unknownIndicator(let octet): "no packet begins with 0x\(Hexadecimal.string([octet]))"
    case .tooLong(let kind, let length, let limit): "\(kind) packet of \(length) octets, at most \(limit) are accepted"
    }
  }
}
