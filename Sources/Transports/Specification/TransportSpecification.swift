/// The way to a controller or a host, written as one word: `tcp-client:127.0.0.1:9001`, `unix:/run/controller`.
///
/// The names and forms are the ones that Bumble made common, so that one word means the same to both tools.
public enum TransportSpecification: Hashable, Sendable {
  /// A dongle on USB, taken from the kernel.
  case usb(USBSelector)
  /// The kernel's controller of that number (`hci0` is 0), taken through its user channel.
  case hciSocket(UInt16)
  /// A listening TCP socket somewhere else, to which we connect.
  case tcpClient(host: String, port: UInt16)
  /// A TCP socket on which we listen; port 0 lets the system choose.
  case tcpServer(host: String, port: UInt16)
  /// A listening Unix socket, to which we connect.
  case unixClient(path: String)
  /// A Unix socket on which we listen.
  case unixServer(path: String)
  /// A serial line, in bits a second.
  case serial(path: String, speed: UInt32)

  /// Which USB device is meant.
  public enum USBSelector: Hashable, Sendable {
    /// The Bluetooth dongle of that number, counted from 0 in the order of the bus.
    case index(UInt8)
    /// The device with these vendor and product numbers, and with that serial number when several have them.
    case product(vendor: UInt16, product: UInt16, serialNumber: String?)
  }

  /// Speed of a serial line when none is given, in bits a second.
  public static let defaultSerialSpeed: UInt32 = 1_000_000
  /// Octets that fit into the address of a Unix socket (`sun_path` less its terminator).
  public static let maximumUnixPathLength = 107
  /// Octets that a whole specification may have.
  public static let maximumLength = 1024

  /// Whether we wait at this place for somebody to come, rather than go there.
  public var isServer: Bool {
    switch self {
    case .tcpServer, .unixServer: true
    case .usb, .hciSocket, .tcpClient, .unixClient, .serial: false
    }
  }
}

/// The word before the first colon of a specification.
enum TransportScheme: String, CaseIterable {
  case usb
  case hciSocket = "hci-socket"
  case tcpClient = "tcp-client"
  case tcpServer = "tcp-server"
  case unix
  case unixClient = "unix-client"
  case unixServer = "unix-server"
  case serial

  /// What follows the colon, by example.
  var form: String {
    switch self {
    case .usb: "usb:0, usb:0a12:0001 or usb:0a12:0001/SERIAL"
    case .hciSocket: "hci-socket:0"
    case .tcpClient: "tcp-client:127.0.0.1:9001"
    case .tcpServer: "tcp-server:127.0.0.1:9001"
    case .unix: "unix:/path"
    case .unixClient: "unix-client:/path"
    case .unixServer: "unix-server:/path"
    case .serial: "serial:/dev/ttyACM0,115200"
    }
  }
}

extension TransportSpecification: CustomStringConvertible {
  /// The specification as it is written.
  public var description: String {
    switch self {
    case .usb(.index(let index)): "usb:\(index)"
    case .usb(.product(let vendor, let product, let serialNumber)):
      "usb:\(Self.fourDigits(vendor)):\(Self.fourDigits(product))" + (serialNumber.map { "/\($0)" } ?? "")
    case .hciSocket(let number): "hci-socket:\(number)"
    case .tcpClient(let host, let port): "tcp-client:\(Self.bracketed(host)):\(port)"
    case .tcpServer(let host, let port): "tcp-server:\(Self.bracketed(host)):\(port)"
    case .unixClient(let path): "unix:\(path)"
    case .unixServer(let path): "unix-server:\(path)"
    case .serial(let path, let speed): "serial:\(path),\(speed)"
    }
  }

  private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  private static func fourDigits(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
