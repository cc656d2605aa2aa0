import Bytes
import Charts
import DictofunProtocol
import HostStack
import Timeline

/// A whole simulated recorder above its controller, as a value: the Bluetooth host stack and, behind it, the program
/// that runs on the chip.
///
/// It is off until its button is pressed or its rail is held. While it is off it hears nothing from its controller.
package struct SimulatedRecorder {
  // The model apart from all other programs: what is known only by its protocol is looked up and asked whether it is shared,
  // with every packet.
  private var model: ModelledRecorder?
  private var other: (any RecorderApplicationMachine)?
  private var stack = RecorderStack()

  /// A recorder that is off, with the modelled firmware.
  package init(_ configuration: RecorderConfiguration) { model = ModelledRecorder(configuration) }

  /// A recorder that is off, with this on its chip.
  package init(running application: any RecorderApplicationMachine) {
    if let model = application as? ModelledRecorder { self.model = model } else { other = application }
  }

  private var application: any RecorderApplicationMachine {
    if let model { return model }
    guard let other else { preconditionFailure("a recorder has a program") }
    return other
  }

  /// Takes one input at an instant and appends its effects.
  package mutating func handle(
    _ input: MachineInput<RecorderControl>, at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]
  ) {
    if case .some = model {
      stack.handle(input, under: &model!, at: instant, &effects)
    } else {
      stack.handle(input, under: &other!, at: instant, &effects)
    }
  }

  // MARK: Seen from inside

  /// Whether it has power.
  package var isOn: Bool { application.isOn }
  /// What can be seen of it from inside.
  package func inspect(at instant: Instant) -> RecorderInspection { application.inspect(at: instant) }
  /// What its clock shows; `nil` where the program cannot tell.
  package func clock(at instant: Instant) -> CivilTime? { application.clock(at: instant) }
  /// What it keeps without power; `nil` where that cannot be stored.
  package var memory: RecorderMemory? { application.memory }
  /// Everything in its chip's flash; `nil` for a model.
  package var chipFlash: [UInt8]? { application.chipFlash }
  /// Operations on its flashes, that of records and the chip's own, since it was made; each can be where power fails.
  package var flashOperationCount: Int { application.flashOperationCount }
  /// What its parts did while it had power; `nil` for a model.
  package func use(at instant: Instant) -> RecorderUse? { application.use(at: instant) }
  /// What its machines did on their state charts.
  package var chartLogs: [ChartLog] { application.chartLogs }
}
