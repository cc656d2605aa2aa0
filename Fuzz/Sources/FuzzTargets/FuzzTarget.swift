/// The decoders and machines that meet what others made, each of which has to survive any octets.
///
/// A target only decodes or drives, and holds what came out against itself; what it finds wrong is a trap, because that is
/// what a fuzzer looks for.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case advertisingData = "AdvertisingData"
  case att = "ATT"
  case benchFile = "BenchFile"
  case bootloader = "Bootloader"
  case btsnoop = "BTSnoop"
  case captures = "Captures"
  case console = "Console"
  case controlSocket = "ControlSocket"
  case fileTransfer = "FileTransfer"
  case firmwareImage = "FirmwareImage"
  case h4 = "H4"
  case hci = "HCI"
  case hooks = "Hooks"
  case hosts = "Hosts"
  case initPacket = "InitPacket"
  case interpreter = "Interpreter"
  case l2cap = "L2CAP"
  case labgrid = "Labgrid"
  case processor = "Processor"
  case scenario = "Scenario"
  case smp = "SMP"
  case softDeviceCalls = "SoftDeviceCalls"
  case updatePackage = "UpdatePackage"
  case updater = "Updater"
  case usb = "USB"
  case wave = "Wave"

  /// Tries one input; says whether it was accepted. Traps when what was tried contradicts itself.
  @discardableResult
  package func run(_ octets: [UInt8]) -> Bool { attempt(octets) }

  private var attempt: ([UInt8]) -> Bool {
    switch self {
    case .advertisingData: PacketTargets.advertisingData
    case .att: PacketTargets.att
    case .benchFile: BenchTargets.benchFile
    case .bootloader: UpdateTargets.bootloader
    case .btsnoop: CaptureTarget.btsnoop
    case .captures: CaptureTarget.captures
    case .console: ConsoleTarget.dialogue
    case .controlSocket: BenchTargets.controlSocket
    case .fileTransfer: ProductTargets.fileTransfer
    case .firmwareImage: FirmwareImageTarget.image
    case .h4: HCITargets.h4
    case .hci: HCITargets.hci
    case .hooks: BenchTargets.hooks
    case .hosts: HostsTarget.schedule
    case .initPacket: UpdateTargets.initPacket
    case .interpreter: InterpreterTarget.packets
    case .l2cap: PacketTargets.l2cap
    case .labgrid: BenchTargets.labgrid
    case .processor: ProcessorTarget.code
    case .scenario: ScenarioTarget.scenario
    case .smp: PacketTargets.smp
    case .softDeviceCalls: SoftDeviceTarget.calls
    case .updatePackage: UpdateTargets.updatePackage
    case .updater: UpdateTargets.updater
    case .usb: HCITargets.usb
    case .wave: ProductTargets.wave
    }
  }
}
