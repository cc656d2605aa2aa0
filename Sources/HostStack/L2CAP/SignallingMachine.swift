import Bytes
import HCI
import Packets

/// Signalling on one LE link: only the connection parameter update is in use
/// (Core Specification Vol 3, Part A, 4.20 and 4.21).
///
///     peripheral: idle ──ask──▶ waiting ──accepted──▶ idle, the link layer reports the change
///                                  ├─────rejected, or no answer within 30 s──▶ idle, `refused`
///     central:    request ──▶ policy: answer, then update; or leave it to the application
///
/// The request goes from the peripheral to the central only; what else comes is rejected (4.1).
struct SignallingMachine: Sendable {
  /// What the machine wants done; in order.
  enum Action: Sendable {
    /// Send to the peer.
    case send(SignallingCommand)
    /// Start the 30 s timer.
    case startTimer
    /// Stop the timer.
    case stopTimer
    /// Change the link's parameters.
    case update(ConnectionParameters)
    /// Ask the application.
    case askApproval(ConnectionParameters, identifier: UInt8)
    /// This side's request was granted.
    case granted
    /// This side's request was not granted.
    case refused(ErrorCode)
    /// The peer broke a rule.
    case violation(ProtocolViolation)
  }

  private let isCentral: Bool
  private let policy: ParameterUpdatePolicy
  private var lastIdentifier: UInt8 = 0
  /// This side's request that waits for its answer.
  private var outstanding: UInt8?
  /// The peer's request that waits for the application.
  private var undecided: (identifier: UInt8, parameters: ConnectionParameters)?

  init(isCentral: Bool, policy: ParameterUpdatePolicy) {
    self.isCentral = isCentral
    self.policy = policy
  }

  /// Asks the central for other parameters; a request that waits is superseded.
  mutating func ask(for parameters: ConnectionParameters, _ actions: inout [Action]) {
    lastIdentifier = lastIdentifier == 255 ? 1 : lastIdentifier + 1
    outstanding = lastIdentifier
    let request = ParameterUpdateRequest(
      minimumIntervalUnits: parameters.minimumIntervalUnits, maximumIntervalUnits: parameters.maximumIntervalUnits,
      latency: parameters.latency, supervisionTimeoutUnits: parameters.supervisionTimeoutUnits)
    actions.append(.send(SignallingCommand(identifier: lastIdentifier, .parameterUpdateRequest(request))))
    actions.append(.startTimer)
  }

  /// The application decided about a request; a decision about nothing is dropped.
  mutating func answer(_ identifier: UInt8, _ isAccepted: Bool, _ actions: inout [Action]) {
    guard let request = undecided, request.identifier == identifier else { return }
    undecided = nil
    respond(identifier, isAccepted, request.parameters, &actions)
  }

  /// No answer came for 30 s.
  mutating func timeOut(_ actions: inout [Action]) {
    guard outstanding != nil else { return }
    outstanding = nil
    actions.append(.refused(.unspecifiedError))
  }

  /// Takes a packet of the signalling channel.
  mutating func handle(_ octets: [UInt8], _ actions: inout [Action]) {
    do throws(DecodingFailure) {
      handle(try SignallingCommand(decoding: octets), &actions)
    } catch {
      actions.append(.violation(ProtocolViolation(error.description, reference: "Vol 3, Part A, 4")))
      // Without an identifier there is nothing to answer to.
      if octets.count >= 2, octets[1] != 0, octets[0] != Self.rejectCode {
        reject(octets[1], &actions)
      }
    }
  }

  private static let rejectCode: UInt8 = 0x01

  private mutating func handle(_ command: SignallingCommand, _ actions: inout [Action]) {
    guard command.identifier != 0 else {
      return actions.append(.violation(ProtocolViolation("identifier 0", reference: "Vol 3, Part A, 4")))
    }
    switch command.content {
    case .parameterUpdateRequest(let request) where isCentral: take(command.identifier, request, &actions)
    case .parameterUpdateRequest, .unknown: reject(command.identifier, &actions)
    case .parameterUpdateResponse(let isAccepted) where command.identifier == outstanding:
      outstanding = nil
      actions.append(.stopTimer)
      actions.append(isAccepted ? .granted : .refused(.unacceptableConnectionParameters))
    case .commandReject where command.identifier == outstanding:
      outstanding = nil
      actions.append(.stopTimer)
      actions.append(.refused(.unsupportedRemoteFeature))
    case .parameterUpdateResponse, .commandReject:
      actions.append(.violation(ProtocolViolation("answer to no request", reference: "Vol 3, Part A, 4")))
    }
  }

  private mutating func take(_ identifier: UInt8, _ request: ParameterUpdateRequest, _ actions: inout [Action]) {
    let parameters = ConnectionParameters(
      minimumIntervalUnits: request.minimumIntervalUnits, maximumIntervalUnits: request.maximumIntervalUnits,
      latency: request.latency, supervisionTimeoutUnits: request.supervisionTimeoutUnits)
    guard request.isValid else { return respond(identifier, false, parameters, &actions) }
    switch policy {
    case .accept: respond(identifier, true, parameters, &actions)
    case .reject: respond(identifier, false, parameters, &actions)
    case .ignore: break
    case .ask:
      undecided = (identifier, parameters)
      actions.append(.askApproval(parameters, identifier: identifier))
    }
  }

  private func respond(
    _ identifier: UInt8, _ isAccepted: Bool, _ parameters: ConnectionParameters, _ actions: inout [Action]
  ) {
    actions.append(.send(SignallingCommand(identifier: identifier, .parameterUpdateResponse(accepted: isAccepted))))
    if isAccepted { actions.append(.update(parameters)) }
  }

  private func reject(_ identifier: UInt8, _ actions: inout [Action]) {
    actions.append(.send(SignallingCommand(identifier: identifier, .commandReject(.notUnderstood))))
  }
}
