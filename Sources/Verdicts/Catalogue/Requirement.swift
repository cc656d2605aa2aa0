/// What a run tests.
public enum TargetKind: String, Hashable, Sendable, CaseIterable {
  /// The simulated recorder with this house's phone.
  case simulated
  /// A real recorder with this house's phone.
  case hardware
  /// This house's simulated recorder with somebody else's phone.
  case app
  /// A firmware image that a simulated chip executes, with this house's phone.
  case image

  /// The targets for which the catalogue says how a requirement is observed. What it does not say of an image is
  /// observed as on the simulated recorder.
  static let catalogued = [simulated, hardware, app, image]
}

/// One part of a requirement, which is shown or not by itself.
public struct RequirementClause: Hashable, Sendable, Codable {
  /// Its name inside the requirement, such as `transfer`; empty for a requirement that has only one part.
  public let id: String
  /// What must hold, in one sentence.
  public let sentence: String
}

/// One requirement of the catalogue.
public struct Requirement: Hashable, Sendable {
  /// Its id, such as `APP-1.3.1.1`.
  public let id: String
  /// What must hold, in one sentence.
  public let sentence: String
  /// Whom it judges.
  public let judges: JudgedParty
  /// Its parts, all of which must be shown; never empty.
  public let clauses: [RequirementClause]
  /// How it is observed on each target, in the order of the catalogue; `nil` where it cannot be.
  public let observed: [String?]
  /// Where the entry is written, from 1.
  public let line: Int

  /// How a clause of it is referred to: `DEV-9/transfer`, or the id alone where there is only one clause.
  public func reference(to clause: RequirementClause) -> String { clause.id.isEmpty ? id : "\(id)/\(clause.id)" }

  /// Every reference to a clause, in order.
  public var references: [String] { clauses.map(reference) }

  /// How it is observed on a target; `nil` where it cannot be.
  public func observation(on target: TargetKind) -> String? {
    TargetKind.catalogued.firstIndex(of: target).flatMap { observed[$0] }
  }

  /// Why a run on a target says nothing about it; `nil` where it may.
  public func blindness(on target: TargetKind) -> String? {
    if target == .hardware, judges == .phone {
      return "says nothing about the device under test: the harness plays the phone"
    }
    if target == .app, judges == .recorder {
      return "says nothing about the device under test: the harness plays the recorder"
    }
    return observation(on: target) == nil ? "cannot be observed on \(target.rawValue)" : nil
  }
}
