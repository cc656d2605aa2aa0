import Bytes

extension ATTPDU {
  /// Reads one PDU that fills the whole reader: it was one L2CAP frame.
  ///
  /// Throws where a field is cut off, octets are left over, or a list's entries do not divide its length. Ranges and
  /// lengths against ATT_MTU are the server's to judge.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let opcode = ATTOpcode(rawValue: try reader.readUInt8("ATT opcode"))
    switch opcode.rawValue {
    // First, because most PDUs of a transfer are these.
    case 0x1B: self = .notification(try reader.readAttributeHandle(), reader.readRemaining())
    case 0x1D: self = .indication(try reader.readAttributeHandle(), reader.readRemaining())
    case 0x0A...0x13, 0x16...0x19, 0x52: self = try Self.readingOrWriting(opcode, &reader)
    default: self = try Self.finding(opcode, &reader)
    }
    try reader.expectEnd("ATT PDU")
  }

  /// Reads one PDU from all of `bytes`.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    try self.init(decoding: &reader)
  }

  private static func readingOrWriting(
    _ opcode: ATTOpcode, _ reader: inout ByteReader
  ) throws(DecodingFailure) -> ATTPDU {
    switch opcode {
    case .readRequest: return .readRequest(try reader.readAttributeHandle())
    case .readResponse: return .readResponse(reader.readRemaining())
    case .readBlobRequest:
      return .readBlobRequest(try reader.readAttributeHandle(), offset: try reader.readUInt16("value offset"))
    case .readBlobResponse: return .readBlobResponse(reader.readRemaining())
    case .readMultipleRequest:
      var handles: [AttributeHandle] = []
      // Two handles at least, says 3.4.4.7.
      repeat { handles.append(try reader.readAttributeHandle()) } while !reader.isAtEnd || handles.count < 2
      return .readMultipleRequest(handles)
    case .readMultipleResponse: return .readMultipleResponse(reader.readRemaining())
    case .readByGroupTypeRequest:
      return .readByGroupTypeRequest(try reader.readHandleRange(), try reader.readAttributeType())
    case .readByGroupTypeResponse: return .readByGroupTypeResponse(try reader.readGroups())
    case .writeRequest: return .writeRequest(try reader.readAttributeHandle(), reader.readRemaining())
    case .writeCommand: return .writeCommand(try reader.readAttributeHandle(), reader.readRemaining())
    case .writeResponse: return .writeResponse
    case .prepareWriteRequest:
      return .prepareWriteRequest(
        try reader.readAttributeHandle(), offset: try reader.readUInt16("value offset"), reader.readRemaining())
    case .prepareWriteResponse:
      return .prepareWriteResponse(
        try reader.readAttributeHandle(), offset: try reader.readUInt16("value offset"), reader.readRemaining())
    case .executeWriteRequest:
      let offset = reader.offset
      switch try reader.readUInt8("execute flags") {
      case 0: return .executeWriteRequest(commits: false)
      case 1: return .executeWriteRequest(commits: true)
      case let other: throw DecodingFailure(.invalid(value: UInt64(other)), field: "execute flags", offset: offset)
      }
    case .executeWriteResponse: return .executeWriteResponse
    default: return .unknown(opcode, reader.readRemaining())
    }
  }

  private static func finding(_ opcode: ATTOpcode, _ reader: inout ByteReader) throws(DecodingFailure) -> ATTPDU {
    switch opcode {
    case .errorResponse:
      return .errorResponse(
        request: ATTOpcode(rawValue: try reader.readUInt8("request opcode in error")),
        handle: try reader.readAttributeHandle(), ATTErrorCode(rawValue: try reader.readUInt8("error code")))
    case .exchangeMTURequest: return .exchangeMTURequest(try reader.readUInt16("client receive MTU"))
    case .exchangeMTUResponse: return .exchangeMTUResponse(try reader.readUInt16("server receive MTU"))
    case .findInformationRequest: return .findInformationRequest(try reader.readHandleRange())
    case .findInformationResponse: return .findInformationResponse(try reader.readInformation())
    case .findByTypeValueRequest:
      return .findByTypeValueRequest(
        try reader.readHandleRange(), type: try reader.readUInt16("attribute type"), value: reader.readRemaining())
    case .findByTypeValueResponse:
      var ranges: [HandleRange] = []
      repeat { ranges.append(try reader.readHandleRange()) } while !reader.isAtEnd
      return .findByTypeValueResponse(ranges)
    case .readByTypeRequest: return .readByTypeRequest(try reader.readHandleRange(), try reader.readAttributeType())
    case .readByTypeResponse: return .readByTypeResponse(try reader.readValues())
    case .handleValueConfirmation: return .confirmation
    default: return .unknown(opcode, reader.readRemaining())
    }
  }
}

extension ByteReader {
  /// Reads a handle.
  @inlinable
  public mutating func readAttributeHandle() throws(DecodingFailure) -> AttributeHandle {
    AttributeHandle(rawValue: try readUInt16("attribute handle"))
  }

  mutating func readHandleRange() throws(DecodingFailure) -> HandleRange {
    HandleRange(try readAttributeHandle(), try readAttributeHandle())
  }

  /// Reads a type of two or sixteen octets that ends the PDU.
  mutating func readAttributeType() throws(DecodingFailure) -> BluetoothUUID {
    let start = offset
    let octets = readRemaining()
    guard let type = BluetoothUUID(littleEndian: octets) else {
      throw DecodingFailure(.invalid(value: UInt64(octets.count)), field: "attribute type length", offset: start)
    }
    return type
  }

  fileprivate mutating func readInformation() throws(DecodingFailure) -> [AttributeInformation] {
    let start = offset
    let size: Int
    switch try readUInt8("information format") {
    case 1: size = 2
    case 2: size = 16
    case let other: throw DecodingFailure(.invalid(value: UInt64(other)), field: "information format", offset: start)
    }
    var list: [AttributeInformation] = []
    repeat {
      let handle = try readAttributeHandle()
      guard let type = BluetoothUUID(littleEndian: try readBytes(size, "attribute type")) else { break }
      list.append(AttributeInformation(handle, type))
    } while !isAtEnd
    return list
  }

  private mutating func readEntryLength(minimum: Int) throws(DecodingFailure) -> Int {
    let start = offset
    let length = Int(try readUInt8("entry length"))
    guard length >= minimum else {
      throw DecodingFailure(.invalid(value: UInt64(length)), field: "entry length", offset: start)
    }
    return length
  }

  fileprivate mutating func readValues() throws(DecodingFailure) -> [AttributeValue] {
    let length = try readEntryLength(minimum: 2)
    var list: [AttributeValue] = []
    repeat {
      list.append(AttributeValue(try readAttributeHandle(), try readBytes(length - 2, "attribute value")))
    } while !isAtEnd
    return list
  }

  fileprivate mutating func readGroups() throws(DecodingFailure) -> [AttributeGroup] {
    let length = try readEntryLength(minimum: 4)
    var list: [AttributeGroup] = []
    repeat {
      list.append(AttributeGroup(try readHandleRange(), try readBytes(length - 4, "attribute value")))
    } while !isAtEnd
    return list
  }
}
