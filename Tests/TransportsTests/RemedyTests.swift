import System
import Testing

@testable import Transports

/// Each sentence about a failure ends with what to do, after its last colon or semicolon.
@Suite struct Remedies {
  private static let client = TransportSpecification.tcpClient(host: "127.0.0.1", port: 9)
  private static let server = TransportSpecification.tcpServer(host: "127.0.0.1", port: 9)

  static let sentences: [(failure: TransportFailure, remedy: String)] = [
    (.unresolved(host: "nowhere", reason: "unknown"), "check the name of the host"),
    (.system(SystemCallFailure("connect", 111), client), "start the other side first, or correct the address"),
    (.system(SystemCallFailure("bind", 98), server), "stop the program that uses this address, or use another one"),
    (.timedOut(client), "check that the other side is running"),
    (.notASocket(path: "/tmp/a"), "use another path"), (.inUse(path: "/tmp/a"), "stop it, or use another path"),
    (.notAServer(client), "use tcp-server, tls-server or unix-server"),
  ]

  @Test(arguments: sentences) func ofTransports(_ failure: TransportFailure, _ remedy: String) {
    #expect(failure.description.hasSuffix(": " + remedy) || failure.description.hasSuffix("; " + remedy), "\(failure)")
  }

  static let troubles: [(trouble: AdapterTrouble, sentence: String)] = [
    (
      .absent("no Bluetooth adapter is on USB", present: []),
      "no Bluetooth adapter is on USB: plug it in, or name another controller"
    ),
    (
      .absent("no such device is on USB", present: ["usb:0 (0a12:0001)"]),
      "no such device is on USB; there are: usb:0 (0a12:0001); plug it in, or name one of those"
    ),
    (
      .severalMatch(["usb:0", "usb:1"]),
      "several match: usb:0, usb:1; choose one with --controller, or in the bench file"
    ),
  ]

  @Test(arguments: troubles) func ofAdapters(_ trouble: AdapterTrouble, _ sentence: String) {
    #expect(trouble.description == sentence)
  }
}
