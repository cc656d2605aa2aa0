import Bytes
import HCI
import Phone
import Timeline
import Transports
import World

/// A recorder outside this process, and the controller through which our phone reaches it.
public struct HardwareTarget: Sendable {
  /// The phone's controller.
  public let controller: TransportSpecification
  /// Address of the recorder; `nil` for the only one in sight.
  public let device: BluetoothAddress?

  /// Reads the controller's specification. Throws with the nearest valid spelling.
  public init(controller text: String, device: BluetoothAddress?) throws(TransportSpecificationFailure) {
    controller = try TransportSpecification(parsing: text)
    self.device = device
  }

  /// Opens the controller.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with what to do, when it cannot be opened.
  public func open(on loop: EventLoop) throws(ControlFailure) -> any PacketPipe {
    do { return try TransportOpening.open(controller, on: loop) } catch {
      throw .bench("\(controller) cannot be opened: \(error)")
    }
  }
}

/// A recorder that can only be reached by radio: nobody is there to press its button.
public final class BareDevice: DeviceControl {
  public let name: String
  public let address: BluetoothAddress

  /// A recorder with that address.
  public init(_ name: String, _ address: BluetoothAddress) {
    self.name = name
    self.address = address
  }

  public func pressButton() throws(ControlFailure) { throw .lacking("actuators: button") }
  public func releaseButton() throws(ControlFailure) { throw .lacking("actuators: button") }
  public func powerOn() throws(ControlFailure) { throw .lacking("actuators: rail") }
  public func cutPower() throws(ControlFailure) { throw .lacking("actuators: rail") }
  public func cutPower(afterStorageOperations operations: Int) throws(ControlFailure) {
    throw .lacking("actuators: rail")
  }
  public func setBattery(millivolts: Int) throws(ControlFailure) { throw .lacking("actuators: battery") }
  public func setClock(_ seconds: LocalSeconds) throws(ControlFailure) { throw .lacking("actuators: clock") }
  public func setOscillatorError(partsPerBillion: Int) throws(ControlFailure) { throw .lacking("actuators: clock") }
  public func setSound(_ samples: [Int16]) throws(ControlFailure) { throw .lacking("actuators: sound") }
  public func forgetBonds() throws(ControlFailure) { throw .lacking("actuators: storage") }
  public func inspect() throws(ControlFailure) -> DeviceInspection { throw .lacking("sensors: inspection") }
}
