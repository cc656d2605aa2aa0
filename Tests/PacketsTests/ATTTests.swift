import Bytes
import Packets
import Testing

private let range = HandleRange(AttributeHandle(0x0001), AttributeHandle(0xFFFF))
private let vendor = BluetoothUUID("a0451001-b822-4820-8782-bd8faf68807b")!
private let vendorOctets = "7b8068af8fbd82872048 22b8011045a0"

/// PDUs with the octets that stand on the air, field by field as in Core Specification Vol 3, Part F, 3.4.
private let examples: [(ATTPDU, String)] = [
  (.errorResponse(request: .readRequest, handle: AttributeHandle(0x0010), .insufficientAuthentication), "010a100005"),
  (.exchangeMTURequest(247), "02f700"),
  (.exchangeMTUResponse(23), "031700"),
  (.findInformationRequest(range), "040100ffff"),
  (
    .findInformationResponse([
      AttributeInformation(AttributeHandle(0x11), BluetoothUUID(0x2902)),
      AttributeInformation(AttributeHandle(0x12), BluetoothUUID(0x2803)),
    ]), "0501 1100 0229 1200 0328"
  ),
  (.findInformationResponse([AttributeInformation(AttributeHandle(0x0E), vendor)]), "0502 0e00" + vendorOctets),
  (.findByTypeValueRequest(range, type: 0x2800, value: [0x05, 0x18]), "06 0100 ffff 0028 0518"),
  (.findByTypeValueResponse([HandleRange(AttributeHandle(0x27), AttributeHandle(0x2A))]), "07 2700 2a00"),
  (.readByTypeRequest(range, BluetoothUUID(0x2803)), "08 0100 ffff 0328"),
  (.readByTypeRequest(range, vendor), "08 0100 ffff" + vendorOctets),
  (
    .readByTypeResponse([
      AttributeValue(AttributeHandle(2), [1, 2, 3]), AttributeValue(AttributeHandle(4), [4, 5, 6]),
    ]), "09 05 0200 010203 0400 040506"
  ),
  (.readRequest(AttributeHandle(0x0029)), "0a 2900"),
  (.readResponse([0x54]), "0b 54"),
  (.readResponse([]), "0b"),
  (.readBlobRequest(AttributeHandle(0x0013), offset: 22), "0c 1300 1600"),
  (.readBlobResponse([9, 8]), "0d 0908"),
  (.readMultipleRequest([AttributeHandle(3), AttributeHandle(5)]), "0e 0300 0500"),
  (.readMultipleResponse([1]), "0f 01"),
  (.readByGroupTypeRequest(range, BluetoothUUID(0x2800)), "10 0100 ffff 0028"),
  (
    .readByGroupTypeResponse([AttributeGroup(HandleRange(AttributeHandle(1), AttributeHandle(9)), [0x00, 0x18])]),
    "11 06 0100 0900 0018"
  ),
  (.writeRequest(AttributeHandle(0x0010), [1]), "12 1000 01"),
  (.writeResponse, "13"),
  (.prepareWriteRequest(AttributeHandle(0x10), offset: 18, [7]), "16 1000 1200 07"),
  (.prepareWriteResponse(AttributeHandle(0x10), offset: 18, [7]), "17 1000 1200 07"),
  (.executeWriteRequest(commits: true), "18 01"),
  (.executeWriteRequest(commits: false), "18 00"),
  (.executeWriteResponse, "19"),
  (.notification(AttributeHandle(0x001C), [1, 2, 3]), "1b 1c00 010203"),
  (.indication(AttributeHandle(0x000C), [1, 0, 0xFF, 0xFF]), "1d 0c00 0100ffff"),
  (.confirmation, "1e"),
  (.writeCommand(AttributeHandle(0x10), []), "52 1000"),
  (.unknown(ATTOpcode(rawValue: 0x20), [3, 0]), "20 0300"),
]

@Suite struct ATTPDUs {
  @Test(arguments: examples.indices) func standOnTheAirAsTheSpecificationSays(_ index: Int) throws {
    let (pdu, text) = examples[index]
    let octets = try #require(Hexadecimal.bytes(text))
    #expect(pdu.encoded == octets)
    #expect(try ATTPDU(decoding: octets) == pdu)
    #expect(pdu.opcode.rawValue == octets[0])
  }

  /// Every shorter beginning of a PDU is another PDU or a typed failure with an offset inside it; never a trap.
  @Test func cutAnywhereEndInATypedFailureOrAShorterPDU() throws {
    for (_, text) in examples {
      let octets = try #require(Hexadecimal.bytes(text))
      for count in 0..<octets.count {
        do throws(DecodingFailure) {
          let shorter = try ATTPDU(decoding: Array(octets.prefix(count)))
          #expect(shorter.encoded == Array(octets.prefix(count)))
        } catch {
          #expect(error.offset <= count)
        }
      }
    }
  }

  @Test(arguments: [
    "1e00", "13ff", "0a290000", "0905 0200 0102", "0901 0200", "1103 0100 0200", "0503 0100 0229", "1802", "0e 0300",
  ])
  func withWrongLengthsOrReservedValuesAreRefused(_ text: String) throws {
    let octets = try #require(Hexadecimal.bytes(text))
    #expect(throws: DecodingFailure.self) { try ATTPDU(decoding: octets) }
  }

  @Test func madeOfRandomOctetsSurviveDecodingAndEncoding() {
    var random = RandomOctets(seed: 7)
    for round in 0..<20_000 {
      var octets = random.bytes(Int(random.next() % 40))
      if round % 2 == 0, !octets.isEmpty { octets[0] %= 0x24 }
      guard let pdu = try? ATTPDU(decoding: octets) else { continue }
      #expect((try? ATTPDU(decoding: pdu.encoded)) == pdu, "\(octets)")
    }
  }

  @Test func knowTheirRoles() {
    #expect(ATTOpcode.writeCommand.isCommand)
    #expect(ATTOpcode.signedWriteCommand.isCommand)
    #expect(ATTOpcode(rawValue: 0x7F).role == .command)
    #expect(ATTOpcode(rawValue: 0x3E).role == .request)
    #expect(ATTOpcode.handleValueConfirmation.role == .confirmation)
    #expect(ATTOpcode.executeWriteResponse.role == .response)
  }
}
