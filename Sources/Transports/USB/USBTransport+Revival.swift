extension USBTransport {
  func revive(by means: Revival, _ tree: SystemTree) -> (() -> Void)? {
    guard let bus = try? USBBus(), let choice = try? USBChoice.make(selector, among: bus.descriptions) else {
      return nil
    }
    switch means {
    case .busReset: return bus.reset(choice) ? {} : nil
    case .portPower: return Self.cutPower(of: bus.descriptions[choice.position].place, tree)
    }
  }

  /// Takes the power from a device by the file that the kernel has for each port whose hub can do so (Linux 6.0,
  /// Documentation/ABI/testing/sysfs-bus-usb: `disable`).
  static func cutPower(of place: String, _ tree: SystemTree) -> (() -> Void)? {
    guard let switchFile = portSwitch(of: place), tree.set(switchFile, to: "1") else { return nil }
    // The device's own folder is gone by then, its port's is not.
    return { _ = tree.set(switchFile, to: "0") }
  }

  /// The file of the port at which a device is: `1-4.2` is port 2 of the hub `1-4`, and `1-4` is port 4 of the root hub.
  static func portSwitch(of place: String) -> String? {
    let parts = place.split(separator: "-", maxSplits: 1).map(String.init)
    guard parts.count == 2, let port = parts[1].split(separator: ".").last else { return nil }
    let above = parts[1].split(separator: ".").dropLast().joined(separator: ".")
    let hub = "\(parts[0])-\(above.isEmpty ? "0" : above)"
    let name = above.isEmpty ? "usb\(parts[0])" : hub
    return "\(SystemTree.usbDevices)/\(hub):1.0/\(name)-port\(port)/disable"
  }
}
