extension TransportSpecification {
  /// Reads a specification such as `tcp-server:127.0.0.1:0`; `_` as the host of a server means every interface.
  public init(parsing text: String) throws(TransportSpecificationFailure) {
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    let word = String(text[..<colon])
    guard let scheme = TransportScheme(rawValue: word) else {
      throw .unknownScheme(word, nearest: NearestSpelling.scheme(to: word))
    }
    let rest = colon == text.endIndex ? "" : String(text[text.index(after: colon)...])
    guard !rest.isEmpty else { throw .incomplete(scheme: word, form: scheme.form) }
    self = try Self.parse(rest, scheme)
  }

  private static func parse(_ rest: String, _ scheme: TransportScheme) throws(TransportSpecificationFailure) -> Self {
    switch scheme {
    case .usb: return .usb(try parseUSB(rest))
    case .hciSocket:
      guard let number = UInt16(decimal: rest) else { throw .incomplete(scheme: scheme.rawValue, form: scheme.form) }
      return .hciSocket(number)
    case .tcpClient:
      let (host, port) = try parseEndpoint(rest, scheme)
      guard port != 0 else { throw .portZero }
      return .tcpClient(host: host, port: port)
    case .tcpServer:
      let (host, port) = try parseEndpoint(rest, scheme)
      return .tcpServer(host: host == "_" ? "0.0.0.0" : host, port: port)
    case .unix, .unixClient: return .unixClient(path: try parsePath(rest))
    case .unixServer: return .unixServer(path: try parsePath(rest))
    case .serial: return try parseSerial(rest)
    }
  }

  private static func parseUSB(_ rest: String) throws(TransportSpecificationFailure) -> USBSelector {
    if let index = UInt8(decimal: rest) { return .index(index) }
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: ":", omittingEmptySubsequences: false)
    let serialNumber = parts.count == 2 ? String(parts[1]) : nil
    guard numbers.count == 2, numbers.allSatisfy({ $0.utf8.count == 4 }), serialNumber != "",
      let vendor = UInt16(hexadecimal: numbers[0]), let product = UInt16(hexadecimal: numbers[1])
    else { throw .incomplete(scheme: TransportScheme.usb.rawValue, form: TransportScheme.usb.form) }
    return .product(vendor: vendor, product: product, serialNumber: serialNumber)
  }

  /// `HOST:PORT`, where a host with colons stands in brackets.
  private static func parseEndpoint(_ rest: String, _ scheme: TransportScheme)
    throws(TransportSpecificationFailure) -> (host: String, port: UInt16)
  {
    guard let colon = rest.lastIndex(of: ":") else { throw .incomplete(scheme: scheme.rawValue, form: scheme.form) }
    var host = rest[..<colon]
    let digits = rest[rest.index(after: colon)...]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
    if isBracketed { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, isBracketed || !host.contains(":") else {
      throw .incomplete(scheme: scheme.rawValue, form: scheme.form)
    }
    guard let port = UInt16(decimal: digits) else { throw .badPort(String(digits)) }
    return (String(host), port)
  }

  private static func parsePath(_ rest: String) throws(TransportSpecificationFailure) -> String {
    guard rest.utf8.count <= maximumUnixPathLength else { throw .pathTooLong(rest, limit: maximumUnixPathLength) }
    return rest
  }

  private static func parseSerial(_ rest: String) throws(TransportSpecificationFailure) -> Self {
    let parts = rest.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].isEmpty else {
      throw .incomplete(scheme: TransportScheme.serial.rawValue, form: TransportScheme.serial.form)
    }
    guard parts.count == 2 else { return .serial(path: String(parts[0]), speed: defaultSerialSpeed) }
    guard let speed = UInt32(decimal: parts[1]), speed > 0 else { throw .badSpeed(String(parts[1])) }
    guard SerialSpeed.code(of: speed) != nil else {
      throw .unknownSpeed(speed, nearest: SerialSpeed.nearest(to: speed))
    }
    return .serial(path: String(parts[0]), speed: speed)
  }
}

extension FixedWidthInteger {
  /// A number in plain decimal digits, without sign, blank or separator.
  fileprivate init?(decimal text: some StringProtocol) {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text, radix: 10)
  }

  /// A number in plain hexadecimal digits.
  fileprivate init?(hexadecimal text: some StringProtocol) {
    guard !text.hasPrefix("+"), !text.hasPrefix("-") else { return nil }
    self.init(text, radix: 16)
  }
}
