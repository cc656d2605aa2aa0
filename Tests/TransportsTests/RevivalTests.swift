import Foundation
import Testing

@testable import Transports

@Suite struct Revivals {
  @Test(arguments: [
    ("1-4.2", "1-4:1.0/1-4-port2"), ("1-4", "1-0:1.0/usb1-port4"), ("3-1.4.7", "3-1.4:1.0/3-1.4-port7"),
  ])
  func aPortIsFoundByTheKernelsNames(_ place: String, _ port: String) {
    #expect(USBTransport.portSwitch(of: place) == "/sys/bus/usb/devices/\(port)/disable")
  }

  @Test func aPortIsSwitchedOffAndOn() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "dictobench-ports-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let port = root.appending(path: "sys/bus/usb/devices/1-4:1.0/1-4-port2")
    try FileManager.default.createDirectory(at: port, withIntermediateDirectories: true)
    let file = port.appending(path: "disable")
    try Data("0\n".utf8).write(to: file)
    let tree = SystemTree(root: root.path)
    let second = try #require(USBTransport.cutPower(of: "1-4.2", tree))
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("1"))
    second()
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("0"))
    // A hub that cannot switch its ports has no such file, and none is made.
    #expect(USBTransport.cutPower(of: "1-4.3", tree) == nil)
    #expect(!FileManager.default.fileExists(atPath: root.path + "/sys/bus/usb/devices/1-4:1.0/1-4-port3"))
  }
}
