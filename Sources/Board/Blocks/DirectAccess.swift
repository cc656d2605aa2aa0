import Processor

/// EasyDMA: how a block reaches its buffers in RAM without the processor (product specifications, "EasyDMA"). Elsewhere it
/// reaches nothing: a buffer in flash, or where nothing stands, reads as zeros, keeps what it holds, and is told.
struct DirectAccess: Hashable, Sendable {
  /// The block, as the product specifications call it.
  let block: String

  /// Where RAM begins; flash and registers stand below, nothing else above.
  private static let ram: UInt32 = 0x2000_0000

  init(_ block: String) { self.block = block }

  func read(_ count: Int, from address: UInt32, _ memory: Memory, _ context: inout BlockContext) -> [UInt8] {
    guard count > 0 else { return [] }
    if address >= Self.ram, let octets = try? memory.read(address, count: count) { return octets }
    tell(address, count, &context)
    return [UInt8](repeating: 0, count: count)
  }

  func write(_ octets: [UInt8], to address: UInt32, _ memory: inout Memory, _ context: inout BlockContext) {
    guard !octets.isEmpty else { return }
    do throws(MemoryFault) { try memory.write(octets, at: address) } catch { tell(address, octets.count, &context) }
  }

  private func tell(_ address: UInt32, _ count: Int, _ context: inout BlockContext) {
    context.events.append(.bufferUnreachable(ChipBuffer(block: block, address: address, count: count)))
  }
}
