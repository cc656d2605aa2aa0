import DictofunProtocol
import Phone
import ScenarioLanguage

extension CivilDateTime {
  /// The same moment in the phone's and the recorder's count.
  var localSeconds: LocalSeconds {
    guard
      let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return 0 }
    return time.secondsSince2000
  }
}
