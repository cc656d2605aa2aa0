import Testing

@testable import Transports

@Suite struct Specifications {
  static let valid: [(String, TransportSpecification)] = [
    ("usb:0", .usb(.index(0))),
    ("usb:0a12:0001", .usb(.product(vendor: 0x0A12, product: 1, serialNumber: nil))),
    ("usb:0a12:0001/00E04C", .usb(.product(vendor: 0x0A12, product: 1, serialNumber: "00E04C"))),
    ("hci-socket:0", .hciSocket(0)),
    ("tcp-client:127.0.0.1:9001", .tcpClient(host: "127.0.0.1", port: 9001)),
    ("tcp-client:[::1]:9001", .tcpClient(host: "::1", port: 9001)),
    ("tcp-server:127.0.0.1:0", .tcpServer(host: "127.0.0.1", port: 0)),
    ("unix:/run/a:b", .unixClient(path: "/run/a:b")),
    ("unix-server:/run/a", .unixServer(path: "/run/a")),
    ("serial:/dev/ttyACM0,115200", .serial(path: "/dev/ttyACM0", speed: 115_200)),
  ]

  @Test(arguments: valid) func areReadAndWrittenAlike(_ text: String, _ expected: TransportSpecification) throws {
    #expect(try TransportSpecification(parsing: text) == expected)
    #expect(expected.description == text)
  }

  @Test func haveFormsThatMeanTheSame() throws {
    #expect(try TransportSpecification(parsing: "unix-client:/a") == .unixClient(path: "/a"))
    #expect(try TransportSpecification(parsing: "tcp-server:_:1") == .tcpServer(host: "0.0.0.0", port: 1))
    #expect(try TransportSpecification(parsing: "serial:/dev/x") == .serial(path: "/dev/x", speed: 1_000_000))
  }

  static let invalid: [(String, TransportSpecificationFailure)] = [
    ("", .unknownScheme("", nearest: nil, known: TransportKinds.schemes)),
    ("bluetooth:0", .unknownScheme("bluetooth", nearest: nil, known: TransportKinds.schemes)),
    ("tcp:127.0.0.1:1", .unknownScheme("tcp", nearest: "tcp-client", known: TransportKinds.schemes)),
    ("tcpserver:127.0.0.1:1", .unknownScheme("tcpserver", nearest: "tcp-server", known: TransportKinds.schemes)),
    ("TCP-Client:127.0.0.1:1", .unknownScheme("TCP-Client", nearest: "tcp-client", known: TransportKinds.schemes)),
    ("hci_sokcet:0", .unknownScheme("hci_sokcet", nearest: "hci-socket", known: TransportKinds.schemes)),
    ("hci:0", .unknownScheme("hci", nearest: "hci-socket", known: TransportKinds.schemes)),
    ("usd:0", .unknownScheme("usd", nearest: "usb", known: TransportKinds.schemes)),
    ("tcp-client", .incomplete(scheme: "tcp-client", form: "tcp-client:127.0.0.1:9001")),
    ("tcp-client:9001", .incomplete(scheme: "tcp-client", form: "tcp-client:127.0.0.1:9001")),
    ("tcp-client:::1:9001", .incomplete(scheme: "tcp-client", form: "tcp-client:127.0.0.1:9001")),
    ("tcp-client:h:0", .portZero),
    ("tcp-server:h:65536", .badPort("65536")),
    ("tcp-server:h:-1", .badPort("-1")),
    ("tcp-server:h:", .badPort("")),
    ("hci-socket:hci0", .incomplete(scheme: "hci-socket", form: "hci-socket:0")),
    ("usb:0a12", .incomplete(scheme: "usb", form: "usb:0, usb:0a12:0001 or usb:0a12:0001/SERIAL")),
    ("usb:+a12:0001", .incomplete(scheme: "usb", form: "usb:0, usb:0a12:0001 or usb:0a12:0001/SERIAL")),
    ("serial:/dev/x,fast", .badSpeed("fast")),
    ("serial:/dev/x,0", .badSpeed("0")),
    ("serial:/dev/x,12345", .unknownSpeed(12345, nearest: [9600, 19200])),
    ("serial:/dev/x,300", .unknownSpeed(300, nearest: [9600])),
    ("serial:/dev/x,4000001", .unknownSpeed(4_000_001, nearest: [4_000_000])),
    ("unix:" + String(repeating: "x", count: 108), .pathTooLong(String(repeating: "x", count: 108), limit: 107)),
    ("unix:" + String(repeating: "x", count: 2000), .tooLong(limit: 1024)),
  ]

  @Test(arguments: invalid) func sayWhatIsWrongWithThem(_ text: String, _ expected: TransportSpecificationFailure) {
    #expect(throws: expected) { try TransportSpecification(parsing: text) }
  }

  @Test func failuresNameTheNearestSpelling() {
    let failure = TransportSpecificationFailure.unknownScheme(
      "tcp-clint", nearest: "tcp-client", known: TransportKinds.schemes)
    #expect(failure.description == "unknown transport 'tcp-clint'; did you mean 'tcp-client'?")
  }
}
