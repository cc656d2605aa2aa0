import Bytes
import HostStack

/// Numbers of the Attribute Protocol and of GATT that calls and events carry.
enum GATTNumber {
  /// ATT_MTU before an exchange (`BLE_GATT_ATT_MTU_DEFAULT`; Core Specification Vol 3, Part G, 5.2.1).
  static let defaultTransmissionUnit: UInt16 = 23
  /// The largest ATT_MTU of any use: a value of 512 octets with the longest header.
  static let largestTransmissionUnit: UInt16 = 517
  /// Octets before the value in a notification, an indication, a write request and a write command: opcode and handle
  /// (Vol 3, Part F, 3.4.5 and 3.4.7).
  static let valueHeader = 3
  /// Octets before the value in a prepare write request: opcode, handle and offset (3.4.6.1).
  static let prepareHeader = 5
  /// `BLE_GATT_HVX_NOTIFICATION`.
  static let notification: UInt8 = 1
  /// `BLE_GATT_HVX_INDICATION`.
  static let indication: UInt8 = 2
  /// Longest value of variable length (`BLE_GATTS_VAR_ATTR_LEN_MAX`).
  static let longestVariableValue = 512
  /// Longest value of fixed length (`BLE_GATTS_FIX_ATTR_LEN_MAX`).
  static let longestFixedValue = 510
  /// Smallest attribute table (`BLE_GATTS_ATTR_TAB_SIZE_MIN`).
  static let smallestTable: UInt32 = 248
  /// A table beyond this does not fit into any chip's RAM.
  static let largestTable: UInt32 = 0x4_0000
  /// Octets of a client configuration.
  static let configurationLength = 2
  /// A kind of service (`BLE_GATTS_SRVC_TYPE_PRIMARY`).
  static let primaryService: UInt8 = 1
  /// A kind of service (`BLE_GATTS_SRVC_TYPE_SECONDARY`).
  static let secondaryService: UInt8 = 2
  /// What an access is authorized for (`BLE_GATTS_AUTHORIZE_TYPE_READ`).
  static let authorizesRead: UInt8 = 1
  /// What an access is authorized for (`BLE_GATTS_AUTHORIZE_TYPE_WRITE`).
  static let authorizesWrite: UInt8 = 2
}

/// How a client writes (`BLE_GATT_OP_…`; `BLE_GATTS_OP_…` has the same first two).
enum WriteOperation {
  static let request: UInt8 = 1
  static let command: UInt8 = 2
  static let signedCommand: UInt8 = 3
  static let prepare: UInt8 = 4
  static let execute: UInt8 = 5
}

/// Results of procedures with a peer's server (`BLE_GATT_STATUS_…`).
enum GATTStatus {
  /// Unknown or not applicable.
  static let unknown: UInt16 = 0x0001
  /// Errors of the Attribute Protocol begin here; the lower octet is its error code.
  static let protocolError: UInt16 = 0x0100

  /// Whether a status names an error of the Attribute Protocol.
  static func isProtocolError(_ status: UInt16) -> Bool { status & 0xFF00 == protocolError }
}

/// Types of attributes by their short UUIDs (Assigned Numbers, 3.4 to 3.8).
enum AttributeType {
  static let genericAccess: UInt16 = 0x1800
  static let genericAttribute: UInt16 = 0x1801
  static let primaryService: UInt16 = 0x2800
  static let include: UInt16 = 0x2802
  static let characteristic: UInt16 = 0x2803
  static let extendedProperties: UInt16 = 0x2900
  static let userDescription: UInt16 = 0x2901
  static let clientConfiguration: UInt16 = 0x2902
  static let serverConfiguration: UInt16 = 0x2903
  static let presentationFormat: UInt16 = 0x2904
  static let deviceName: UInt16 = 0x2A00
  static let appearance: UInt16 = 0x2A01
  static let preferredParameters: UInt16 = 0x2A04
  static let serviceChanged: UInt16 = 0x2A05
  static let centralAddressResolution: UInt16 = 0x2AA6
}

extension CharacteristicProperties {
  /// The value may be broadcast; a server configuration follows it (Core Specification Vol 3, Part G, 3.3.1.1).
  static let broadcast = CharacteristicProperties(rawValue: 0x01)
  /// Further properties stand in a descriptor.
  static let extended = CharacteristicProperties(rawValue: 0x80)
}

/// Numbers of GAP that calls carry (`ble_gap.h`).
enum GAPNumber {
  /// No handle yet (`BLE_GAP_ADV_SET_HANDLE_NOT_SET`), or no threshold (`BLE_GAP_RSSI_THRESHOLD_INVALID`).
  static let notSet: UInt8 = 0xFF
  /// No preference in connection parameters (`BLE_GAP_CP_…_NONE`).
  static let noPreference: UInt16 = 0xFFFF
  /// Connection intervals in units of 1.25 ms (`BLE_GAP_CP_MIN_CONN_INTVL_MIN`, `BLE_GAP_CP_MAX_CONN_INTVL_MAX`).
  static let intervals: ClosedRange<UInt16> = 6...3_200
  /// Highest latency (`BLE_GAP_CP_SLAVE_LATENCY_MAX`).
  static let highestLatency: UInt16 = 499
  /// Supervision timeouts in units of 10 ms (`BLE_GAP_CP_CONN_SUP_TIMEOUT_MIN` and `…_MAX`).
  static let supervisionTimeouts: ClosedRange<UInt16> = 10...3_200
  /// Advertising intervals in units of 0.625 ms (`BLE_GAP_ADV_INTERVAL_MIN` and `…_MAX`).
  static let advertisingIntervals: ClosedRange<UInt32> = 0x20...0x4000
  /// Highest filter policy (`BLE_GAP_ADV_FP_FILTER_BOTH`).
  static let highestFilterPolicy: UInt8 = 3
  /// Octets of data in an advertising PDU (`BLE_GAP_ADV_SET_DATA_SIZE_MAX`).
  static let advertisingDataLimit: UInt16 = 31
  /// Entries of a list of peers (`BLE_GAP_WHITELIST_ADDR_MAX_COUNT`).
  static let peerLimit = 8
  /// Octets of the longest device name (`BLE_GAP_DEVNAME_MAX_LEN`).
  static let nameLimit = 248
  /// Octets of keys (Core Specification Vol 3, Part H, 2.3.4).
  static let keySizes: ClosedRange<UInt8> = 7...16
  /// The role of the image on its connections (`BLE_GAP_ROLE_PERIPH`).
  static let peripheral: UInt8 = 1
  /// All PHYs (`BLE_GAP_PHYS_SUPPORTED`): LE 1M, LE 2M and LE Coded.
  static let physicalLayers: UInt8 = 0x07
  /// The PHYs between which the SoftDevice chooses by itself: LE 1M and LE 2M (`BLE_GAP_PHY_AUTO`).
  static let automaticLayers: UInt8 = 0x03
  /// `BLE_GAP_PHY_2MBPS`.
  static let layer2M: UInt8 = 0x02
  /// `BLE_GAP_PHY_CODED`.
  static let layerCoded: UInt8 = 0x04
}
