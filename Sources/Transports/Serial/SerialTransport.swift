import System

/// `serial:PATH,SPEED`: a serial line to a controller; the speed in bits per second.
struct SerialTransport: Transport {
  static let schemes = ["serial"]
  static let aliases = ["tty", "uart"]
  static let examples = ["/dev/ttyACM0,115200"]
  /// Bits per second when none are given.
  static let defaultSpeed: UInt32 = 1_000_000

  let path: String
  let speed: UInt32

  init(path: String, speed: UInt32) {
    self.path = path
    self.speed = speed
  }

  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure) {
    let parts = rest.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].isEmpty else { throw Self.incomplete(scheme) }
    guard parts.count == 2 else {
      self.init(path: String(parts[0]), speed: Self.defaultSpeed)
      return
    }
    guard let speed = UInt32(decimal: parts[1]), speed > 0 else { throw .badSpeed(String(parts[1])) }
    guard SerialSpeed(speed) != nil else { throw .unknownSpeed(speed, nearest: SerialSpeed.nearest(to: speed)) }
    self.init(path: String(parts[0]), speed: speed)
  }

  var rest: String { "\(path),\(speed)" }

  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt {
    try ImmediateAttempt(request) { () throws(AdapterTrouble) in
      H4Pipe(over: try SerialStream.open(path, speed: speed), on: request.loop, side: .host)
    }
  }
}

extension TransportSpecification {
  /// A serial line, in bits per second.
  package static func serial(path: String, speed: UInt32) -> Self { Self(SerialTransport(path: path, speed: speed)) }
}
