import Bytes

/// Sound in a RIFF WAVE file: uncompressed samples, 8 or 16 bits, one or two channels
/// (Microsoft, Multimedia Programming Interface and Data Specifications 1.0).
public struct WaveFile: Hashable, Sendable {
  /// Samples a second.
  public var sampleRate: Int
  /// One channel, 16 bits. Two channels of a file that was read are averaged.
  public var samples: [Int16]

  /// Octets before the samples in a file that is written.
  public static let headerLength = 44
  /// The sample rates that are read; the lower end limits how long a short file can become at 16,000 samples a second.
  public static let sampleRates = 1000...384_000
  /// The longest file that is read, in octets.
  public static let maximumLength = 256 << 20

  /// Sound of `sampleRate` samples a second.
  public init(sampleRate: Int = RecordAudio.sampleRate, samples: [Int16]) {
    self.sampleRate = sampleRate
    self.samples = samples
  }

  /// The file: a header of 44 octets, then the samples, one channel of 16 bits.
  public var encoded: [UInt8] {
    let dataLength = samples.count * 2
    var writer = ByteWriter(capacity: Self.headerLength + dataLength)
    writer.write(Array("RIFF".utf8))
    writer.write(UInt32(clamping: Self.headerLength - 8 + dataLength))
    writer.write(Array("WAVEfmt ".utf8))
    writer.write(UInt32(16))
    writer.write(UInt16(1))
    writer.write(UInt16(1))
    writer.write(UInt32(clamping: sampleRate))
    writer.write(UInt32(clamping: sampleRate * 2))
    writer.write(UInt16(2))
    writer.write(UInt16(16))
    writer.write(Array("data".utf8))
    writer.write(UInt32(clamping: dataLength))
    for sample in samples { writer.write(UInt16(bitPattern: sample)) }
    return writer.bytes
  }

  /// Reads a file. Throws when it is longer than `maximumLength`, is cut short, has no format before its samples,
  /// or holds anything but 8 or 16 bits PCM in one or two channels. Unknown chunks are passed over.
  public init(decoding octets: [UInt8]) throws(DecodingFailure) {
    guard octets.count <= Self.maximumLength else {
      throw DecodingFailure(.tooLong(length: octets.count, limit: Self.maximumLength), field: "WAVE file", offset: 0)
    }
    var reader = ByteReader(octets.span)
    try Self.expect("RIFF", &reader, "RIFF tag")
    _ = try reader.readUInt32("RIFF length")
    try Self.expect("WAVE", &reader, "WAVE tag")
    var format: Format?
    while !reader.isAtEnd {
      let tag = try reader.readBytes(4, "chunk tag")
      let length = Int(try reader.readUInt32("chunk length"))
      let offset = reader.offset
      let content = try reader.readBytes(length, "chunk")
      if !length.isMultiple(of: 2), !reader.isAtEnd { _ = try reader.readUInt8("chunk padding") }
      switch tag {
      case Array("fmt ".utf8): format = try Format(content, at: offset)
      case Array("data".utf8):
        guard let format else {
          throw DecodingFailure(.truncated(needed: 16, available: 0), field: "format chunk", offset: offset)
        }
        self.init(sampleRate: format.sampleRate, samples: format.samples(content))
        return
      default: break
      }
    }
    throw DecodingFailure(.truncated(needed: 8, available: 0), field: "data chunk", offset: octets.count)
  }

  private static func expect(
    _ tag: String, _ reader: inout ByteReader, _ field: StaticString
  ) throws(DecodingFailure) {
    let offset = reader.offset
    let found = try reader.readBytes(4, field)
    guard found == Array(tag.utf8) else {
      let value = found.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      throw DecodingFailure(.invalid(value: value), field: "\(field)", offset: offset)
    }
  }
}

extension WaveFile {
  /// The values of the format chunk.
  private struct Format {
    var sampleRate: Int
    var channels: Int
    var octetsPerSample: Int

    private static let pulseCode: UInt16 = 0x0001
    private static let extensible: UInt16 = 0xFFFE

    init(_ octets: [UInt8], at offset: Int) throws(DecodingFailure) {
      func invalid(_ value: Int, _ field: String, _ position: Int) -> DecodingFailure {
        DecodingFailure(.invalid(value: UInt64(value)), field: field, offset: offset + position)
      }
      var reader = ByteReader(octets.span)
      let tag = try reader.readUInt16("format tag")
      channels = Int(try reader.readUInt16("channels"))
      sampleRate = Int(try reader.readUInt32("sample rate"))
      _ = try reader.readUInt32("octets a second")
      let blockLength = Int(try reader.readUInt16("block length"))
      let bits = Int(try reader.readUInt16("bits a sample"))
      if tag == Self.extensible {
        _ = try reader.readBytes(8, "format extension")
        let subformat = try reader.readUInt16("sub-format")
        guard subformat == Self.pulseCode else { throw invalid(Int(subformat), "sub-format", 24) }
      } else if tag != Self.pulseCode {
        throw invalid(Int(tag), "format tag", 0)
      }
      guard (1...2).contains(channels) else { throw invalid(channels, "channels", 2) }
      guard WaveFile.sampleRates.contains(sampleRate) else { throw invalid(sampleRate, "sample rate", 4) }
      guard bits == 8 || bits == 16 else { throw invalid(bits, "bits a sample", 14) }
      octetsPerSample = bits / 8
      guard blockLength == channels * octetsPerSample else { throw invalid(blockLength, "block length", 12) }
    }

    /// The samples of a data chunk, channels averaged; an incomplete last block is dropped.
    func samples(_ data: [UInt8]) -> [Int16] {
      let blockLength = channels * octetsPerSample
      return (0..<(data.count / blockLength)).map { block in
        let start = block * blockLength
        let sum = (0..<channels).reduce(0) { $0 + sample(data, start + $1 * octetsPerSample) }
        return Int16(sum / channels)
      }
    }

    private func sample(_ data: [UInt8], _ offset: Int) -> Int {
      guard octetsPerSample == 2 else { return (Int(data[offset]) - 128) * 256 }
      return Int(Int16(bitPattern: UInt16(data[offset]) | UInt16(data[offset + 1]) << 8))
    }
  }
}
