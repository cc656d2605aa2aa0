import Bytes
import HostStack
import Phone
import World

/// One conversation between our phone and a recorder. Each command is an extension that asks for what it needs.
///
/// What a recorder refuses is thrown as ``PhoneFailure``, what the phone's own end cannot do as ``ControlFailure``.
package struct RecorderConversation: Sendable {
  /// How long a connection may take: the search, the link, and what is read first on it.
  package static let connectionLimit = Duration.seconds(90)

  /// Our phone.
  package let phone: any RecorderPhone
  /// The recorder that the user means.
  package let choice: RecorderChoice
  /// Whether the user wants no more of it.
  let isInterrupted: @Sendable () -> Bool
  /// Whether the phone's controller was lost, so that nothing can be tried again.
  let hasLostController: @Sendable () -> Bool

  package init(
    _ phone: any RecorderPhone, _ choice: RecorderChoice, isInterrupted: @escaping @Sendable () -> Bool = { false },
    hasLostController: @escaping @Sendable () -> Bool = { false }
  ) {
    self.phone = phone
    self.choice = choice
    self.isInterrupted = isInterrupted
    self.hasLostController = hasLostController
  }

  /// Runs one operation within ``connectionLimit``.
  func perform(_ operation: PhoneOperation) async throws -> PhoneResult {
    try await phone.perform(operation, within: Self.connectionLimit).get()
  }

  /// Connects to the recorder.
  func connect() async throws { _ = try await perform(.connect(choice)) }

  /// Pairs with the connected recorder. Returns whether that is new.
  func pairWhereNeeded() async throws -> Bool {
    switch try await phone.perform(.pair, within: Self.connectionLimit) {
    case .success: return true
    case .failure(.alreadyPaired): return false
    case .failure(let failure): throw failure
    }
  }

  /// Asks the connected recorder for its list of records.
  func list() async throws -> [String] {
    guard case .records(let identifiers) = try await perform(.list) else { throw PhoneFailure.abandoned }
    return identifiers
  }

  /// Runs one procedure of the GATT client.
  func attribute(_ procedure: ClientProcedure) async throws -> ClientResult {
    guard case .attribute(let result) = try await perform(.attribute(procedure)) else { throw PhoneFailure.abandoned }
    return result
  }

  /// Discovers all services of the recorder.
  func discoverServices() async throws -> [DiscoveredService] {
    guard case .services(let services) = try await attribute(.discoverAll) else { throw PhoneFailure.abandoned }
    return services
  }

  /// Whether this identity is the one that the user means.
  func isMeant(_ identity: BluetoothAddress) -> Bool {
    guard case .address(let address) = choice else { return true }
    return identity == address
  }
}
