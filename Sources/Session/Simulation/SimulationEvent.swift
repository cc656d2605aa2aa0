import Bench
import Bytes
import Verdicts
import Transports

/// What a simulation tells while it goes on; from the loop's thread.
package enum SimulationEvent: Sendable {
  /// A recorder goes on with what it kept.
  case recalled(recorder: String, records: Int, bonds: Int)
  /// A recorder keeps its own records, so the ones that were stated are not placed.
  case keptOwnRecords(recorder: String)
  /// It waits for a controller here; `exposure` says when the place is open to the network.
  case awaitingController(at: TransportSpecification?, exposure: String?)
  /// A sentence about the controller that was opened.
  case controllerNote(String)
  /// Hosts may attach here; `exposure` says when the place is open to the network.
  case listening(at: TransportSpecification, exposure: String?)
  /// An instrument is reached here.
  case instrument(String)
  /// The recorder uses this controller.
  case controller(TransportSpecification)
  /// The recorder's controller is lost, for this reason; the recorder is off until it is back.
  case controllerAway(String)
  /// The controller is back, and the recorder boots.
  case controllerBack(TransportSpecification)
  /// Everything is open: the recorders have these addresses, and are steered at this socket.
  case ready(recorders: [BluetoothAddress], control: String?)
  /// An order from the terminal was performed.
  case answered(SteeringDesk.Answer)
  /// A requirement was violated.
  case violated(MonitorViolation)
}

/// How a simulation ended.
package struct SimulationOutcome: Sendable {
  /// Why it ended.
  package enum End: Sendable {
    /// The terminal asked for it.
    case quit
    /// The user interrupted it.
    case interrupted
    /// What the recorders keep cannot be kept any more.
    case memoryFailed(MemoryTrouble)
    /// The recorder's controller does not work.
    case controllerLost(ControllerLoss.Reason)
  }

  /// Why it ended.
  package var end: End
  /// What the monitors found.
  package var findings: [MonitorFinding]
}
