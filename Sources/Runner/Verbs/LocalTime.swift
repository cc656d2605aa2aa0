import DictofunProtocol
import Phone
import ScenarioLanguage

extension CivilDateTime {
  /// What a recorder's clock can show.
  static let ofRecorders: ClosedRange<CivilDateTime> = {
    let shown = CivilTime.ofRecorders
    guard let first = CivilDateTime("\(shown.lowerBound)"), let last = CivilDateTime("\(shown.upperBound)") else {
      preconditionFailure("a recorder's clock shows times that exist")
    }
    return first...last
  }()

  /// The same moment in the phone's and the recorder's count.
  var localSeconds: LocalSeconds {
    guard
      let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return 0 }
    return time.secondsSince2000
  }
}
