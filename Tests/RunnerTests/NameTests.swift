import DictofunProtocol
import Requirements
import SecureDFU
import Testing

@testable import Runner

/// What a trace calls something, scenarios call by the same name.
@Suite struct Names {
  @Test func requestsOfTheFileTransferServiceHaveOneName() throws {
    let identifier = try #require(RecordIdentifier("0000240101120000"))
    let requests: [ControlPointRequest] = [
      .listFiles, .fileInformation(identifier), .fileData(identifier), .fileSystemStatus, .receiveComplete,
      .unaccepted([0xFF]),
    ]
    for request in requests { #expect(Observations.Opcode(request).rawValue == request.name) }
  }

  @Test func requestsOfAnUpdateHaveOneName() throws {
    for opCode: UInt8 in [0x01, 0x02, 0x03, 0x04, 0x06, 0x0C] {
      let request = try #require(BootloaderRequest([opCode]))
      #expect(Observations.UpdateRequest(request).rawValue == request.name)
    }
  }

  @Test func anEncryptedLinkHasOneName() {
    #expect(Happening.encrypted.name == Observations.secured.declaration.name)
  }
}
