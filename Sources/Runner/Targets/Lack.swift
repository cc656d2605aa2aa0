import Bench
import ScenarioLanguage
import World

/// The thing that a target does not have and a scenario needs. Its description is the reason in reports.
enum Lack: Hashable, CustomStringConvertible {
  /// Something that a target has or lacks as a whole.
  case capability(Capability)
  /// A field of an inspection that the recorder's program does not tell.
  case inspection(of: String)
  /// A way to cut the power while the recorder writes its flash.
  case cutInWrite
  /// A bootloader, which a program that is an application alone does not bring.
  case bootloader
  /// A recorder of another board than the one that is executed.
  case board(String)
  /// A bootloader that was built with other settings, or that is slower or faster, than the one that is executed.
  case bootloaderBuild
  /// Packages with programs that the chip can execute.
  case programsInPackages
  /// An update whose writes to flash are those of the model, at one of which power is to be cut.
  case writesOfModel
  /// Time for an image that works for longer than it may.
  case processorTime
  /// Batteries of this voltage, which the supply's calibration does not reach.
  case battery(millivolts: Int)
  /// A supply that keeps this voltage on its side of a step of the level.
  case exactBattery(millivolts: Int)
  /// As many adapters as the scenario has phones.
  case phones(Int)
  /// As many recorders.
  case recorders(Int)
  /// As many controllers for simulated recorders.
  case controllersOfRecorders(Int)
  /// An event that only a simulated world knows.
  case oracle(ObservationDeclaration)
  /// An event that only our own phone tells.
  case phoneEvent(ObservationDeclaration)
  /// A way to bring about, or to verify, a field of `given:`.
  case given(GivenDeclaration, field: String)
  /// Records of this length, of this sound, or this far apart.
  case recordsOfThatKind
  /// Records whose length is known to the octet.
  case recordsOfExactLength
  /// Records whose names are known before they are made.
  case recordsOfGivenNames
  /// The recorder with the address that the scenario states.
  case recorderWithAddress
  /// A hook or an operator that does this with somebody else's phone.
  case action(ApplicationAction)
  /// A verb that only our own phone knows.
  case verb(VerbDeclaration)

  var description: String {
    switch self {
    case .capability(let capability): capability.description
    case .inspection(let field): "\(Capabilities.inspection) of `\(field)`"
    case .cutInWrite: "\(Capabilities.rail) in the middle of a write"
    case .bootloader: "a bootloader"
    case .board(let name): "a recorder of board \(name)"
    case .bootloaderBuild: "a bootloader with the settings of `given`"
    case .writesOfModel: "an update with the model's writes to flash"
    case .programsInPackages: "packages with programs that can be executed (--packages)"
    case .processorTime: "more processor time (--processor-time)"
    case .battery(let millivolts): "\(Capabilities.battery) of \(millivolts) mV"
    case .exactBattery(let millivolts):
      "\(Capabilities.battery) of \(millivolts) mV, kept more exactly than the supply's `tolerance`"
    case .phones(let count): "\(count) phones"
    case .recorders(let count): "\(count) recorders"
    case .controllersOfRecorders(let count): "\(count) recorders, each on a controller of its own"
    case .oracle(let event): "sensors: \(event.name)"
    case .phoneEvent(let event): "the event \(event.name)"
    case .given(let section, let field): "given \(section.name) \(field)"
    case .recordsOfThatKind: "given device records of that kind"
    case .recordsOfExactLength: "records of an exact length"
    case .recordsOfGivenNames: "records with the names that the steps state"
    case .recorderWithAddress: "the recorder with the address of `given`"
    case .action(let action): action.capability
    case .verb(let verb): "\(verb.actor.rawValue).\(verb.name)"
    }
  }
}
