import ScenarioLanguage
import World
import YAML

extension ApplicationAction: FieldChoice {
  /// What the person with the phone is asked to do.
  package var meaning: String {
    switch self {
    case .reset: "Forget every recorder and every record, as a fresh installation."
    case .connect: "Connect to the recorder."
    case .pair: "Pair with the recorder."
    case .unpair: "Unpair from the recorder."
    case .disconnect: "Disconnect from the recorder."
    case .list: "Look at the list of the recorder's records."
    case .inform: "Ask the recorder for the size of a record."
    case .download: "Fetch a record from the recorder."
    case .fileSystem: "Ask the recorder how much space it has."
    case .readBattery: "Ask the recorder for its battery level."
    case .sync: "Fetch everything that is new, connecting where needed."
    case .delete: "Remove a record from the phone's library."
    case .library: "Tell which records the phone's library has."
    case .restart: "End the application and start it again."
    case .show: "Bring the application to the foreground or send it to the background."
    case .setClock: "Set the phone's clock."
    case .ask: "Answer a question about what the phone shows."
    }
  }
}

/// `phone: {hooks: [{for: sync, run: [/usr/local/bin/app-driver, sync]}]}`: somebody else's phone.
package struct PhonePlan: FieldGroupValue {
  static let hooksField = Field<[HookPlan]>("hooks", "Programs that use the application.", default: [])
  static let operatorField = Field<PhoneOperatorPlan?>(
    "operator", "How the person with the phone is asked for the rest.")
  package static var group: FieldGroup { FieldGroup([hooksField, operatorField]) }

  /// Programs that use the application.
  package let hooks: [HookPlan]
  let helper: OperatorPlan

  /// How long an operator may take where nothing else is stated.
  static let operatorLimit = Duration.seconds(120)

  /// A phone that only an operator can use.
  package init() {
    hooks = []
    helper = OperatorPlan(limit: Self.operatorLimit, voice: nil)
  }

  package init(_ arguments: Arguments) {
    hooks = arguments[Self.hooksField]
    helper = arguments[Self.operatorField]?.plan ?? OperatorPlan(limit: Self.operatorLimit, voice: nil)
  }

  /// What can be done; what has no hook only where somebody attends, and what only a program can tell never by hand.
  package func can(_ action: ApplicationAction, isAttended: Bool) -> Bool {
    hooks.contains { $0.action == action } || (isAttended && action != .library)
  }

  var problems: [Diagnostic] {
    hooks.flatMap { hook -> [Diagnostic] in
      guard let place = hook.location, hook.words.first?.first != "/" else { return [] }
      return [
        Diagnostic(
          at: place, "`\(hook.words.first ?? "")` is not the full path of a program",
          expected: "a path that begins with `/`")
      ]
    }
  }
}

/// `{for: sync, run: [/usr/local/bin/app-driver, sync], within: 60 s}`
package struct HookPlan: FieldGroupValue {
  static let actionField = Field<ApplicationAction>("for", "What it does.")
  static let runField = Field<[String]>("run", "The program by its full path, and its arguments; no shell sees them.")
  static let limitField = Field<Duration>("within", "How long it may take.", default: .seconds(60))
    .limited(to: Duration.milliseconds(100)...Duration.seconds(3_600))
  package static var group: FieldGroup { FieldGroup([actionField, runField, limitField]) }

  let action: ApplicationAction
  let words: [String]
  let limit: Duration
  let location: SourceLocation?

  package init(_ arguments: Arguments) {
    action = arguments[Self.actionField]
    words = arguments[Self.runField]
    limit = arguments[Self.limitField]
    location = arguments.location(of: Self.runField)
  }
}

/// `operator: {within: 2 min}`
struct PhoneOperatorPlan: FieldGroupValue {
  static let limitField = Field<Duration>(
    "within", "How long an answer may take.", default: PhonePlan.operatorLimit
  ).limited(to: Duration.milliseconds(100)...Duration.seconds(3_600))
  static let voiceField = OperatorPlan.voiceField
  static var group: FieldGroup { FieldGroup([limitField, voiceField]) }

  let plan: OperatorPlan

  init(_ arguments: Arguments) {
    plan = OperatorPlan(limit: arguments[Self.limitField], voice: arguments[Self.voiceField])
  }
}
