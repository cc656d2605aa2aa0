import HCI
import HostStack
import Phone
import Recorder
import Timeline

/// A whole Bluetooth device above its controller, as a value: what a ``Station`` gives time, chance and a pipe to.
public protocol StationMachine {
  /// What can be asked of it.
  associatedtype Request
  /// What it reports.
  associatedtype Event

  /// Takes one input at an instant and appends what is to be done about it.
  mutating func handle(_ input: MachineInput<Request>, at instant: Instant, _ effects: inout [MachineEffect<Event>])
}
