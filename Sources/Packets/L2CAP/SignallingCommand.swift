import Bytes

/// A command of LE signalling with its identifier (Core Specification Vol 3, Part A, 4). An LE signalling packet holds
/// exactly one.
public struct SignallingCommand: Hashable, Sendable {
  /// Links a response to its request; 0 is not allowed in a command.
  public var identifier: UInt8
  /// A request or response.
  public var content: Content

  public init(identifier: UInt8, _ content: Content) {
    self.identifier = identifier
    self.content = content
  }

  /// The content of a signalling command.
  public enum Content: Hashable, Sendable {
    /// A command was not understood or not allowed (4.1).
    case commandReject(RejectReason)
    /// The peripheral would like other connection parameters (4.20).
    case parameterUpdateRequest(ParameterUpdateRequest)
    /// The central's answer: whether it accepts (4.21).
    case parameterUpdateResponse(accepted: Bool)
    /// A command that this house does not use: its code and data.
    case unknown(code: UInt8, data: [UInt8])
  }

  /// Reads one command that fills all of the reader. Throws where lengths disagree or a known command has
  /// the wrong length.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let code = try reader.readUInt8("signalling code")
    identifier = try reader.readUInt8("signalling identifier")
    let length = Int(try reader.readUInt16("signalling length"))
    guard length >= reader.remaining else {
      throw DecodingFailure(
        .trailing(count: reader.remaining - length), field: "signalling packet", offset: reader.offset + length)
    }
    guard length == reader.remaining else {
      throw DecodingFailure(
        .truncated(needed: length, available: reader.remaining), field: "signalling packet", offset: reader.offset)
    }
    content = try Content(code: code, decoding: &reader)
    try reader.expectEnd("signalling command")
  }

  /// Reads one command from all of `bytes`.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    try self.init(decoding: &reader)
  }

  public func encode(into writer: inout ByteWriter) {
    var data = ByteWriter(capacity: 8)
    content.encodeData(into: &data)
    writer.write(content.code)
    writer.write(identifier)
    writer.write(UInt16(data.bytes.count))
    writer.write(data.bytes)
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 12)
    encode(into: &writer)
    return writer.bytes
  }
}

/// The reason why a signalling command is rejected (Vol 3, Part A, 4.1, Table 4.4).
public enum RejectReason: Hashable, Sendable {
  /// The code is not known, or not allowed from this side.
  case notUnderstood
  /// The packet is longer than this side takes, in octets.
  case maximumLengthExceeded(UInt16)
  /// The channel does not exist: its identifier at the sender and the receiver of the reject.
  case invalidChannel(local: UInt16, remote: UInt16)
  /// A reason of another number.
  case other(UInt16, data: [UInt8])
}

/// Connection parameters that a peripheral asks for over L2CAP (Vol 3, Part A, 4.20).
public struct ParameterUpdateRequest: Hashable, Sendable {
  /// Shortest interval in units of 1.25 ms.
  public var minimumIntervalUnits: UInt16
  /// Longest interval in units of 1.25 ms.
  public var maximumIntervalUnits: UInt16
  /// Connection events the peripheral may skip.
  public var latency: UInt16
  /// Supervision time-out in units of 10 ms.
  public var supervisionTimeoutUnits: UInt16

  public init(
    minimumIntervalUnits: UInt16, maximumIntervalUnits: UInt16, latency: UInt16, supervisionTimeoutUnits: UInt16
  ) {
    self.minimumIntervalUnits = minimumIntervalUnits
    self.maximumIntervalUnits = maximumIntervalUnits
    self.latency = latency
    self.supervisionTimeoutUnits = supervisionTimeoutUnits
  }

  /// Whether the values are in the ranges of Vol 4, Part E, 7.8.18 and the time-out outlasts the latency.
  public var isValid: Bool {
    let maximumIntervalMicroseconds = Int(maximumIntervalUnits) * 1_250
    return (6...3_200).contains(minimumIntervalUnits) && (6...3_200).contains(maximumIntervalUnits)
      && minimumIntervalUnits <= maximumIntervalUnits && latency <= 499
      && (10...3_200).contains(supervisionTimeoutUnits)
      && Int(supervisionTimeoutUnits) * 10_000 > (1 + Int(latency)) * maximumIntervalMicroseconds * 2
  }
}

extension SignallingCommand.Content {
  /// The command's code.
  public var code: UInt8 {
    switch self {
    case .commandReject: 0x01
    case .parameterUpdateRequest: 0x12
    case .parameterUpdateResponse: 0x13
    case .unknown(let code, _): code
    }
  }

  init(code: UInt8, decoding reader: inout ByteReader) throws(DecodingFailure) {
    switch code {
    case 0x01: self = .commandReject(try RejectReason(decoding: &reader))
    case 0x12:
      self = .parameterUpdateRequest(
        ParameterUpdateRequest(
          minimumIntervalUnits: try reader.readUInt16("Interval Min"),
          maximumIntervalUnits: try reader.readUInt16("Interval Max"),
          latency: try reader.readUInt16("Latency"),
          supervisionTimeoutUnits: try reader.readUInt16("Timeout")))
    case 0x13: self = .parameterUpdateResponse(accepted: try reader.readUInt16("Result") == 0)
    default: self = .unknown(code: code, data: reader.readRemaining())
    }
  }

  func encodeData(into writer: inout ByteWriter) {
    switch self {
    case .commandReject(let reason): reason.encode(into: &writer)
    case .parameterUpdateRequest(let request):
      writer.write(request.minimumIntervalUnits)
      writer.write(request.maximumIntervalUnits)
      writer.write(request.latency)
      writer.write(request.supervisionTimeoutUnits)
    case .parameterUpdateResponse(let accepted): writer.write(UInt16(accepted ? 0 : 1))
    case .unknown(_, let data): writer.write(data)
    }
  }
}

extension RejectReason {
  init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    switch try reader.readUInt16("reject reason") {
    case 0: self = .notUnderstood
    case 1: self = .maximumLengthExceeded(try reader.readUInt16("signalling MTU"))
    case 2:
      self = .invalidChannel(
        local: try reader.readUInt16("local channel"), remote: try reader.readUInt16("remote channel"))
    case let other: self = .other(other, data: reader.readRemaining())
    }
  }

  public func encode(into writer: inout ByteWriter) {
    switch self {
    case .notUnderstood: writer.write(UInt16(0))
    case .maximumLengthExceeded(let length):
      writer.write(UInt16(1))
      writer.write(length)
    case .invalidChannel(let local, let remote):
      writer.write(UInt16(2))
      writer.write(local)
      writer.write(remote)
    case .other(let number, let data):
      writer.write(number)
      writer.write(data)
    }
  }
}
