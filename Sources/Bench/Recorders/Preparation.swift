import Text
import Timeline

/// Something that is done to a recorder before a scenario begins.
package enum Preparation: Hashable, Sendable {
  /// Bring it into a state.
  case wish(Wish)
  /// Erase all records; the recorder is awake afterwards.
  case eraseRecords
  /// Make records of so long with the button, one after the other.
  case makeRecords(count: Int, length: Duration)
  /// Make it forget its bonds.
  case forgetBonds

  var ability: Ability {
    switch self {
    case .wish(let wish): wish.ability
    case .eraseRecords: .storage
    case .makeRecords: .button
    case .forgetBonds: .bonds
    }
  }

  /// The deed that the operator is asked for.
  var deed: Deed {
    switch self {
    case .wish(let wish): wish.deed
    case .eraseRecords: .eraseRecords
    case .makeRecords: .press
    case .forgetBonds: .forgetBonds
    }
  }

  /// What the operator is asked for, at a recorder's place.
  func request(at place: RecorderPlace) -> String {
    switch self {
    case .wish(let wish): place.request(for: wish.deed)
    case .eraseRecords: place.request(for: .eraseRecords)
    case .makeRecords(1, let length): "Make one record: hold the recorder's button for \(DurationText.exact(length))."
    case .makeRecords(let count, let length):
      "Make \(count) records: hold the recorder's button for \(DurationText.exact(length)) each time, and wait 2 s in between."
    case .forgetBonds: place.request(for: .forgetBonds)
    }
  }
}

/// Preparations in the order in which they are done, with those that are one prompt together.
package enum PreparationPart: Hashable, Sendable {
  /// What is done without anybody.
  case done(Preparation)
  /// What the operator is asked for at once.
  case asked([Preparation])
}

extension RecorderPlace {
  /// Who does what. Neighbours that are the operator's are one prompt, of which a later state of the same kind makes an
  /// earlier one needless; of wishes that follow each other, those that need nobody come first.
  package func parts(_ preparations: [Preparation]) -> [PreparationPart] {
    var parts: [PreparationPart] = []
    var asked: [Preparation] = []
    func flush() {
      if !asked.isEmpty { parts.append(.asked(asked)) }
      asked.removeAll()
    }
    var rest = preparations[...]
    while let first = rest.first {
      let group = rest.prefix { $0.isWish == first.isWish }
      rest = rest.dropFirst(group.count)
      for preparation in group where !isByHand(preparation.ability) {
        flush()
        parts.append(.done(preparation))
      }
      for preparation in group where isByHand(preparation.ability) {
        if preparation.isWish { asked.removeAll { $0.isWish && $0.ability == preparation.ability } }
        asked.append(preparation)
      }
    }
    flush()
    return parts
  }

  /// Whether only the operator can do it.
  package func isByHand(_ preparation: Preparation) -> Bool { isByHand(preparation.ability) }

  /// Whether the operator is asked for a deed. Releasing the button is announced, not asked for.
  package func asks(for purpose: Purpose) -> Bool {
    guard purpose != .release, isByHand(purpose.ability) else { return false }
    return !actuators.contains { !$0.isByHand && $0.purposes.contains(purpose) }
  }

  func request(for deed: Deed) -> String { deed.request(calibration, isCalibrated: isCalibrated) }
}

extension Preparation {
  fileprivate var isWish: Bool { if case .wish = self { true } else { false } }
}
