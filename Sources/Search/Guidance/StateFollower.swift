import Requirements
import Runner
import Timeline
import Verdicts

/// Notes in which states of the recorder, its link and its request which events happen.
final class StateFollower: RunObserver {
  private struct Pair: Hashable {
    let power: String
    let link: String
    let request: String
    let event: String
  }

  private var power = "off"
  private var link = "no link"
  private var request = "idle"
  private var pairs: Set<Pair> = []

  /// The pairs that were seen, each once.
  var landmarks: Set<Landmark> {
    Set(pairs.map { .pair(state: "\($0.power), \($0.link), \($0.request)", event: $0.event) })
  }

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
  func stepFinished(_ report: StepReport) {}

  func observed(_ event: ProductEvent) {
    pairs.insert(Pair(power: power, link: link, request: request, event: event.happening.name))
    switch event.happening {
    case .oracle(.recorderState(_, let name)): power = name
    case .oracle(.recorderPowered(_, let isOn)): power = isOn ? "boot" : "off"
    case .oracle(.update(.bootloaderStarted)): power = "bootloader"
    case .linkUp: link = "link"
    case .encrypted: link = "secured"
    case .linkDown: (link, request) = ("no link", "idle")
    case .fileTransfer(let happening): follow(happening)
    default: break
    }
  }

  private func follow(_ happening: FileTransferHappening) {
    switch happening {
    case .requestTaken(.listFiles): request = "list"
    case .requestTaken(.fileData): request = "data"
    case .requestTaken(.fileInformation): request = "information"
    case .requestTaken(.fileSystemStatus): request = "status"
    case .requestTaken: request = "other"
    case .listed, .informed, .completed, .fileSystemStatus, .status: request = "idle"
    case .requested, .answerNotEnabled, .requestRefused, .listing, .data, .valueRead, .notUnderstood: break
    }
  }
}
