import Bytes
import Crypto
import HCI
import HostStack
import Processor

/// The SoftDevice as an executed image sees it: supervisor calls with their arguments in R0 to R3, structures in guest
/// memory, events that the image fetches. It holds no code of Nordic's; Bluetooth is the house's own host stack, reached
/// by requests and events as everything in this house reaches it.
///
///     image ──SVC──▶ call(_:_:at:) ──▶ HostRequest ──▶ host stack
///       ▲                  │ R0                            │
///       └── interrupt 22 ──┴── events to be fetched ◀── take(_:_:at:)
///
/// A value without clock, chance or output of its own: what it wants done is drained, what takes time comes back through
/// ``complete(_:_:at:)``. What is not modelled is a ``SoftDeviceFinding``.
package struct SoftDeviceHost: Sendable {
  /// Which SoftDevice, and how it behaves where no document says so.
  package let settings: SoftDeviceSettings
  /// Temperature of the chip in quarters of a degree Celsius.
  package var temperature: Int32 = 100
  /// The general-purpose retention registers, as calls read and write them; the owner keeps them equal to the board's.
  package var retention: [UInt8] = [0, 0]
  /// Why the chip was reset, as calls read it (POWER.RESETREAS).
  package var resetReason: UInt32 = 0
  /// Numbers of the pages of flash that firmware has write-protected; the owner keeps them equal to the board's.
  package var protectedPages: Set<UInt32> = []
  /// How often each call was made since the chip was made, by number.
  package internal(set) var callCounts = [Int](repeating: 0, count: 256)
  /// Findings since the chip was made, each once, in the order they were made.
  package private(set) var findings: [SoftDeviceFinding] = []

  /// Everything that a reset forgets.
  var state = ChipState()
  var output = SoftDeviceOutput()
  /// The address on the air from the next start of the stack on.
  var address: BluetoothAddress
  /// Counts what must not be mistaken for something older.
  private var lastNumber: UInt32 = 0
  /// Blocks of random octets drawn.
  var randomBlocks: UInt64 = 0

  /// Findings kept; what is found again adds nothing.
  static let findingLimit = 256

  /// The interrupt that tells of events, SWI2/EGU2 (SoftDevice specification, "Interrupt model").
  package static let eventInterrupt = 22

  /// A chip that was just switched on.
  package init(_ settings: SoftDeviceSettings) {
    self.settings = settings
    address = settings.address
  }

  /// The chip was reset, or lost its power: nothing is enabled, nothing waits. What was to be drained is forgotten.
  package mutating func reset() {
    state = ChipState()
    output = SoftDeviceOutput()
    address = settings.address
  }

  /// Whether the SoftDevice is enabled.
  package var isEnabled: Bool { state.isEnabled }

  /// The handle of the host stack's link; `nil` without one.
  package var link: ConnectionHandle? { state.link?.handle }

  /// Moves what is to be done behind what `output` holds already.
  package mutating func drain(_ output: inout SoftDeviceOutput) {
    output.requests += self.output.requests
    output.interrupts += self.output.interrupts
    output.registerWrites += self.output.registerWrites
    output.completions += self.output.completions
    output.findings += self.output.findings
    output.sleeps = output.sleeps || self.output.sleeps
    output.isSystemOff = output.isSystemOff || self.output.isSystemOff
    if let table = self.output.vectorTable { output.vectorTable = table }
    if let work = self.output.bootRecordWork { output.bootRecordWork = work }
    self.output = SoftDeviceOutput()
  }

  /// A number that was not given out before.
  mutating func nextNumber() -> UInt32 {
    lastNumber &+= 1
    return lastNumber
  }

  /// Notes a finding, the first time it is made.
  mutating func note(_ finding: SoftDeviceFinding) {
    guard findings.count < Self.findingLimit, !findings.contains(finding) else { return }
    findings.append(finding)
    output.findings.append(finding)
  }

  mutating func ask(_ request: HostRequest) { output.requests.append(request) }
}

// MARK: Events

extension SoftDeviceHost {
  /// Events that may wait for an image; a SoftDevice has less room and lets its peer wait, so who reaches this has
  /// stopped fetching.
  static let eventLimit = 256

  /// Queues an event of Bluetooth and tells the image.
  mutating func queue(_ number: EventNumber, _ fields: GuestFields, at cycle: UInt64) {
    guard state.events.count < Self.eventLimit else { return note(.eventLost(number.rawValue)) }
    state.events.append(QueuedEvent(number: number, body: fields.octets, cycle: cycle))
    output.interrupts.append(Self.eventInterrupt)
  }

  /// Queues an event of the chip and tells the image.
  mutating func queue(_ event: ChipEvent) {
    guard state.chipEvents.count < Self.eventLimit else { return }
    state.chipEvents.append(event)
    output.interrupts.append(Self.eventInterrupt)
  }

  /// Events of Bluetooth that the image has not fetched.
  package var waitingEventCount: Int { state.events.count }
}
