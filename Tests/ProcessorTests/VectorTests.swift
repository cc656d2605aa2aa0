import Foundation
import Processor
import Testing

/// Executes what qemu-arm has executed, and compares registers, flags, floating-point registers and memory.
///
/// The file kept here holds a sample of each form. `Vectors/generator/generate --compare` makes others and names them in
/// the environment.
@Suite struct VectorTests {
  private static let code: UInt32 = 0x1000_0000
  private static let stride = 32

  @Test func everyInstructionDoesWhatAnotherImplementationDoes() throws {
    let kept = try #require(Bundle.module.url(forResource: "Vectors/instructions", withExtension: "vectors"))
    let other = ProcessInfo.processInfo.environment["PROCESSOR_VECTORS"].map { URL(filePath: $0) }
    let octets = [UInt8](try Data(contentsOf: other ?? kept))
    var file = VectorFile(octets)
    #expect(file.count > 20_000)
    var vectors: [Vector] = []
    for _ in 0..<file.count { vectors.append(file.next()) }
    var processor = try Self.processor(for: vectors)
    var failures: [Int: Int] = [:]
    for (index, vector) in vectors.enumerated() {
      let inputs = VectorInputs(vector)
      try Self.prepare(&processor, inputs, index)
      var bus = NoBus()
      let stop = processor.run(until: processor.cycles + 20, bus: &bus)
      let found = try Self.differences(processor, vector, inputs, stop)
      if found.isEmpty { continue }
      failures[vector.form, default: 0] += 1
      if failures[vector.form, default: 0] <= 2 {
        let code = vector.code.map { String($0, radix: 16) }.joined(separator: " ")
        Issue.record("form \(vector.form), case \(index), \(code): \(found)")
      }
    }
    let report = failures.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    #expect(failures.isEmpty, "failures by form: \(report)")
  }

  /// A processor with all snippets in its flash, each with a breakpoint behind it.
  private static func processor(for vectors: [Vector]) throws -> CortexM4 {
    let size = (vectors.count * stride + 4095) / 4096 * 4096
    var memory = try Memory(regions: [
      MemoryRegion(base: code, size: size, kind: .readOnly, name: "code"),
      MemoryRegion(base: 0x2000_0000, size: 4096, kind: .readWrite, name: "data"),
    ])
    var octets: [UInt8] = []
    for vector in vectors {
      var halfwords = vector.code
      if halfwords.count % 2 != 0 { halfwords.append(0xBF00) }
      halfwords.append(0xBE00)
      let filled = halfwords.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      octets += filled + [UInt8](repeating: 0, count: stride - filled.count)
    }
    try memory.load(octets, at: code)
    var processor = CortexM4(memory: memory, settings: .init(skipsSpinning: false))
    processor.reset(vectorTable: code)
    return processor
  }

  private static func prepare(_ processor: inout CortexM4, _ inputs: VectorInputs, _ index: Int) throws {
    for (register, value) in inputs.registers.enumerated() { processor[register: register] = value }
    for (register, value) in inputs.floats.enumerated() { processor[single: register] = value }
    processor.applicationStatus = inputs.status
    processor.enableFloatingPoint()
    processor.floatingPointStatus = inputs.floatStatus
    let octets = inputs.memory.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    try processor.memory.write(octets, at: VectorInputs.window)
    processor.programCounter = code + UInt32(index * stride)
  }

  private static func differences(
    _ processor: CortexM4, _ vector: Vector, _ inputs: VectorInputs, _ stop: Stop
  ) throws -> [String] {
    var result: [String] = []
    func compare(_ name: String, _ found: UInt32, _ expected: UInt32) {
      if found != expected {
        result.append("\(name) is \(String(found, radix: 16)), expected \(String(expected, radix: 16))")
      }
    }
    if stop != .breakpoint(0) { result.append("\(stop)") }
    for register in 0..<15 {
      compare("R\(register)", processor[register: register], vector.registers[register] ?? inputs.registers[register])
    }
    compare("APSR", processor.applicationStatus, vector.status)
    if vector.hasFloats {
      compare("FPSCR", processor.floatingPointStatus, vector.floatStatus)
      for register in 0..<32 {
        compare("S\(register)", processor[single: register], vector.floats[register] ?? inputs.floats[register])
      }
    }
    for index in 0..<32 {
      let place = VectorInputs.window + UInt32(index) * 4
      compare("word \(index)", try processor.memory.readWord(place), vector.memory[index] ?? inputs.memory[index])
    }
    return result
  }
}

/// Nothing but memory.
struct NoBus: PeripheralBus {
  mutating func read(_ address: UInt32, _ width: AccessWidth, at cycle: UInt64) -> BusRead { .fault }
  mutating func write(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64) -> BusWrite { .fault }
}
