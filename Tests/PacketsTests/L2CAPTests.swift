import Bytes
import Packets
import Testing

private let request = ParameterUpdateRequest(
  minimumIntervalUnits: 12, maximumIntervalUnits: 20, latency: 0, supervisionTimeoutUnits: 200)

/// Commands with their octets (Core Specification Vol 3, Part A, 4).
private let examples: [(SignallingCommand, String)] = [
  (SignallingCommand(identifier: 1, .parameterUpdateRequest(request)), "12 01 0800 0c00 1400 0000 c800"),
  (SignallingCommand(identifier: 1, .parameterUpdateResponse(accepted: true)), "13 01 0200 0000"),
  (SignallingCommand(identifier: 9, .parameterUpdateResponse(accepted: false)), "13 09 0200 0100"),
  (SignallingCommand(identifier: 2, .commandReject(.notUnderstood)), "01 02 0200 0000"),
  (SignallingCommand(identifier: 2, .commandReject(.maximumLengthExceeded(23))), "01 02 0400 0100 1700"),
  (
    SignallingCommand(identifier: 2, .commandReject(.invalidChannel(local: 0x40, remote: 0x41))),
    "01 02 0600 0200 4000 4100"
  ),
  (SignallingCommand(identifier: 3, .unknown(code: 0x14, data: [1, 2])), "14 03 0200 0102"),
]

@Suite struct L2CAPFrames {
  @Test(arguments: examples.indices) func signallingStandsOnTheAirAsTheSpecificationSays(_ index: Int) throws {
    let (command, text) = examples[index]
    let octets = try #require(Hexadecimal.bytes(text))
    #expect(command.encoded == octets)
    #expect(try SignallingCommand(decoding: octets) == command)
    for count in 0..<octets.count {
      #expect(throws: DecodingFailure.self) { try SignallingCommand(decoding: Array(octets.prefix(count))) }
    }
  }

  @Test("Pitfall 20: one command in an LE signalling packet")
  func aSecondCommandInTheSamePacketIsRefused() throws {
    let one = SignallingCommand(identifier: 1, .parameterUpdateResponse(accepted: true)).encoded
    #expect(throws: DecodingFailure.self) { try SignallingCommand(decoding: one + one) }
  }

  @Test func aFrameTellsItsLengthAndChannel() throws {
    let frame = L2CAPFrame(.attributeProtocol, [0x0A, 0x29, 0x00])
    #expect(frame.encoded == [3, 0, 4, 0, 0x0A, 0x29, 0x00])
    #expect(try L2CAPFrame(decoding: frame.encoded) == frame)
    #expect(throws: DecodingFailure.self) { try L2CAPFrame(decoding: frame.encoded + [0]) }
    #expect(throws: DecodingFailure.self) { try L2CAPFrame(decoding: frame.encoded.dropLast()) }
  }

  @Test(
    "Pitfall 9: the supervision time-out outlasts the latency",
    arguments: [
      (12, 20, 0, 200, true), (6, 3_200, 0, 801, true), (6, 3_200, 0, 800, false), (20, 12, 0, 200, false),
      (5, 20, 0, 200, false), (80, 160, 4, 201, true), (80, 160, 4, 200, false), (12, 20, 500, 3_200, false),
      (12, 20, 0, 9, false),
    ] as [(UInt16, UInt16, UInt16, UInt16, Bool)])
  func parametersAreJudged(_ minimum: UInt16, _ maximum: UInt16, _ latency: UInt16, _ timeout: UInt16, _ valid: Bool) {
    let request = ParameterUpdateRequest(
      minimumIntervalUnits: minimum, maximumIntervalUnits: maximum, latency: latency, supervisionTimeoutUnits: timeout)
    #expect(request.isValid == valid)
  }
}
