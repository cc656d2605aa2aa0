import Bytes
import DictofunProtocol
import Phone

/// What a step can do with a recorder by other ways than its radio: its button, its power, its surroundings.
///
/// A real one takes time: a supply settles, an operator walks. Each call returns when it is done.
public protocol DeviceControl: AnyObject {
  /// How the scenario calls it.
  var name: String { get }
  /// The address it advertises from.
  var address: BluetoothAddress { get }
  /// Presses the button and keeps it pressed.
  func pressButton() async throws(ControlFailure)
  /// Lets the button go.
  func releaseButton() async throws(ControlFailure)
  /// Holds the rail, which boots a recorder that is off without a press.
  func powerOn() async throws(ControlFailure)
  /// Takes the power away at once, as a battery that is pulled out.
  func cutPower() async throws(ControlFailure)
  /// Takes the power away when the recorder's storage is written for the `operations`th time from now on.
  func cutPower(afterStorageOperations operations: Int) async throws(ControlFailure)
  /// Sets the voltage at the battery's terminals, in millivolts.
  func setBattery(millivolts: Int) async throws(ControlFailure)
  /// Sets the recorder's clock to this civil local time.
  func setClock(_ seconds: LocalSeconds) async throws(ControlFailure)
  /// Sets how much too fast the recorder's oscillator runs, in parts per billion.
  func setOscillatorError(partsPerBillion: Int) async throws(ControlFailure)
  /// Lets the microphone hear these samples, 16,000 a second, over and over; silence for none.
  func setSound(_ samples: [Int16]) async throws(ControlFailure)
  /// Forgets all bonds, as an erased flash page would.
  func forgetBonds() async throws(ControlFailure)
  /// What is known about the recorder from inside.
  func inspect() async throws(ControlFailure) -> DeviceInspection
}

/// A recorder seen from inside; only a simulated world or a console can tell.
public struct DeviceInspection: Hashable, Sendable {
  /// Whether it is switched on.
  public var isOn: Bool
  /// The state of its state machine, in the firmware's words; `nil` where nobody can tell.
  public var state: String?
  /// Its clock's civil local time.
  public var clock: LocalSeconds
  /// What it stores, in order of creation.
  public var records: [LibraryEntry]
  /// How many bonds it keeps; `nil` where nobody can tell.
  public var bondCount: Int?
  /// Version of its application, as its bootloader knows it; `nil` where nobody can tell.
  public var firmwareVersion: UInt32?
  /// Whether its bootloader runs in the application's place.
  public var isBootloaderRunning: Bool
  /// What its LED shows, colour and glow; `nil` where nobody can tell, and while it is off.
  public var light: String?

  public init(
    isOn: Bool, state: String?, clock: LocalSeconds, records: [LibraryEntry], bondCount: Int?,
    firmwareVersion: UInt32?, isBootloaderRunning: Bool, light: String? = nil
  ) {
    self.isOn = isOn
    self.state = state
    self.clock = clock
    self.records = records
    self.bondCount = bondCount
    self.firmwareVersion = firmwareVersion
    self.isBootloaderRunning = isBootloaderRunning
    self.light = light
  }
}

extension CivilTime {
  /// What a recorder's clock shows that is set to `seconds`. Throws `impossible` beyond what it can show.
  package init(onRecorder seconds: LocalSeconds) throws(ControlFailure) {
    self.init(secondsSince2000: seconds)
    guard Self.ofRecorders.contains(self) else {
      let (first, last) = (Self.ofRecorders.lowerBound, Self.ofRecorders.upperBound)
      throw .impossible("a recorder's clock cannot show \(self), only \(first) to \(last)")
    }
  }
}
