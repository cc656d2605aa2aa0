import Bytes
import CUSB

/// libusb's view of the bus: what is plugged in, and the way to open it. Released when the last link of it is closed.
final class USBBus {
  let context: OpaquePointer?
  /// What is plugged in, in the order of bus and ports.
  let descriptions: [USBDescription]
  private let devices: [OpaquePointer]

  /// Looks at the bus.
  init() throws(AdapterTrouble) {
    var context: OpaquePointer?
    let status = libusb_init(&context)
    guard status == 0 else { throw USBTrouble.using(status) }
    self.context = context
    let found = Self.devices(context).sorted {
      $0.description.order.lexicographicallyPrecedes($1.description.order)
    }
    devices = found.map(\.device)
    descriptions = found.map(\.description)
  }

  deinit {
    for device in devices { libusb_unref_device(device) }
    libusb_exit(context)
  }

  /// Opens a device and claims its interface; a driver of the kernel is detached, and comes back when it is closed.
  func open(_ choice: USBChoice) throws(AdapterTrouble) -> OpaquePointer {
    var handle: OpaquePointer?
    let status = libusb_open(devices[choice.position], &handle)
    guard status == 0, let handle else { throw USBTrouble.taking(status) }
    do throws(AdapterTrouble) {
      // Where the system cannot detach drivers, claiming says what is in the way.
      libusb_set_auto_detach_kernel_driver(handle, 1)
      let claimed = libusb_claim_interface(handle, Int32(choice.interface.number))
      guard claimed == 0 else { throw USBTrouble.taking(claimed) }
      return handle
    } catch {
      libusb_close(handle)
      throw error
    }
  }

  /// Resets a device, as if it had just been plugged in. Returns whether that could be done.
  func reset(_ choice: USBChoice) -> Bool {
    var handle: OpaquePointer?
    guard libusb_open(devices[choice.position], &handle) == 0, let handle else { return false }
    defer { libusb_close(handle) }
    return libusb_reset_device(handle) == 0
  }

  private static func devices(_ context: OpaquePointer?) -> [(device: OpaquePointer, description: USBDescription)] {
    var list: UnsafeMutablePointer<OpaquePointer?>?
    let count = libusb_get_device_list(context, &list)
    guard count > 0, let list else { return [] }
    // The list is given back with its references; those of the devices that are kept stay.
    defer { libusb_free_device_list(list, 1) }
    return (0..<count).compactMap { position in
      guard let device = list[position], let description = describe(device) else { return nil }
      return (libusb_ref_device(device), description)
    }
  }

  /// What the kernel has read of a device; nothing is asked of the device itself.
  private static func describe(_ device: OpaquePointer) -> USBDescription? {
    var head = libusb_device_descriptor()
    var configuration: UnsafeMutablePointer<libusb_config_descriptor>?
    guard libusb_get_device_descriptor(device, &head) == 0,
      libusb_get_active_config_descriptor(device, &configuration) == 0, let configuration
    else { return nil }
    defer { libusb_free_config_descriptor(configuration) }
    var ports = [UInt8](repeating: 0, count: 7)
    let depth = max(0, libusb_get_port_numbers(device, &ports, Int32(ports.count)))
    let place = "\(libusb_get_bus_number(device))-" + ports.prefix(Int(depth)).map(String.init).joined(separator: ".")
    return USBDescription(
      place: place, vendor: head.idVendor, product: head.idProduct, release: head.bcdDevice,
      serialNumber: SystemTree.machine.line("\(SystemTree.usbDevices)/\(place)/serial"),
      classCode: USBClass(
        code: head.bDeviceClass, subclass: head.bDeviceSubClass, protocolCode: head.bDeviceProtocol),
      configuration: configuration.pointee.bConfigurationValue, interfaces: interfaces(configuration.pointee))
  }

  private static func interfaces(_ configuration: libusb_config_descriptor) -> [USBInterface] {
    UnsafeBufferPointer(start: configuration.interface, count: Int(configuration.bNumInterfaces)).flatMap { interface in
      UnsafeBufferPointer(start: interface.altsetting, count: Int(interface.num_altsetting)).map { setting in
        USBInterface(
          number: setting.bInterfaceNumber, setting: setting.bAlternateSetting,
          classCode: USBClass(
            code: setting.bInterfaceClass, subclass: setting.bInterfaceSubClass,
            protocolCode: setting.bInterfaceProtocol),
          endpoints: UnsafeBufferPointer(start: setting.endpoint, count: Int(setting.bNumEndpoints)).map { endpoint in
            USBEndpoint(
              address: endpoint.bEndpointAddress,
              kind: USBEndpoint.Kind(rawValue: endpoint.bmAttributes & 3) ?? .control,
              // The upper bits count additional packets of high-speed endpoints, which Bluetooth does not use.
              maximumPacket: Int(endpoint.wMaxPacketSize & 0x07FF))
          })
      }
    }
  }
}
