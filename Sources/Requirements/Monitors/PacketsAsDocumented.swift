import DictofunProtocol
import Packets
import Verdicts

/// DEV-12: a record comes in packets of the documented lengths.
///
/// A packet has 200 octets, or what its block of 256 octets, the record or the ATT MTU leaves. A packet that was left out
/// shows too, because the blocks no longer begin where they should.
struct PacketsAsDocumented: Monitor {
  let declaration = MonitorDeclaration(
    "DEV-12", "a record comes in packets of the documented lengths", judges: .recorder, shows: ["answers"])
  let interests: EventKinds = [.links, .fileData]
  private(set) var preconditionCount = 0
  private var transmissionUnits = LinkTable<Int>()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .linkUp: transmissionUnits[event] = Int(Self.defaultUnit)
    case .linkDown, .undetermined: transmissionUnits[event] = nil
    case .maximumTransmissionUnit(let octets): transmissionUnits[event] = Int(octets)
    case .fileTransfer(.data(_, let octets, let received, let size?)):
      guard let unit = transmissionUnits[event] else { return .pending }
      return judge(Int(octets), received: Int(received), of: Int(size), unit)
    default: break
    }
    return .pending
  }

  /// The ATT MTU of every new link, in octets.
  private static let defaultUnit = ATTPDU.defaultMTU

  private mutating func judge(_ octets: Int, received: Int, of size: Int, _ unit: Int) -> Observation {
    let offset = received - octets
    // What exceeds the announced size is another monitor's business.
    guard offset >= 0, received <= size else { return .pending }
    let left = min(FileDataLayout.blockLength - offset % FileDataLayout.blockLength, size - offset)
    let documented = FileDataLayout.packetLength(left: left, maximumTransmissionUnit: unit)
    guard octets == documented else {
      return .violated(
        "the recorder sent a packet of \(octets) octets at octet \(offset) of a record, where \(documented) are documented"
      )
    }
    guard received == size else { return .pending }
    preconditionCount += 1
    return .met
  }
}
