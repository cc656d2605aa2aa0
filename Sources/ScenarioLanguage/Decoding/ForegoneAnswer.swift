import YAML

/// Comparisons whose answer is known before anything is found.
extension FieldMatcher {
  /// Whether the comparisons hold of every value that the field can have, or of none; `nil` where that depends on the
  /// value, or cannot be told.
  ///
  /// The answer changes only at operands, so it is enough to ask for these, for the values next to them and for the least.
  /// Of long lists it is not asked, which takes time and finds nothing.
  var foregoneAnswer: Bool? {
    guard !isKept, let samples, (2...100).contains(samples.count) else { return nil }
    let answers = Set(samples.map { matches([$0]) })
    guard let answer = answers.first, answers.count == 1 else { return nil }
    // Where the field has words too, a value may be one that no number stands for.
    if answer, case .either = field.type { return nil }
    return answer
  }

  /// Values that stand for all that the field can have; `nil` where that is not known.
  private var samples: [Value]? {
    switch field.type {
    case .boolean: return [.boolean(false), .boolean(true)]
    case .choice(let choices): return choices.map { .word($0.word) }
    case .list: return nil
    default: break
    }
    let operands = comparisons.flatMap { comparison in
      if case .list(let items) = comparison.operand { items } else { [comparison.operand] }
    }
    guard let first = operands.first, let least = field.minimum ?? first.leastOfKind,
      operands.allSatisfy({ $0.isLess(than: least) != nil })
    else { return nil }
    return ([least] + operands + operands.compactMap(\.next)).filter { value in
      value.isLess(than: least) == false && field.maximum.flatMap { $0.isLess(than: value) } != true
    }
  }
}

extension Value {
  /// The least value with which this one can be compared; `nil` where values of its kind have no order. What is measured
  /// is nothing or more; a duration is less only in a field that says so.
  fileprivate var leastOfKind: Value? {
    switch self {
    case .integer: .integer(.min)
    case .quantity(.duration, _): .quantity(.duration, 0)
    case .quantity(let dimension, _): .quantity(dimension, dimension.limits.lowerBound)
    case .dateTime: CivilDateTime("1900-01-01").map { .dateTime($0) }
    case .offset: UTCOffset("-14:00").map { .offset($0) }
    case .record: RecordName("0000000000000000").map { .record($0) }
    default: nil
    }
  }

  /// The value after this one among those of its kind; `nil` where there is none.
  fileprivate var next: Value? {
    switch self {
    case .integer(let number) where number < .max: .integer(number + 1)
    case .quantity(let dimension, let amount) where amount < .max: .quantity(dimension, amount + 1)
    case .dateTime(let dateTime): dateTime.next.map { .dateTime($0) }
    case .offset(let offset): UTCOffset(minutes: offset.minutes + 1).map { .offset($0) }
    case .record(let name): name.next.map { .record($0) }
    default: nil
    }
  }
}

extension CivilDateTime {
  /// One second later.
  fileprivate var next: CivilDateTime? {
    .init(year: year, month: month, day: day, hour: hour, minute: minute, second: second + 1)
      ?? .init(year: year, month: month, day: day, hour: hour, minute: minute + 1)
      ?? .init(year: year, month: month, day: day, hour: hour + 1)
      ?? .init(year: year, month: month, day: day + 1)
      ?? .init(year: year, month: month + 1, day: 1)
      ?? .init(year: year + 1, month: 1, day: 1)
  }
}

extension RecordName {
  /// The name with the next number.
  fileprivate var next: RecordName? {
    guard let number = UInt64(digits) else { return nil }
    let text = "\(number + 1)"
    return RecordName(String(repeating: "0", count: max(0, 16 - text.utf8.count)) + text)
  }
}

extension Node {
  /// Whether a value in it comes from a name.
  var hasNames: Bool {
    origin != nil || (items ?? []).contains(where: \.hasNames) || (entries ?? []).contains { $0.value.hasNames }
  }
}
