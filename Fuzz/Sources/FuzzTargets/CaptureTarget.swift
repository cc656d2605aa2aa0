import HCI
import Requirements

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

extension CaptureTarget {
  /// Reads a capture of any format and judges it as `check` does; what a reader gives is bounded by the file.
  static func captures(_ octets: [UInt8]) -> Bool {
    guard var reader = try? CaptureReader(octets) else { return false }
    var (count, length) = (0, 0)
    while let record = try? reader.next() {
      count += 1
      switch record.content {
      case .sent(let packet), .received(let packet): length += packet.bytes.count
      case .heard(let packet): length += packet.octets.count
      case .remark, .closed, .omitted: break
      }
    }
    precondition(count <= octets.count && length <= octets.count, "a capture holds more than its octets")
    guard let report = try? CaptureJudge.judge(octets) else { return false }
    precondition(report.packets == 0 || count > 0, "packets were judged that nobody read")
    return report.packets > 0
  }
}
