import Bytes
import HCI
import Timeline

/// `hci-socket:0`: the kernel's controller of that number (`hci0` is 0), taken through its user channel.
struct UserChannelTransport: Transport {
  static let schemes = ["hci-socket"]
  static let aliases = ["hci", "socket"]
  static let examples = ["0"]

  let index: UInt16

  init(_ index: UInt16) { self.index = index }

  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure) {
    guard let index = UInt16(decimal: rest) else { throw Self.incomplete(scheme) }
    self.init(index)
  }

  var rest: String { "\(index)" }

  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt {
    try UserChannelAttempt(index, request)
  }

  /// The numbers of the device on USB whose interface is the adapter; `nil` for an adapter elsewhere.
  static func numbers(of index: UInt16, in tree: SystemTree) -> USBNumbers? {
    func number(_ name: String) -> UInt16? {
      tree.line("/sys/class/bluetooth/hci\(index)/device/../\(name)").flatMap { UInt16(hexadecimal: $0) }
    }
    guard let vendor = number("idVendor"), let product = number("idProduct") else { return nil }
    return USBNumbers(vendor: vendor, product: product, release: number("bcdDevice"))
  }
}

extension TransportSpecification {
  /// The kernel's controller of that number (`hci0` is 0), taken through its user channel.
  package static func hciSocket(_ index: UInt16) -> Self { Self(UserChannelTransport(index)) }
}

/// Takes an adapter from the kernel, again and again for a second while the kernel is busy with it.
///
/// An adapter that has just been plugged in is busy while the kernel asks what it is. One that is still busy after a
/// second belongs to another program.
private final class UserChannelAttempt: OpeningAttempt {
  private static let attempts = 10
  private static let pace = Duration.milliseconds(100)

  private let index: UInt16
  private let request: OpeningRequest
  private var attempt: ImmediateAttempt?
  private var retry: ScheduledEvent?

  init(_ index: UInt16, _ request: OpeningRequest) throws(TransportFailure) {
    self.index = index
    self.request = request
    try take(attemptsLeft: Self.attempts)
  }

  private func take(attemptsLeft: Int) throws(TransportFailure) {
    do throws(TransportFailure) {
      attempt = try ImmediateAttempt(request) { () throws(AdapterTrouble) in
        let system = LinuxHCISystem()
        if let numbers = UserChannelTransport.numbers(of: index, in: .machine) { request.identify(numbers) }
        return UserChannelPipe(try .take(index, request.options, system), of: system, on: request.loop)
      }
    } catch {
      guard case .adapter(.busy, _) = error, attemptsLeft > 0 else { throw error }
      retry = request.loop.schedule(after: Self.pace) { [weak self] in
        do throws(TransportFailure) { try self?.take(attemptsLeft: attemptsLeft - 1) } catch {
          self?.request.finish(.failure(error))
        }
      }
    }
  }

  func cancel() {
    if let retry { request.loop.cancel(retry) }
    retry = nil
    attempt?.cancel()
    attempt = nil
  }
}
