import HCI

/// Captures made by others.
enum CaptureTarget {
  /// Reads a file to its end or to where it is broken; packets in it survive our own writer.
  static func btsnoop(_ octets: [UInt8]) -> Bool {
    guard var reader = try? BtsnoopReader(octets) else { return false }
    var count = 0
    while let record = try? reader.next() {
      count += 1
      precondition(count <= octets.count, "a file has more records than octets")
      checkCopy(of: record)
    }
    return true
  }

  private static func checkCopy(of record: BtsnoopRecord) {
    guard case .sent(let packet) = record.content, packet.bytes.count <= Btsnoop.recordLimit else { return }
    // Other kinds can stand in a file with a direction that our own format has no way to say.
    guard packet.kind == .command || packet.kind == .acl else { return }
    var copy = BtsnoopWriter.fileHeader
    BtsnoopWriter().append(
      record.content, adapter: record.adapter, unixMicroseconds: record.unixMicroseconds, to: &copy)
    var reader = try? BtsnoopReader(copy)
    let again = try? reader?.next()
    precondition(again?.content == record.content, "a packet changes on its way through a capture")
    precondition(again?.unixMicroseconds == record.unixMicroseconds, "a time changes on its way through a capture")
  }
}
