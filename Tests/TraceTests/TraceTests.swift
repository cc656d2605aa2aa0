import Bytes
import Crypto
import Testing
import Timeline

@testable import Trace

/// Keeps what it was given.
private final class CollectingSink: TraceSink {
  var records: [TraceRecord] = []
  var finishes = 0
  var canonical: [UInt8] { records.flatMap(\.encoded) }
  func receive(_ record: TraceRecord) { records.append(record) }
  func finish() { finishes += 1 }
}

@Suite struct Traces {
  private static let record = TraceRecord(
    sequence: 7, instant: Instant(nanoseconds: 0x0102_0304), source: .recorder(2), kind: .hciEvent,
    payload: [0x0E, 0x01, 0xFF])

  @Test func canonicalEncodingIsFixed() {
    #expect(
      Hexadecimal.string(Self.record.encoded)
        == "0700000000000000" + "0403020100000000" + "02" + "04" + "0200" + "03000000" + "0e01ff")
  }

  @Test func hashIsTheCutDigestOfSchemaAndRecords() {
    let (recorder, sink) = Self.recorderWithSink()
    recorder.record(.hciCommand, from: .phone(), at: .zero, [1, 3, 0x0C, 0])
    recorder.record(.note, from: .world, at: Instant(nanoseconds: 5), "warm")
    let digest = SHA256.digest([1, 0] + sink.canonical)
    #expect(recorder.hash.octets == Array(digest.prefix(16)))
    #expect(TraceHash(recorder.hash.description) == recorder.hash)
  }

  @Test(arguments: [[0, 1, 65_535, 65_536, 70_000, 200], [251]])
  func blocksOfTheDigestDoNotShow(lengths: [Int]) {
    let (recorder, sink) = Self.recorderWithSink()
    for index in 0..<300 {
      let length = lengths[index % lengths.count]
      let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 + index) }
      recorder.record(.hciDataToHost, from: .phone(1), at: Instant(nanoseconds: UInt64(index)), payload)
    }
    let digest = SHA256.digest([1, 0] + sink.canonical)
    #expect(recorder.hash.octets == Array(digest.prefix(16)))
  }

  private static func recorderWithSink() -> (TraceRecorder, CollectingSink) {
    let recorder = TraceRecorder()
    let sink = CollectingSink()
    recorder.add(sink)
    return (recorder, sink)
  }

  /// A packet is masked on its way into the hash, whether or not it fits into the block.
  @Test(arguments: [[20, 0, 5, 251, 4_096], [4_097, 65_600], [65_535, 1, 4_096]])
  func packetsAreHashedAndSeenAsRecordsOfTheirMaskedOctets(lengths: [Int]) {
    let (recorder, sink) = Self.recorderWithSink()
    let plain = TraceRecorder()
    for index in 0..<90 {
      let length = lengths[index % lengths.count]
      let packet = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) }
      let covered = length / 3..<length / 3 + length / 2
      var masked = packet
      for place in covered { masked[place] = 0 }
      let instant = Instant(nanoseconds: UInt64(index))
      recorder.record(packet: packet, covering: covered, .hciDataToHost, from: .phone(1), at: instant)
      plain.record(.hciDataToHost, from: .phone(1), at: instant, masked)
      #expect(sink.records.last?.payload == masked)
    }
    #expect(recorder.hash == plain.hash)
    #expect(sink.records.map(\.sequence) == Array(0..<90))
  }

  @Test func everyFieldReachesTheHash() {
    let variants: [(TraceKind, TraceSource, UInt64, [UInt8])] = [
      (.hciEvent, .phone(), 1, [1]), (.hciCommand, .phone(), 1, [1]), (.hciEvent, .phone(1), 1, [1]),
      (.hciEvent, .recorder(), 1, [1]), (.hciEvent, .phone(), 2, [1]), (.hciEvent, .phone(), 1, [2]),
      (.hciEvent, .phone(), 1, []),
    ]
    let hashes = variants.map { kind, source, time, payload in
      let recorder = TraceRecorder()
      recorder.record(kind, from: source, at: Instant(nanoseconds: time), payload)
      return recorder.hash
    }
    #expect(Set(hashes).count == variants.count)
  }

  @Test func realTimeStaysOutOfTheHash() {
    let quiet = TraceRecorder()
    let slipping = TraceRecorder()
    slipping.record(.slip, from: .world, at: .zero, [1, 2, 3, 4, 5, 6, 7, 8])
    for recorder in [quiet, slipping] { recorder.record(.note, from: .world, at: .zero, "begin") }
    #expect(quiet.hash == slipping.hash)
  }

  @Test func sinksGetEveryRecordAndOneEnd() {
    let (recorder, sink) = Self.recorderWithSink()
    for index in 0..<3 { recorder.record(.note, from: .runner, at: .zero, [UInt8(index)]) }
    recorder.finish()
    recorder.finish()
    #expect(sink.records.map(\.sequence) == [0, 1, 2])
    #expect(sink.finishes == 1)
  }

  @Test func hashOfARunDoesNotDependOnTheOrderOfItsScenarios() {
    let parts = (0..<5).map { index in
      TraceHash.Part(
        id: "scenario-\(index / 2)", cell: index % 2 == 0 ? "" : "[n=1]",
        hash: TraceHash(digest: Array(repeating: UInt8(index), count: 32)))
    }
    #expect(TraceHash.ofRun(parts) == TraceHash.ofRun(parts.reversed()))
    #expect(TraceHash.ofRun(parts) != TraceHash.ofRun(Array(parts.dropLast())))
    var renamed = parts
    renamed[0].id += "x"
    #expect(TraceHash.ofRun(parts) != TraceHash.ofRun(renamed))
  }
}
