import Bytes

/// Which SoftDevice an image is made for, on which chip, and how it behaves where no document says so.
package struct SoftDeviceSettings: Hashable, Sendable {
  /// Which SoftDevice.
  package enum Variant: String, Hashable, Sendable {
    /// S132 7.2, for the nRF52832.
    case s132
    /// S140 7.2, for the nRF52840.
    case s140

    /// Where the application's flash begins (release notes: 0x26000 and 0x27000 octets with the master boot record).
    package var applicationStart: UInt32 { self == .s132 ? 0x26000 : 0x27000 }
    /// Size of the chip's flash in octets.
    package var flashSize: UInt32 { self == .s132 ? 0x8_0000 : 0x10_0000 }
    /// The firmware number that `sd_ble_version_get` gives.
    var firmwareNumber: UInt16 { self == .s132 ? 0x0101 : 0x0100 }
  }

  /// Which SoftDevice.
  package var variant: Variant
  /// The chip's own address, a static random one that stands in FICR.
  package var address: BluetoothAddress
  /// The chip's identity resolving key, which the SoftDevice takes from FICR: sixteen octets, least significant first.
  package var identityResolvingKey: [UInt8]
  /// What random octets are made from: sixteen octets.
  package var randomKey: [UInt8]
  /// Cycles of erasing a page of the chip's flash.
  package var eraseCycles: UInt64
  /// Cycles of writing a word to the chip's flash.
  package var wordCycles: UInt64
  /// What is not known.
  package var policies = SoftDevicePolicies()

  /// A SoftDevice on a chip. Traps when a key does not have sixteen octets.
  package init(
    _ variant: Variant, address: BluetoothAddress, identityResolvingKey: [UInt8], randomKey: [UInt8],
    eraseCycles: UInt64, wordCycles: UInt64
  ) {
    precondition(identityResolvingKey.count == 16 && randomKey.count == 16, "a key has sixteen octets")
    self.variant = variant
    self.address = address
    self.identityResolvingKey = identityResolvingKey
    self.randomKey = randomKey
    self.eraseCycles = eraseCycles
    self.wordCycles = wordCycles
  }
}

/// What no document says of the SoftDevice, each with both settings.
package struct SoftDevicePolicies: Hashable, Sendable {
  /// What becomes of enabling while an enabled interrupt has a priority of the SoftDevice's own. Its header calls it an
  /// error; firmware is in use that does so.
  package var illegalPriority = IllegalPriority.accepted
  /// When the words of a flash write are read.
  package var flashSource = FlashSource.atCall
  /// What power that fails during an erasure leaves of the page.
  package var interruptedErasure = InterruptedErasure.untouched
  /// Octets of the attribute table that an attribute takes beside its value.
  package var attributeOverhead = 12
  /// Where a characteristic's user description stands.
  package var descriptorOrder = DescriptorOrder.descriptionFirst
  /// What a notification stores that is longer than it can carry.
  package var notifiedValue = NotifiedValue.part
  /// What the image hears when a central refuses other connection parameters.
  package var refusedParameters = RefusedParameters.parametersInForce
  /// What the image hears when it has no key for a central.
  package var missingKey = MissingKey.nothing
  /// What the image is told of client configurations that nobody has set on a link yet.
  package var unsetSystemAttributes = UnsetSystemAttributes.told
  /// What becomes of client configurations when the image says for the second time that it knows none.
  package var repeatedSystemAttributes = RepeatedSystemAttributes.kept
  /// The first value of Central Address Resolution.
  package var centralAddressResolution: UInt8 = 1

  /// The settings of a reference device.
  package init() {}

  /// What the image is told of client configurations that nobody has set on a link yet. The header names an error for it;
  /// Nordic's peer manager asks after each first pairing and takes the error for a fatal one.
  package enum UnsetSystemAttributes: Hashable, Sendable {
    /// That all are 0.
    case told
    /// That they are missing.
    case missing
  }

  /// What becomes of client configurations when the image says for the second time that it knows none. Where the peer
  /// manager and the application both answer that they are missing, the client's write stands between the answers.
  package enum RepeatedSystemAttributes: Hashable, Sendable {
    /// They stay as the client wrote them.
    case kept
    /// All are 0 again.
    case cleared
  }

  /// What becomes of enabling while an enabled interrupt has a priority of the SoftDevice's own.
  package enum IllegalPriority: Hashable, Sendable {
    /// It is a finding only.
    case accepted
    /// The call is refused.
    case refused
  }

  /// When the words of a flash write are read.
  package enum FlashSource: Hashable, Sendable {
    /// When the call is made.
    case atCall
    /// When the write is done.
    case atCompletion
  }

  /// What power that fails during an erasure leaves of the page.
  package enum InterruptedErasure: Hashable, Sendable {
    /// What was there.
    case untouched
    /// Nothing.
    case erased
  }

  /// Where a characteristic's user description stands.
  package enum DescriptorOrder: Hashable, Sendable {
    /// Before its client configuration.
    case descriptionFirst
    /// After its client configuration.
    case configurationFirst
  }

  /// What a notification stores that is longer than it can carry.
  package enum NotifiedValue: Hashable, Sendable {
    /// The part that was sent.
    case part
    /// All of it.
    case whole
  }

  /// What the image hears when a central refuses other connection parameters.
  package enum RefusedParameters: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// The parameters that stay in force.
    case parametersInForce
  }

  /// What the image hears when it has no key for a central.
  package enum MissingKey: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// That the link is open.
    case openLink
  }
}
