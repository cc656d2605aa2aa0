import HCI

/// An input of a machine: one shape for the host stack, the recorder and the phone.
///
/// Inputs and effects are moved many times. Where a request or an event is large and rare its case is `indirect`, so that all
/// others, which come with every packet, stay small.
package enum MachineInput<Request> {
  /// A packet came up from the controller.
  case packet(HCIPacket)
  /// A timer that the machine started has run out.
  case timerFired(TimerToken)
  /// Random octets that the machine asked for: the request's token, and as many octets as it wanted.
  case entropy(token: UInt32, bytes: [UInt8])
  /// A request from the layer above.
  case request(Request)
  /// The controller below was lost, and every link with it.
  case controllerLost
}

/// An effect of a machine: the world performs them in order.
package enum MachineEffect<Event> {
  /// Send this packet to the controller.
  case send(HCIPacket)
  /// Start a timer; one with the same token that still runs is replaced.
  case startTimer(TimerToken, Duration)
  /// Stop a timer; nothing happens when it does not run.
  case cancelTimer(TimerToken)
  /// Provide random octets.
  case needEntropy(EntropyRequest)
  /// An event for the layer above.
  case event(Event)
}

/// Names one timer of a machine.
///
/// A firing that was already on its way when the timer was restarted or its connection ended carries an old
/// generation and is ignored.
package struct TimerToken: Hashable, Sendable {
  /// Which machine of a composed one the timer belongs to.
  package enum Owner: UInt8, Hashable, Sendable {
    /// The Bluetooth host stack.
    case host
    /// The application standing on it.
    case application
  }

  /// Which machine the timer belongs to.
  package var owner: Owner
  /// What it is for; each owner numbers its own kinds.
  package var kind: UInt8
  /// The connection it belongs to, 0xFFFF for none.
  package var connection: UInt16
  /// Counts restarts.
  package var generation: UInt32

  package init(owner: Owner, kind: UInt8, connection: UInt16 = 0xFFFF, generation: UInt32 = 0) {
    self.owner = owner
    self.kind = kind
    self.connection = connection
    self.generation = generation
  }
}

/// A machine's request for random octets.
///
/// In a simulated world they are named draws of the seed; with a real controller they come from the operating
/// system.
package struct EntropyRequest: Hashable, Sendable {
  /// What the octets are for; the name of the draw.
  package enum Purpose: String, Hashable, Sendable {
    /// Private scalar of a P-256 key pair.
    case p256PrivateKey
    /// `Mrand`/`Srand` of legacy pairing.
    case pairingRandom
    /// `Na`/`Nb` of LE Secure Connections pairing.
    case pairingNonce
    /// A long-term key to be distributed, with its EDIV and Rand.
    case longTermKey
    /// An identity resolving key.
    case identityResolvingKey
  }

  /// What the octets are for.
  package var purpose: Purpose
  /// How many octets.
  package var count: Int
  /// Returned with the octets.
  package var token: UInt32

  package init(_ purpose: Purpose, count: Int, token: UInt32) {
    self.purpose = purpose
    self.count = count
    self.token = token
  }
}

extension MachineInput: Equatable where Request: Equatable {}
extension MachineInput: Sendable where Request: Sendable {}
extension MachineEffect: Equatable where Event: Equatable {}
extension MachineEffect: Sendable where Event: Sendable {}
