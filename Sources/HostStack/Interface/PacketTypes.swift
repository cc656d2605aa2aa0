import Packets

// Values of packets that are part of this module's own vocabulary, so that those above need not import `Packets`.

/// Number by which client and server name an attribute.
public typealias AttributeHandle = Packets.AttributeHandle
/// A handle with its value.
public typealias AttributeValue = Packets.AttributeValue
/// Why a server refused a request.
public typealias ATTErrorCode = Packets.ATTErrorCode
/// Why pairing failed.
public typealias PairingFailureReason = Packets.PairingFailureReason
/// The procedures that a characteristic allows.
public typealias CharacteristicProperties = Packets.CharacteristicProperties
/// The security that a link needs before an attribute may be read or written.
public typealias AccessRequirement = Packets.AccessRequirement
/// The party that holds a characteristic's value.
public typealias ValueSource = Packets.ValueSource
/// One characteristic to be served.
public typealias CharacteristicDefinition = Packets.CharacteristicDefinition
/// One more descriptor of a characteristic to be served.
public typealias DescriptorDefinition = Packets.DescriptorDefinition
/// One service to be served.
public typealias ServiceDefinition = Packets.ServiceDefinition
/// The attributes that a server registers.
public typealias GATTDatabase = Packets.GATTDatabase
/// A service found on a server.
public typealias DiscoveredService = Packets.DiscoveredService
/// A characteristic found on a server.
public typealias DiscoveredCharacteristic = Packets.DiscoveredCharacteristic
/// What a device tells about itself when it pairs.
public typealias PairingFeatures = Packets.PairingFeatures
/// How a device can show numbers to people and take them.
public typealias InputOutputCapability = Packets.InputOutputCapability
/// What pairing shall give.
public typealias AuthenticationRequirements = Packets.AuthenticationRequirements
/// Keys that one side distributes.
public typealias KeyDistribution = Packets.KeyDistribution
/// A PDU of the Attribute Protocol.
public typealias ATTPDU = Packets.ATTPDU
/// A range of handles, both ends included.
public typealias HandleRange = Packets.HandleRange
