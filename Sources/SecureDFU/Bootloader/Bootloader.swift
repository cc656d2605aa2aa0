import Crypto

/// Nordic's Secure DFU bootloader over Bluetooth, without radio, clock and flash controller: what comes in and what
/// goes out (nRF5 SDK 17.1.0, `nrf_dfu_ble.c`, `nrf_dfu_req_handler.c`, `nrf_bootloader.c`).
public struct Bootloader: Sendable {
  /// Octets of the largest ATT packet.
  public static let maximumMTU = 247
  /// Octets of the smallest ATT packet.
  public static let minimumMTU = 23
  /// Buffers for packets on their way to the flash (4096 / 244 + 1).
  static let bufferCount = 17
  /// Why the bootloader ends a link: remote user terminated connection.
  static let disconnectReason: UInt8 = 0x13
  /// Milliseconds between the end of a link and the reset.
  static let resetDelay = 200
  /// ATT error of a control point whose notifications are off.
  static let improperlyConfigured: UInt8 = 0xFD
  /// Copied pages after which the progress is stored (`NRF_BL_FW_COPY_PROGRESS_STORE_STEP`).
  static let copyStep: UInt32 = 8

  /// Where it is.
  enum Mode: Hashable {
    /// The chip has no power, or resets.
    case off
    /// The settings are being looked after.
    case starting(BootReason)
    /// A received image is being put in place.
    case activating(BootloaderSettings)
    /// Updates are taken.
    case updating
    /// The application runs.
    case application
  }

  /// What happens once the flash has nothing to do.
  enum Pending: Hashable {
    /// The data object that was executed is answered.
    case dataExecuted
    /// The update is over, for good or bad.
    case updateEnded
  }

  /// How it was built.
  public let build: BootloaderBuild
  private let publicKey: P256PublicKey
  /// Judges init packets and images.
  let validator: InitPacketValidator
  /// What survives a reset.
  public internal(set) var flash: BootloaderFlash
  /// The settings it works with.
  public internal(set) var settings = BootloaderSettings()

  var mode = Mode.off
  var isConnected = false
  var isNotifying = false
  /// The current object; a break of the link does not change it.
  var currentObject: DFUObjectType?
  /// Packets between receipts; a break of the link does not change it.
  var receiptInterval: UInt16 = 0
  var packetsUntilReceipt: UInt16 = 0
  /// The image that an init packet announced, once that was executed or found in the flash.
  var accepted: AcceptedImage?
  /// Buffers that are gone until the reset, because the packet in them was refused.
  var leakedBuffers = 0
  /// Operations that wait, the one that runs first.
  var flashQueue: [FlashOperation] = []
  var pending: Pending?
  /// Operations that repair settings or put an image in place, the next one last.
  var preparation: [FlashOperation] = []

  /// A chip without power.
  public init(build: BootloaderBuild, publicKey: P256PublicKey, flash: BootloaderFlash) {
    self.build = build
    self.publicKey = publicKey
    validator = InitPacketValidator(build: build, publicKey: publicKey)
    self.flash = flash
  }

  /// Whether it takes updates.
  public var isUpdating: Bool { mode == .updating }
  /// Whether it handed the chip to the application.
  public var isApplicationRunning: Bool { mode == .application }
  /// Operations that wait for the flash, with the one that runs.
  public var flashQueueLength: Int { flashQueue.count }

  /// The ATT packet size it answers to a request: with room for whole words, so that each packet can go to the flash.
  public static func maximumTransmissionUnit(requested: Int) -> Int {
    guard requested < maximumMTU else { return maximumMTU }
    return max(minimumMTU, (requested - 3) / 4 * 4 + 3)
  }

  /// The address it advertises from: the application's with one added to the lowest octet, without carry.
  /// Octets are least significant first.
  public static func address(ofApplication address: [UInt8]) -> [UInt8] {
    guard let lowest = address.first else { return address }
    return [lowest &+ 1] + address.dropFirst()
  }

  /// Takes power away: only the flash stays, and an operation that had not ended was not done.
  public mutating func cutPower() {
    self = Bootloader(build: build, publicKey: publicKey, flash: flash)
  }

  /// Changes what is in the flash behind the bootloader's back: the application storing a name, or damage.
  public mutating func alterFlash(_ change: (inout BootloaderFlash) -> Void) { change(&flash) }

  /// Takes an input.
  public mutating func handle(_ input: BootloaderInput, _ effects: inout [BootloaderEffect]) {
    switch input {
    case .started(let reason): start(reason, &effects)
    case .flashOperationEnded: flashOperationEnded(&effects)
    case .timerFired(.reset): reset(&effects)
    default:
      guard mode == .updating else { return }
      handleUpdating(input, &effects)
    }
  }

  private mutating func handleUpdating(_ input: BootloaderInput, _ effects: inout [BootloaderEffect]) {
    switch input {
    case .connected:
      isConnected = true
      effects.append(.requestConnectionParameters(interval: 12, latency: 0, timeout: 600))
    case .disconnected: disconnected(&effects)
    case .notificationsChanged(let isOn): isNotifying = isOn
    case .controlPointWritten(let request):
      guard isNotifying else { return effects.append(.respond(Self.improperlyConfigured)) }
      effects.append(.respond(0))
      take(request, &effects)
    case .packetWritten(let packet): takePacket(packet, &effects)
    case .pairingRequested: fail(&effects)
    case .timerFired(.inactivity): reset(&effects)
    default: return
    }
  }

  private mutating func disconnected(_ effects: inout [BootloaderEffect]) {
    isConnected = false
    isNotifying = false
    guard pending != .updateEnded else { return }
    settings = flash.storedSettings ?? BootloaderSettings()
    advertise(&effects)
  }

  /// Does what a failed assertion does in this build.
  mutating func fail(_ effects: inout [BootloaderEffect]) {
    effects.append(.assertionFailed)
    reset(&effects)
  }

  mutating func reset(_ effects: inout [BootloaderEffect]) {
    cutPower()
    effects.append(.reset)
  }

  /// Ends the link and then resets.
  mutating func leave(_ effects: inout [BootloaderEffect]) {
    pending = .updateEnded
    if isConnected { effects.append(.disconnect(Self.disconnectReason)) }
    effects.append(.startTimer(.reset, Self.resetDelay))
  }

  mutating func restartInactivityTimer(_ effects: inout [BootloaderEffect]) {
    effects.append(.startTimer(.inactivity, build.inactivityTimeout))
  }

  mutating func advertise(_ effects: inout [BootloaderEffect]) {
    let name = flash.advertisedName ?? Array(build.advertisedName.utf8)
    // Flags: general discoverable, no BR/EDR; an incomplete list with the service FE59; the complete name.
    let data: [UInt8] = [0x02, 0x01, 0x06, 0x03, 0x02, 0x59, 0xFE, UInt8(clamping: name.count + 1), 0x09] + name
    effects.append(.advertise(data, interval: 40))
  }
}
