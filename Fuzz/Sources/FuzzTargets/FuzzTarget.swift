/// The decoders that read what others made, each of which has to survive any octets.
///
/// A target only decodes and holds what came out against itself; what it finds wrong is a trap, because that is what
/// a fuzzer looks for.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case advertisingData = "AdvertisingData"
  case att = "ATT"
  case btsnoop = "BTSnoop"
  case fileTransfer = "FileTransfer"
  case h4 = "H4"
  case hci = "HCI"
  case l2cap = "L2CAP"
  case scenario = "Scenario"
  case smp = "SMP"
  case usb = "USB"
  case bootloader = "Bootloader"
  case initPacket = "InitPacket"
  case updatePackage = "UpdatePackage"
  case updater = "Updater"
  case wave = "Wave"

  /// Decodes one input; says whether it was accepted. Traps when the decoder contradicts itself.
  @discardableResult
  public func run(_ octets: [UInt8]) -> Bool {
    switch self {
    case .advertisingData: PacketTargets.advertisingData(octets)
    case .att: PacketTargets.att(octets)
    case .btsnoop: CaptureTarget.btsnoop(octets)
    case .fileTransfer: ProductTargets.fileTransfer(octets)
    case .h4: HCITargets.h4(octets)
    case .hci: HCITargets.hci(octets)
    case .l2cap: PacketTargets.l2cap(octets)
    case .scenario: ScenarioTarget.scenario(octets)
    case .smp: PacketTargets.smp(octets)
    case .usb: HCITargets.usb(octets)
    case .bootloader: UpdateTargets.bootloader(octets)
    case .initPacket: UpdateTargets.initPacket(octets)
    case .updatePackage: UpdateTargets.updatePackage(octets)
    case .updater: UpdateTargets.updater(octets)
    case .wave: ProductTargets.wave(octets)
    }
  }

  /// The form in which libFuzzer hands over an input.
  public func runInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
  }
}
