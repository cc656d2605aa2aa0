extension ProductEvent {
  /// Who did it, and to whom: `phone → recorder`.
  package var who: String {
    if case .oracle(let event) = happening { return name(event.party) }
    let (phone, recorder) = (phone ?? "phone", recorder ?? "recorder")
    switch happening.way {
    case .toRecorder: return "\(phone) → \(recorder)"
    case .toPhone: return "\(recorder) → \(phone)"
    case .between: return "\(phone) – \(recorder)"
    case .local: return source.part == .phone ? phone : recorder
    }
  }

  /// The phone that it is about; `nil` where it is about none, or only its address is known.
  var phone: String? {
    if case .oracle(let event) = happening {
      if case .phone = event.party { return name(event.party) } else { return nil }
    }
    return source.part == .phone ? name(.phone(source.index)) : nil
  }

  /// The recorder that it is about; `nil` where it is about none.
  var recorder: String? {
    if case .oracle(let event) = happening {
      if case .recorder = event.party { return name(event.party) } else { return nil }
    }
    guard source.part == .phone else { return name(.recorder(source.index)) }
    return peer.map { parties?.recorder(at: $0) ?? "recorder" }
  }

  private func name(_ party: OracleEvent.Party) -> String {
    switch party {
    case .phone(let number): parties?.phone(number) ?? PartyNames.name("phone", number)
    case .recorder(let number): parties?.recorder(number) ?? PartyNames.name("recorder", number)
    case .air: "air"
    }
  }
}
