import Charts
import HCI
import HostStack
import Phone
import Recorder
import Timeline

/// A whole Bluetooth device above its controller, as a value: the machine that a ``Station`` runs.
package protocol StationMachine {
  /// What can be asked of it.
  associatedtype Request
  /// What it reports.
  associatedtype Event

  /// Takes one input at an instant and appends its effects.
  mutating func handle(_ input: MachineInput<Request>, at instant: Instant, _ effects: inout [MachineEffect<Event>])

  /// What its parts did on their state charts since it was made; a chart may come more than once.
  var chartLogs: [ChartLog] { get }
}

extension StationMachine {
  /// Empty, for a machine without charts.
  package var chartLogs: [ChartLog] { [] }
}
