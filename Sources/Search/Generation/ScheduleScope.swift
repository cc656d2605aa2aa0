/// What recorders run in an exploration, so far as schedules depend on it: which can be drawn, and how much a run may cost.
package enum ScheduleScope: Hashable, Sendable {
  /// The model, whose runs take milliseconds. It can begin in any state.
  case model
  /// A firmware image, executed. There is no bootloader behind it, and it switches itself off as it likes.
  case image

  /// Runs that are drawn before any of them is counted: as many as end within some seconds.
  package var batch: Int {
    switch self {
    case .model: 32
    case .image: 16
    }
  }

  /// How many names a schedule is tried with. A name decides all chances, such as which packets are lost; a shorter
  /// schedule draws other ones, and what fails only sometimes would not be made small with one name.
  var names: Int {
    switch self {
    case .model: 4
    case .image: 2
    }
  }

  /// How many schedules are tried at most to make a finding small; `nil` for as many as it takes.
  var trialLimit: Int? {
    switch self {
    case .model: nil
    case .image: 120
    }
  }

  /// The simplest settings.
  var settings: [Int] { fitted(Array(repeating: 0, count: SettingKind.all.count)) }

  /// Whether a kind of action can be drawn.
  func allows(_ kind: ActionKind) -> Bool {
    self == .model || !kind.choices.contains { $0.step.hasPrefix("phone: enter-bootloader") }
  }

  /// Settings with those that the recorder has to have.
  func fitted(_ settings: [Int]) -> [Int] {
    guard self == .image else { return settings }
    var settings = settings
    for (number, kind) in SettingKind.all.enumerated() {
      if kind == .timeouts { settings[number] = kind.choices.firstIndex(of: "field") ?? 0 }
      // Nobody knows when an image's microphone begins, and sounds are compared sample by sample.
      if kind == .sound { settings[number] = 0 }
    }
    return settings
  }
}
