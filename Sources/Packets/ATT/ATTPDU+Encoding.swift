import Bytes

extension ATTPDU {
  /// Appends the PDU. Traps on a list whose entries are not all of one size, which is the caller's mistake.
  public func encode(into writer: inout ByteWriter) {
    writer.write(opcode.rawValue)
    switch self {
    case .writeResponse, .executeWriteResponse, .confirmation: break
    case .errorResponse(let request, let handle, let code):
      writer.write(request.rawValue)
      writer.write(handle.rawValue)
      writer.write(code.rawValue)
    case .exchangeMTURequest(let size), .exchangeMTUResponse(let size): writer.write(size)
    case .findInformationRequest(let range): writer.write(range)
    case .findInformationResponse(let list): writer.writeInformation(list)
    case .findByTypeValueRequest(let range, let type, let value):
      writer.write(range)
      writer.write(type)
      writer.write(value)
    case .findByTypeValueResponse(let ranges): for range in ranges { writer.write(range) }
    case .readByTypeRequest(let range, let type), .readByGroupTypeRequest(let range, let type):
      writer.write(range)
      writer.write(type.littleEndian)
    case .readByTypeResponse(let values): writer.writeValues(values)
    case .readByGroupTypeResponse(let groups): writer.writeGroups(groups)
    case .readRequest(let handle): writer.write(handle.rawValue)
    case .readBlobRequest(let handle, let offset):
      writer.write(handle.rawValue)
      writer.write(offset)
    case .readMultipleRequest(let handles): for handle in handles { writer.write(handle.rawValue) }
    case .readResponse(let value), .readBlobResponse(let value), .readMultipleResponse(let value),
      .unknown(_, let value):
      writer.write(value)
    case .writeRequest(let handle, let value), .writeCommand(let handle, let value),
      .notification(let handle, let value), .indication(let handle, let value):
      writer.write(handle.rawValue)
      writer.write(value)
    case .prepareWriteRequest(let handle, let offset, let value),
      .prepareWriteResponse(let handle, let offset, let value):
      writer.write(handle.rawValue)
      writer.write(offset)
      writer.write(value)
    case .executeWriteRequest(let commits): writer.write(UInt8(commits ? 1 : 0))
    }
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 32)
    encode(into: &writer)
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ range: HandleRange) {
    write(range.start.rawValue)
    write(range.end.rawValue)
  }

  fileprivate mutating func writeInformation(_ list: [AttributeInformation]) {
    let isShort = list.allSatisfy { $0.type.short != nil }
    write(UInt8(isShort ? 1 : 2))
    for entry in list {
      write(entry.handle.rawValue)
      write(isShort ? entry.type.littleEndian : entry.type.littleEndian128)
    }
  }

  fileprivate mutating func writeValues(_ list: [AttributeValue]) {
    let length = list.first?.value.count ?? 0
    write(UInt8(length + 2))
    for entry in list {
      precondition(entry.value.count == length, "the values of one response have one length")
      write(entry.handle.rawValue)
      write(entry.value)
    }
  }

  fileprivate mutating func writeGroups(_ list: [AttributeGroup]) {
    let length = list.first?.value.count ?? 0
    write(UInt8(length + 4))
    for entry in list {
      precondition(entry.value.count == length, "the values of one response have one length")
      write(entry.range)
      write(entry.value)
    }
  }
}
