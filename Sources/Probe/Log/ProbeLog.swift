import Bytes
import HCI
import Synchronization
import Timeline
import Trace

/// What a phone's host heard and when, as far as a probe measures it: taken from the packets of a trace.
package final class ProbeLog: TraceSink, Sendable {
  /// One advertisement or scan response.
  package struct Advertisement: Hashable, Sendable {
    /// When it was heard.
    package var instant: Instant
    /// Who sent it.
    package var address: BluetoothAddress
    /// Its octets.
    package var data: [UInt8]
    /// Whether it answers a scan request.
    package var isResponse: Bool
  }

  /// A link as it was made.
  package struct Connection: Hashable, Sendable {
    /// When the host was told of it.
    package var instant: Instant
    /// Its connection interval, as it was agreed last.
    package var interval: Duration
  }

  /// The end of a link.
  package struct Disconnection: Hashable, Sendable {
    /// When the host was told of it.
    package var instant: Instant
    /// The reason.
    package var reason: ErrorCode
  }

  private struct State {
    var advertisements: [Advertisement] = []
    var connections: [Connection] = []
    var disconnections: [Disconnection] = []
    var messages: [(instant: Instant, channel: UInt16, octets: [UInt8])] = []
    var dataLengths: LEDataLengths?
  }

  /// More of a kind than this are not kept; anybody on the air can send any number.
  private static let limit = 100_000
  /// L2CAP channels: ATT, signalling, the Security Manager (Core Specification Vol 3, Part A, 2.1).
  private static let (attribute, signalling, security): (UInt16, UInt16, UInt16) = (4, 5, 6)
  private static let securityRequest: UInt8 = 0x0B
  private static let parameterUpdateRequest: UInt8 = 0x12
  private static let exchangeMTUResponse: UInt8 = 0x03
  private static let valueIndication: UInt8 = 0x1D
  /// Octets before the first one of an L2CAP message in an ACL packet: handle, length, length, channel.
  private static let messageStart = 8

  private let state = Mutex(State())

  package init() {}

  package func receive(_ record: TraceRecord) {
    guard record.source.part == .phone else { return }
    switch record.kind {
    case .hciEvent: take(record.payload, at: record.instant)
    case .hciDataToHost: takeData(record.payload, at: record.instant)
    default: break
    }
  }

  package func finish() {}

  private func take(_ octets: [UInt8], at instant: Instant) {
    guard let event = try? Event(decoding: octets) else { return }
    switch event {
    case .leAdvertisingReport(let reports):
      for report in reports {
        keep(
          Advertisement(
            instant: instant, address: report.address, data: report.data, isResponse: report.kind == .scanResponse))
      }
    case .leExtendedAdvertisingReport(let reports):
      for report in reports {
        guard let address = report.address else { continue }
        keep(
          Advertisement(
            instant: instant, address: address, data: report.data, isResponse: report.kind.contains(.scanResponse)))
      }
    case .leConnectionComplete(let complete) where complete.status == .success:
      keep(connection: complete.link.intervalUnits, at: instant)
    case .leEnhancedConnectionComplete(let complete) where complete.connection.status == .success:
      keep(connection: complete.connection.link.intervalUnits, at: instant)
    case .leConnectionUpdateComplete(.success, _, let link):
      let interval = Duration.microseconds(1_250 * Int64(link.intervalUnits))
      state.withLock { state in
        if !state.connections.isEmpty { state.connections[state.connections.count - 1].interval = interval }
      }
    case .disconnectionComplete(.success, _, let reason):
      state.withLock { $0.disconnections.append(Disconnection(instant: instant, reason: reason)) }
    case .leDataLengthChange(_, let lengths): state.withLock { $0.dataLengths = lengths }
    default: break
    }
  }

  private func keep(_ advertisement: Advertisement) {
    state.withLock { state in
      if state.advertisements.count < Self.limit { state.advertisements.append(advertisement) }
    }
  }

  private func keep(connection units: UInt16, at instant: Instant) {
    let interval = Duration.microseconds(1_250 * Int64(units))
    state.withLock { $0.connections.append(Connection(instant: instant, interval: interval)) }
  }

  /// Keeps the short messages that a probe looks for; none of them is ever cut into fragments.
  private func takeData(_ octets: [UInt8], at instant: Instant) {
    guard octets.count > Self.messageStart else { return }
    let channel = UInt16(octets[6]) | UInt16(octets[7]) << 8
    let code = octets[Self.messageStart]
    switch (channel, code) {
    case (Self.security, Self.securityRequest), (Self.signalling, Self.parameterUpdateRequest),
      (Self.attribute, Self.exchangeMTUResponse), (Self.attribute, Self.valueIndication):
      state.withLock { state in
        guard state.messages.count < Self.limit else { return }
        state.messages.append((instant, channel, Array(octets[Self.messageStart...])))
      }
    default: break
    }
  }

  // MARK: What was heard

  /// Advertisements of this recorder from an instant on.
  package func advertisements(of address: BluetoothAddress, since instant: Instant) -> [Advertisement] {
    state.withLock { $0.advertisements.filter { $0.address == address && $0.instant >= instant } }
  }

  /// When this recorder was heard to advertise from an instant on.
  package func heard(_ address: BluetoothAddress, since instant: Instant) -> [Instant] {
    advertisements(of: address, since: instant).filter { !$0.isResponse }.map(\.instant)
  }

  /// The link that was made last.
  package var connection: Connection? { state.withLock { $0.connections.last } }

  /// The first end of a link from an instant on.
  package func disconnection(since instant: Instant) -> Disconnection? {
    state.withLock { $0.disconnections.first { $0.instant >= instant } }
  }

  /// When the recorder first asked for encryption from an instant on.
  package func securityRequest(since instant: Instant) -> Instant? {
    state.withLock { $0.messages.first { $0.channel == Self.security && $0.instant >= instant }?.instant }
  }

  /// When the recorder first indicated a value from an instant on.
  package func indication(since instant: Instant) -> Instant? {
    state.withLock { state in
      state.messages.first {
        $0.channel == Self.attribute && $0.octets.first == Self.valueIndication && $0.instant >= instant
      }?.instant
    }
  }

  /// The octets of the connection parameters that the recorder asked for last: shortest and longest interval in units of
  /// 1.25 ms, latency, supervision time-out in units of 10 ms, two octets each (Vol 3, Part A, 4.20).
  package var requestedParameters: [UInt8]? {
    state.withLock { $0.messages.last { $0.channel == Self.signalling }.map { Array($0.octets.dropFirst(4)) } }
  }

  /// The ATT_MTU that the recorder answered last.
  package var maximumTransmissionUnit: UInt16? {
    state.withLock { state in
      let answer = state.messages.last { $0.channel == Self.attribute && $0.octets.first == Self.exchangeMTUResponse }
      guard let octets = answer?.octets, octets.count == 3 else { return nil }
      return UInt16(octets[1]) | UInt16(octets[2]) << 8
    }
  }

  /// Payload octets of the longest packet that the recorder sends, as its controller agreed last.
  package var dataLength: UInt16? { state.withLock { $0.dataLengths?.receive.octets } }
}
