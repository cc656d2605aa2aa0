import DictofunProtocol
import HostStack
import Recorder
import Timeline

@testable import Probe

/// One constant of a recorder, shifted by chance.
struct ShiftTrial {
  let constant: ProbedConstant
  let seed: UInt64
  /// The shift in thousandths.
  private let shift: Int64

  init(_ constant: ProbedConstant, seed: UInt64) {
    self.constant = constant
    self.seed = seed
    let choices = ChoiceSource(seed: seed).stream("shift.\(constant.rawValue)")
    let widest: UInt64 =
      switch constant {
      // A battery has at most 4.2 V, and its levels lie close together.
      case .divider: 120
      case .lowBattery: 30
      // The model's crystal is off by a tenth at most.
      case .tick: 99
      // A shorter time than keep-alive cannot be seen.
      case .noRecord: 230
      default: 500
      }
    let narrowest: UInt64 = constant == .lowBattery ? 10 : 50
    let amount = Int64(narrowest + choices.below(widest - narrowest + 1))
    shift = choices.below(2) == 0 ? amount : -amount
  }

  /// What must be measured to find the shift.
  var wanted: Set<ProbedConstant> {
    switch constant {
    case .tick: [.tick, .securityRequest, .strangersLink, .keepAlive]
    case .noRecord: [.noRecord, .keepAlive]
    default: [constant]
    }
  }

  /// The profile with the constant shifted.
  func shifted(_ twin: RecorderProfile) -> RecorderProfile {
    var profile = twin
    let value = constant.value(of: twin)
    var shifted = value + value * shift / 1_000
    // No crystal is off by a share of nothing: 50 to 500 ppm.
    if constant == .clockDrift { shifted = value + shift * 1_000 }
    // An ATT_MTU has its own bounds, and a flash read is one tick or three.
    if constant == .maximumTransmissionUnit { shifted = min(shifted, 246) }
    constant.set(shifted, in: &profile)
    if constant.ticks != nil, constant.value(of: profile) == value {
      constant.set(value + (shift > 0 ? 1 : -1) * 976_563, in: &profile)
    }
    return profile
  }

  /// Why the shift was not found; `nil` where it was named, and recovered within 2 %.
  func failure(of found: MeasuredRecorder, twin: RecorderProfile, shifted: RecorderProfile) -> String? {
    let (expected, before) = (constant.value(of: shifted), constant.value(of: twin))
    let words = "seed \(seed): \(constant.rawValue) is \(expected) instead of \(before)"
    guard let figure = found.figures[constant] else {
      return words + ", not measured: \(found.reasons[constant] ?? "")"
    }
    guard Distance(of: found, from: twin).names(constant) else { return words + ", not named: \(figure)" }
    let recovered = constant.value(of: found.profile(from: twin))
    guard (recovered - expected).magnitude * 50 <= expected.magnitude else {
      return words + ", recovered as \(recovered): \(figure)"
    }
    return nil
  }

  /// The services of every Dictofun with one more characteristic, or one more service, at a place of chance before the
  /// file transfer service.
  static func movedServices(seed: UInt64) -> [ServiceDefinition] {
    let choices = ChoiceSource(seed: seed).stream("shift.handle")
    var services = AttributeTable.application.database.services
    if choices.below(2) == 0 {
      services[0].characteristics.append(
        CharacteristicDefinition(
          uuid: DictofunUUID.firmwareRevision, properties: .read, reading: .open, initialValue: Array("1.4".utf8)))
    } else {
      let place = 2 + Int(choices.below(UInt64(services.count - 2)))
      services.insert(DictofunService.deviceInformation.definition, at: place)
    }
    return services
  }
}
