import HostStack

/// Everything of the SoftDevice's place that a reset forgets.
struct ChipState: Sendable {
  /// `sd_softdevice_enable` was called.
  var isEnabled = false
  /// `sd_ble_enable` was called.
  var isBluetoothEnabled = false

  /// Events that the image has not fetched, oldest first.
  var events: [QueuedEvent] = []
  /// Events of the chip that the image has not fetched, oldest first.
  var chipEvents: [ChipEvent] = []

  /// The operation on flash that goes on.
  var flash: FlashOperation?
  /// Number of the last request for the crystal oscillator; `nil` when it was released.
  var clockRequest: UInt32?
  var isClockRunning = false
  /// The PPI as calls have set it.
  var interconnect = Interconnect()

  var configuration = StackConfiguration()
  /// Bases of vendor-specific UUIDs, sixteen octets each; `nil` where one was removed.
  var vendorBases: [[UInt8]?] = []
  var server = ServerTable(limit: 0, overhead: 0)
  var names = GenericAccess()
  var advertising = AdvertisingSet()
  var link: PeerLink?
  /// Subscriptions of the link that ended last, which may still be asked for.
  var lastSubscriptions: [UInt16] = []

  /// The host stack was given this address and table.
  var isStackStarted = false
  /// Address, table or configuration changed since.
  var isStackStale = true
}

/// An event of Bluetooth that waits for the image.
struct QueuedEvent: Hashable, Sendable {
  var number: EventNumber
  /// Octets of the header.
  private static let headerSize = 4
  /// What follows the header.
  var body: [UInt8]
  /// When it came.
  var cycle: UInt64

  /// Number and length, then the body (`ble_evt_hdr_t`; the length counts the header).
  var octets: [UInt8] {
    var fields = GuestFields(Self.headerSize)
    fields.put(number.rawValue, at: 0)
    fields.put(UInt16(Self.headerSize + body.count), at: 2)
    return fields.octets + body
  }
}

/// Numbers of the events of Bluetooth.
enum EventNumber: UInt16, Sendable {
  case connected = 0x10
  case disconnected = 0x11
  case connectionParametersUpdated = 0x12
  case securityParametersRequested = 0x13
  case securityInformationRequested = 0x14
  case authenticationStatus = 0x19
  case connectionSecurityUpdated = 0x1A
  case signalStrengthChanged = 0x1C
  case phyRequested = 0x21
  case phyUpdated = 0x22
  case dataLengthRequested = 0x23
  case dataLengthUpdated = 0x24
  case advertisingSetTerminated = 0x26
  case primaryServicesFound = 0x30
  case relationshipsFound = 0x31
  case characteristicsFound = 0x32
  case descriptorsFound = 0x33
  case attributeInformationFound = 0x34
  case valuesByTypeRead = 0x35
  case valueRead = 0x36
  case valuesRead = 0x37
  case valueWritten = 0x38
  case valueTold = 0x39
  case transmissionUnitExchanged = 0x3A
  case clientTimeout = 0x3B
  case writeCommandSent = 0x3C
  case write = 0x50
  case authorizationRequested = 0x51
  case systemAttributesMissing = 0x52
  case valueConfirmed = 0x53
  case serviceChangeConfirmed = 0x54
  case transmissionUnitRequested = 0x55
  case serverTimeout = 0x56
  case notificationsSent = 0x57
}

/// Events of the chip (`NRF_SOC_EVTS`).
enum ChipEvent: UInt32, Sendable {
  case clockStarted = 0
  case flashDone = 2
  case flashFailed = 3
}

/// What `sd_ble_cfg_set` changes, with the values that hold without it (`ble.h`, `ble_gap.h`, `ble_gatts.h`).
struct StackConfiguration: Hashable, Sendable {
  /// Largest ATT_MTU, in octets.
  var maximumTransmissionUnit = GATTNumber.defaultTransmissionUnit
  /// Notifications that may wait.
  var notificationPlaces = 1
  /// Write commands that may wait.
  var writeCommandPlaces = 1
  /// Bases of vendor-specific UUIDs there is room for.
  var vendorBaseCount = 10
  /// Octets of the attribute table.
  var tableSize = 1_408
  /// The GATT service has the Service Changed characteristic.
  var hasServiceChanged = true
  /// The GAP service has preferred connection parameters.
  var hasPreferredParameters = true
  /// The GAP service has Central Address Resolution.
  var hasAddressResolution = true
  /// Longest device name, in octets.
  var nameLimit = 31
  /// Connections as peripheral.
  var peripheralCount = 1
}

/// What the GAP service tells.
struct GenericAccess: Hashable, Sendable {
  /// Handles of the values, where the characteristics are there.
  var nameHandle: UInt16 = 0
  var appearanceHandle: UInt16 = 0
  var parametersHandle: UInt16?
  /// Handle of the value of Service Changed.
  var serviceChangedHandle: UInt16?
  /// The first handle that is the image's.
  var firstUserHandle: UInt16 = 1
  /// The name that holds from `sd_ble_cfg_set`.
  var firstName: [UInt8] = Array("nRF5x".utf8)
  var nameWriting = AccessMode(mode: 0, level: 0)
  /// Preferred connection parameters, as they stand in the structure and on the air.
  var parameters: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF]
}

/// The one advertising set.
struct AdvertisingSet: Hashable, Sendable {
  var isConfigured = false
  var isOn = false
  var isConnectable = true
  var intervalUnits: UInt16 = 0
  /// In units of 10 ms; 0 for no end.
  var duration: UInt16 = 0
  var eventLimit: UInt8 = 0
  var data: [UInt8] = []
  var scanResponse: [UInt8] = []
  /// `ble_gap_adv_data_t` as it was given: pointers and lengths, which come back with events.
  var pointers = [UInt8](repeating: 0, count: 16)
  /// Number of the time-out that runs.
  var number: UInt32 = 0
}

/// What calls have set of the programmable peripheral interconnect.
struct Interconnect: Hashable, Sendable {
  /// Bit n: channel n is enabled.
  var enabled: UInt32 = 0
  /// Channels of the groups.
  var groups = [UInt32](repeating: 0, count: groupCount)
  /// Groups that the chip has.
  private static let groupCount = 6
}
