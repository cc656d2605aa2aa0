import Bytes
import DictofunProtocol
import HostStack
import Recorder
import Testing

@testable import Probe

@Suite struct AttributeComparisons {
  private static let expected = RecorderProfile.reference.attributes.discovered

  @Test func theSameTableDiffersInNothing() {
    #expect(AttributeComparison.differences(Self.expected, from: Self.expected) == [])
  }

  @Test func everyDifferenceIsNamed() throws {
    var found = Self.expected
    found.removeAll { $0.uuid == DictofunUUID.batteryService }
    let place = try #require(found.firstIndex { $0.uuid == DictofunUUID.fileTransferService })
    found[place].characteristics[1].properties = .read
    found[place].characteristics[1].configurationHandle = nil
    found[place].characteristics[2].valueHandle = AttributeHandle(0x0050)
    found[place].characteristics.removeLast()
    found.append(
      DiscoveredService(uuid: BluetoothUUID(0x180A), handle: AttributeHandle(0x60), endHandle: AttributeHandle(0x60)))
    #expect(
      AttributeComparison.differences(found, from: Self.expected) == [
        "the configuration of characteristic 1003 is at nowhere instead of 0x0014",
        "characteristic 1003 has [read] instead of [read, notify]",
        "characteristic 1008 is at 0x0050 instead of 0x0016", "characteristic 10FE is missing",
        "service 180F is missing", "service 180A is not expected",
      ])
  }
}
