import Bytes
import ScenarioLanguage
import Transports
import YAML

/// What stands on a bench: adapters, recorders by address, and what can be done to each, in labgrid's words.
public struct BenchFile: Sendable {
  /// The bench's name: labgrid's place.
  public let place: String
  /// `key=value`, as labgrid tags places.
  public let tags: [String]
  /// The controllers, one for each phone of a scenario, or for each recorder of ours before somebody else's phone.
  public let adapters: [TransportSpecification]
  /// The recorders, in the order in which scenarios mean them.
  public let recorders: [RecorderPlace]
  /// What steps are granted beyond their time, for the delays of adapters and actuators.
  public let tolerance: Duration
  /// The file of a scenario that shows whether the bench is in order; `nil` for none.
  public let health: String?
  /// Somebody else's phone, for `run --target app`.
  public let phone: PhonePlan?

  static let placeField = Field<String>("place", "The bench's name.")
  static let commentField = Field<String?>("comment", "What a person should know.")
  static let tagsField = Field<[String]>("tags", "`key=value`.", default: [])
  static let adaptersField = Field<[AdapterPlace]>("adapters", "Controllers: our phones', or our recorders'.")
  static let recordersField = Field<[RecorderPlace]>("recorders", "The recorders.", default: [])
  static let toleranceField = Field<Duration>("tolerance", "What steps are granted beyond their time.", default: .zero)
    .limited(to: Duration.zero...Duration.seconds(60))
  static let phoneField = Field<PhonePlan?>("phone", "Somebody else's phone, whose application is tested.")
  static let healthField = Field<String?>(
    "health", "A scenario, by its file, that shows whether the bench is in order: run before and after all others.")
  static let group = FieldGroup([
    placeField, commentField, tagsField, adaptersField, recordersField, phoneField, toleranceField, healthField,
  ])

  /// Reads a bench file; what is wrong with it is told, one message a mistake.
  public static func read(_ file: SourceFile) -> (bench: BenchFile?, diagnostics: [Diagnostic]) {
    let (arguments, diagnostics) = DocumentReader.read(file, as: group, called: "a bench file")
    guard let arguments else { return (nil, diagnostics) }
    var problems = diagnostics
    let bench = BenchFile(arguments, &problems)
    return (problems.isEmpty ? bench : nil, problems)
  }

  /// Where a simulator must listen for the host that the first adapter makes; `nil` for adapters of hardware.
  public var hostPlace: TransportSpecification? {
    adapters.first?.listeningPlace
  }

  private init(_ arguments: Arguments, _ problems: inout [Diagnostic]) {
    place = arguments[Self.placeField]
    tags = arguments[Self.tagsField]
    tolerance = arguments[Self.toleranceField]
    recorders = arguments[Self.recordersField]
    phone = arguments[Self.phoneField]
    health = arguments[Self.healthField]
    adapters = Self.adapters(arguments, &problems)
    Self.checkTags(arguments, &problems)
    if phone == nil || !recorders.isEmpty { Self.checkRecorders(recorders, arguments, &problems) }
    problems += phone?.problems ?? []
  }

  private static func adapters(
    _ arguments: Arguments, _ problems: inout [Diagnostic]
  ) -> [TransportSpecification] {
    let places = arguments[adaptersField]
    guard let top = arguments.location(of: adaptersField) else { return [] }
    if places.isEmpty {
      problems.append(Diagnostic(at: top, "there is no adapter", expected: "a transport, such as `usb:0`"))
    }
    return places.compactMap { place in
      do { return try TransportSpecification(parsing: place.transport) } catch {
        problems.append(
          Diagnostic(
            at: place.location ?? top, "`\(place.transport)` is no transport: \(error)",
            expected: "such as `usb:0`, `hci-socket:0` or `tcp-client:127.0.0.1:9001`"))
        return nil
      }
    }
  }

  private static func checkTags(_ arguments: Arguments, _ problems: inout [Diagnostic]) {
    guard let place = arguments.location(of: tagsField) else { return }
    for tag in arguments[tagsField] where tag.split(separator: "=", omittingEmptySubsequences: false).count != 2 {
      problems.append(Diagnostic(at: place, "`\(tag)` is no tag", expected: "`key=value`, such as `board=dictofun`"))
    }
  }

  private static func checkRecorders(
    _ recorders: [RecorderPlace], _ arguments: Arguments, _ problems: inout [Diagnostic]
  ) {
    guard let top = arguments.location(of: recordersField) ?? arguments.location(of: placeField) else { return }
    if recorders.isEmpty {
      problems.append(Diagnostic(at: top, "there is no recorder", expected: "a recorder's `address`, or a `phone`"))
    }
    var lines: [LineResource] = []
    for (index, recorder) in recorders.enumerated() {
      problems += recorder.problems(at: top)
      if recorders[..<index].contains(where: { $0.address == recorder.address }) {
        problems.append(
          Diagnostic(
            at: recorder.location ?? top, "the address \(recorder.address) stands twice",
            expected: "every recorder once"))
      }
      for (place, line) in recorder.lines {
        if lines.contains(line) {
          problems.append(
            Diagnostic(
              at: place ?? top, "\(line.description) is the line of another instrument already",
              expected: "a line of its own for every instrument"))
        }
        lines.append(line)
      }
    }
  }
}

/// `adapters: ["usb:0"]`
struct AdapterPlace: FieldGroupValue {
  static let transportField = Field<String>("transport", "How the controller is reached.")
  static let commentField = BenchFile.commentField
  static var group: FieldGroup { FieldGroup([transportField, commentField], shorthand: transportField) }

  let transport: String
  let location: SourceLocation?

  init(_ arguments: Arguments) {
    transport = arguments[Self.transportField]
    location = arguments.location(of: Self.transportField)
  }
}

/// One recorder of a bench and what can be done to it.
public struct RecorderPlace: FieldGroupValue {
  static let addressField = Field<BluetoothAddress>("address", "The address it advertises from.")
  static let commentField = BenchFile.commentField
  static let consoleField = Field<ConsolePlan?>("console", "Its UART.")
  static let supplyField = Field<SupplyPlan?>("supply", "A supply in place of its battery.")
  static let picoField = Field<PicoPlan?>("pico", "The Pico under its bed of nails.")
  static let flashField = Field<FlashPlan?>("flash", "A debug probe.")
  static let commandsField = Field<[CommandPlan]>(
    "commands", "Programs that may be run, and nothing else.", default: [])
  static let operatorField = Field<OperatorPlan?>("operator", "Who does the rest by hand.")
  static let calibrationField = Field<[CalibrationPoint]>(
    "calibration",
    "What it reports of its battery, and what is true; as 11 to 12 unless stated here or for its supply.",
    default: [])
  public static var group: FieldGroup {
    FieldGroup([
      addressField, commentField, consoleField, supplyField, picoField, flashField, commandsField, operatorField,
      calibrationField,
    ])
  }

  /// The address it advertises from.
  public let address: BluetoothAddress
  /// Its UART.
  public let console: ConsolePlan?
  /// A supply in place of its battery.
  public let supply: SupplyPlan?
  /// The Pico under its bed of nails.
  public let pico: PicoPlan?
  /// A debug probe.
  public let flash: FlashPlan?
  /// Programs that may be run.
  public let commands: [CommandPlan]
  /// Who does the rest by hand.
  public let helper: OperatorPlan?
  /// What it reports, and what is at its terminals.
  let calibration: Calibration
  /// Whether somebody has measured that.
  let isCalibrated: Bool
  private let ownCalibration: Calibration?
  let location: SourceLocation?
  private let places: [SourceLocation?]

  public init(_ arguments: Arguments) {
    address = arguments[Self.addressField]
    console = arguments[Self.consoleField]
    let points = arguments[Self.calibrationField]
    var supply = arguments[Self.supplyField]
    isCalibrated = !points.isEmpty || supply?.isCalibrated == true
    ownCalibration = points.isEmpty ? nil : Calibration(points)
    calibration = ownCalibration ?? supply?.calibration ?? .nominal
    if supply?.isCalibrated == false { supply?.calibration = calibration }
    self.supply = supply
    pico = arguments[Self.picoField]
    flash = arguments[Self.flashField]
    commands = arguments[Self.commandsField]
    helper = arguments[Self.operatorField]
    location = arguments.location(of: Self.addressField)
    places = [
      arguments.location(of: Self.consoleField), arguments.location(of: Self.supplyField),
      arguments.location(of: Self.picoField), arguments.location(of: Self.flashField),
      arguments.location(of: Self.commandsField), arguments.location(of: Self.operatorField),
      arguments.location(of: Self.calibrationField),
    ]
  }

  /// A recorder that can only be reached by radio.
  init(bare address: BluetoothAddress) {
    self.address = address
    (console, supply, pico, flash, helper) = (nil, nil, nil, nil, nil)
    (commands, location, places) = ([], nil, [])
    (calibration, isCalibrated, ownCalibration) = (.nominal, false, nil)
  }

  /// What can be done to it; by hand only where somebody attends.
  public func abilities(isAttended: Bool) -> [Ability] {
    Ability.allCases.filter { mechanical.contains($0) || (isAttended && isByHand($0)) }
  }

  /// Whether only the operator can do it.
  public func isByHand(_ ability: Ability) -> Bool {
    !mechanical.contains(ability) && helper?.abilities.contains(ability) == true
  }

  /// What can be done without an operator.
  private var mechanical: [Ability] {
    let programs = commands.map(\.purpose)
    var abilities: [Ability] = []
    if pico != nil || (programs.contains(.press) && programs.contains(.release)) { abilities.append(.button) }
    if pico != nil || supply?.feeds == .rail || (programs.contains(.powerOn) && programs.contains(.cutPower)) {
      abilities.append(.rail)
    }
    if supply?.feeds == .battery || programs.contains(.setBattery) { abilities.append(.battery) }
    if programs.contains(.setClock) { abilities.append(.clock) }
    if console != nil || programs.contains(.eraseRecords) { abilities.append(.storage) }
    if console != nil || programs.contains(.forgetBonds) { abilities.append(.bonds) }
    if programs.contains(.installFirmware) { abilities.append(.firmware) }
    return abilities
  }

  /// The lines of its instruments and where they are stated.
  var lines: [(SourceLocation?, LineResource)] {
    zip(places, [console?.line, supply?.line, pico?.line]).compactMap { place, line in line.map { (place, $0) } }
  }

  func problems(at top: SourceLocation) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    for (index, line) in [console.map(\.line), supply.map(\.line), pico.map(\.line)].enumerated() {
      guard let line else { continue }
      problems += Self.problems(of: line, at: places[index] ?? top)
    }
    for (stated, index) in [(supply?.isCalibrated == true ? supply?.calibration : nil, 1), (ownCalibration, 6)] {
      guard let points = stated?.points, !Calibration.isOrdered(points) else { continue }
      problems.append(
        Diagnostic(
          at: places[index] ?? places[1] ?? top, "the points of the calibration do not rise",
          expected: "at least two points, `reported` and `true` rising from one to the next"))
    }
    for words in commands.map(\.words) + (helper?.voice.map { [$0] } ?? []) where words.first?.first != "/" {
      problems.append(
        Diagnostic(
          at: (words == helper?.voice ? places[5] : places[4]) ?? top,
          "`\(words.first ?? "")` is not the full path of a program", expected: "a path that begins with `/`"))
    }
    for text in flash.map({ [$0.serial, $0.image] }) ?? [] where !FlashProgrammer.isPlain(text) {
      problems.append(
        Diagnostic(
          at: places[3] ?? top, "`\(text)` cannot be handed to OpenOCD", expected: "text without braces and backslashes"
        )
      )
    }
    if flash?.program.first != "/", let flash {
      problems.append(
        Diagnostic(
          at: places[3] ?? top, "`\(flash.program)` is not the full path of a program",
          expected: "a path that begins with `/`, such as `/usr/bin/openocd`"))
    }
    return problems
  }

  private static func problems(of line: LineResource?, at place: SourceLocation) -> [Diagnostic] {
    switch line {
    case nil:
      let names = LineFields.all.map { "`\($0.declaration.name)`" }
      return [
        Diagnostic(
          at: place, "it is not said where the instrument is", expected: "one of \(names.joined(separator: ", "))")
      ]
    case .rawSerialPort(_, let speed), .usbSerialPort(_, let speed):
      if !InstrumentLine.speeds.contains(speed) {
        return [
          Diagnostic(
            at: place, "\(speed) is not a speed of serial lines",
            expected: "one of \(InstrumentLine.speeds.map { "`\($0)`" }.joined(separator: ", "))")
        ]
      }
      if case .usbSerialPort(let match, _) = line, match.path == nil, match.serial == nil {
        return [Diagnostic(at: place, "`match` matches everything", expected: "`ID_SERIAL_SHORT` or `\"@ID_PATH\"`")]
      }
      return []
    case .networkSerialPort: return []
    }
  }
}
