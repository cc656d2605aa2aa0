import Bytes
import Foundation
import Testing

@testable import Transports

/// Folders as the system has them, below a folder that goes away with its last user.
final class PretendedTree {
  let tree: SystemTree
  private let root: URL

  init(_ files: [(path: String, text: String)] = [], links: [(path: String, target: String)] = []) throws {
    var template = Array("/tmp/dictobench-tree-\(String(repeating: "X", count: 6))".utf8CString)
    let path = try #require(mkdtemp(&template).map { String(cString: $0) })
    root = URL(filePath: path)
    tree = SystemTree(root: path)
    for (path, text) in files { try write(path, text) }
    for (path, target) in links {
      let url = root.appending(path: path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func write(_ path: String, _ text: String) throws {
    let url = root.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }
}

@Suite struct AdapterSurveys {
  private static let peer = BluetoothAddress(0x00AA_0101_0009, .public)
  private static let lackOfKernel = AdapterTrouble.unsupportedHere("no kernel", advice: "none")

  private func view(
    _ index: UInt16 = 0, _ state: KernelAdapter.State = .down, peers: [BluetoothAddress] = [], isHeld: Bool = false
  ) -> KernelAdapterView {
    KernelAdapterView(
      adapter: KernelAdapter(index: index, address: BluetoothAddress(0x00AA_0100_0000, .public), state: state),
      peers: peers, isHeld: isHeld)
  }

  private func survey(
    _ tree: PretendedTree, kernel: [KernelAdapterView] = [], usb: [USBDescription] = []
  ) -> AdapterSurvey {
    AdapterSurvey(kernel: { kernel }, usb: { usb }, tree: tree.tree)
  }

  /// A dongle at 1-1 that this user may use, with btusb's adapter hci0.
  private func dongle(_ more: [(String, String)] = []) throws -> PretendedTree {
    try PretendedTree(
      [
        ("/sys/bus/usb/devices/1-1/busnum", "1\n"), ("/sys/bus/usb/devices/1-1/devnum", "7\n"),
        ("/dev/bus/usb/001/007", ""), ("/sys/bus/usb/devices/1-1:1.0/bluetooth/hci0/address", ""),
      ] + more, links: [("/sys/bus/usb/devices/1-1:1.0/driver", "../../../../bus/usb/drivers/btusb")])
  }

  @Test func aDongleIsNamedByWhatStaysAndDescribed() throws {
    let tree = try dongle()
    let sight = try #require(survey(tree, usb: [.pretended(0x2FE3, 0x000B, serialNumber: "A1")]).sights.first)
    #expect(sight.specification.description == "usb:2fe3:000b/A1")
    #expect(sight.title == "2fe3:000b, serial number A1, at 1-1")
    #expect(sight.driver == "btusb")
    #expect(sight.isPermitted)
    #expect(sight.trouble == nil)
  }

  @Test func aSerialNumberThatCannotBeTypedIsNoName() throws {
    let tree = try dongle()
    let hostile = USBDescription.pretended(serialNumber: "\u{1B}[2J;rm -r")
    let sight = try #require(survey(tree, usb: [hostile]).sights.first)
    #expect(sight.specification.description == "usb:0a12:0001")
    #expect(!"\(sight)\(sight.identity)".unicodeScalars.contains { $0.value < 0x20 })
    let twins = survey(tree, usb: [hostile, .pretended(at: "1-2", serialNumber: "")])
    #expect(twins.sights.map(\.specification.description) == ["usb:0", "usb:1"])
  }

  @Test func everyObstacleIsTold() throws {
    let tree = try dongle()
    func trouble(_ change: (inout AdapterSight) -> Void) throws -> String {
      var sight = try #require(survey(tree, usb: [.pretended()]).sights.first)
      change(&sight)
      return sight.trouble.map { "\($0)" } ?? "none"
    }
    #expect(try trouble { $0.isPermitted = false }.contains("install ci/60-dictobench.rules"))
    #expect(try trouble { $0.isRadioOff = true }.contains("rfkill unblock bluetooth"))
    #expect(try trouble { $0.isHeld = true }.contains("has claimed the interface; stop it"))
    #expect(try trouble { $0.peers = [Self.peer] }.contains("live links to \(Self.peer)"))
    #expect(try trouble { _ in } == "none")
  }

  @Test func aNodeThatMayNotBeOpenedOrIsNotThereIsNoPermission() throws {
    let empty = try PretendedTree()
    #expect(survey(empty, usb: [.pretended()]).sights.first?.isPermitted == false)
  }

  @Test func anInterfaceThatAProgramHasIsHeld() throws {
    let tree = try PretendedTree(links: [("/sys/bus/usb/devices/1-1:1.0/driver", "/sys/bus/usb/drivers/usbfs")])
    #expect(survey(tree, usb: [.pretended()]).sights.first?.isHeld == true)
  }

  @Test(arguments: [("soft", "1", true), ("hard", "1", true), ("soft", "0", false)])
  func theSwitchOfAnAdapterIsRead(_ file: String, _ value: String, _ isOff: Bool) throws {
    let tree = try PretendedTree([("/sys/class/bluetooth/hci0/rfkill3/\(file)", value + "\n")])
    #expect(survey(tree, kernel: [view()]).sights.first?.isRadioOff == isOff)
  }

  @Test func theMachinesSwitchIsNotAnAdapters() throws {
    let tree = try PretendedTree([
      ("/sys/class/rfkill/rfkill0/type", "bluetooth\n"), ("/sys/class/rfkill/rfkill0/name", "laptop_sw\n"),
      ("/sys/class/rfkill/rfkill0/hard", "1\n"),
    ])
    #expect(survey(tree).isMachineRadioOff)
    #expect(!survey(try PretendedTree()).isMachineRadioOff)
  }

  @Test(arguments: [("0000003fffffffff", true), ("0000000000001000", true), ("0000000000000000", false)])
  func theKernelsAdaptersNeedTheCapability(_ capabilities: String, _ isPermitted: Bool) throws {
    let tree = try PretendedTree([("/proc/self/status", "Name:\tdictobench\nCapEff:\t\(capabilities)\n")])
    let sight = try #require(survey(tree, kernel: [view(isHeld: true)]).sights.first)
    #expect(sight.isPermitted == isPermitted)
    #expect(sight.specification == .hciSocket(0))
    #expect(sight.isHeld)
  }

  @Test func ofOneDongleTheBetterWayIsChosen() throws {
    let tree = try dongle([("/proc/self/status", "CapEff:\t0000000000001000\n")])
    let plain = survey(tree, kernel: [view()], usb: [.pretended()])
    #expect(plain.sights.count == 2)
    #expect(plain.choices.map(\.way) == [.usb])
    let realtek = survey(tree, kernel: [view()], usb: [.pretended(0x0BDA, 0x8771)])
    #expect(realtek.choices.map(\.way) == [.kernel])
    // The better way is none while something stands in it.
    let held = survey(tree, kernel: [view(isHeld: true)], usb: [.pretended(0x0BDA, 0x8771)])
    #expect(held.choices.map(\.way) == [.usb])
    // Two controllers are two choices.
    #expect(survey(tree, kernel: [view(1)], usb: [.pretended()]).choices.count == 2)
  }

  @Test func linesOfBoardsAreToldByNamesThatStayAndNeverChosen() throws {
    let tree = try PretendedTree(
      [
        ("/sys/devices/1-3/idVendor", "1366\n"), ("/sys/devices/1-3/1-3:1.0/x", ""),
        ("/sys/devices/1-4/idVendor", "0403\n"), ("/sys/devices/1-4/1-4:1.0/x", ""),
      ],
      links: [
        ("/sys/class/tty/ttyACM0/device", "../../../devices/1-3/1-3:1.0"),
        ("/sys/class/tty/ttyUSB0/device", "../../../devices/1-4/1-4:1.0"),
        ("/dev/serial/by-id/usb-SEGGER_1", "../../ttyACM0"),
      ])
    let survey = survey(tree)
    #expect(survey.sights.map(\.specification) == [.serial(path: "/dev/serial/by-id/usb-SEGGER_1", speed: 1_000_000)])
    #expect(survey.choices.isEmpty)
  }

  @Test func whatIsMeantIsFoundOrRefusedAsWhenItIsOpened() throws {
    let tree = try dongle()
    let survey = survey(tree, kernel: [view()], usb: [.pretended()])
    #expect(try survey.find(.hciSocket(0))?.way == .kernel)
    #expect(try survey.find(.usb(.index(0)))?.title == "0a12:0001, at 1-1")
    #expect(try survey.find(.tcpClient(host: "a", port: 1)) == nil)
    for missing in ["hci-socket:3", "usb:4", "serial:/dev/nothing"] {
      let specification = try TransportSpecification(parsing: missing)
      do throws(AdapterTrouble) {
        _ = try survey.find(specification)
        Issue.record("\(missing) was found")
      } catch {
        guard case .absent = error else {
          Issue.record("\(missing): \(error)")
          continue
        }
      }
    }
    let blind = AdapterSurvey(
      kernel: { () throws(AdapterTrouble) in throw Self.lackOfKernel }, usb: { [] }, tree: tree.tree)
    #expect(blind.limits == [Self.lackOfKernel])
    #expect(throws: Self.lackOfKernel) { try blind.find(.hciSocket(0)) }
  }

  @Test func aRunningAdapterThatTheKernelsHostDoesNotKnowIsHeld() throws {
    let kernel = PretendedKernel()
    kernel.adapters = [0, 1, 2].map {
      KernelAdapter(index: $0, address: BluetoothAddress(UInt64($0), .public), state: $0 == 2 ? .down : .up)
    }
    kernel.held = 1
    #expect(try KernelAdapters.survey(kernel).map(\.isHeld) == [false, true, false])
  }

  @Test func answersOfTheManagementInterfaceAreRead() {
    let answer: [UInt8] = [1, 0, 0xFF, 0xFF, 7, 0, 3, 0, 0, 2, 0, 0, 0, 5, 0]
    #expect(ManagementSocket.indices(in: answer, answering: .indexList) == [0, 5])
    #expect(ManagementSocket.indices(in: answer, answering: .unconfiguredIndexList) == nil)
    // Cut off, or claiming more than there is.
    for count in 0..<answer.count {
      let indices = ManagementSocket.indices(in: Array(answer.prefix(count)), answering: .indexList)
      #expect(indices == nil || indices == [] || indices == [0])
    }
  }
}
