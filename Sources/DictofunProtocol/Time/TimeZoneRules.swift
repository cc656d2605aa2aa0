/// The difference between local and universal time as explicit values: a run must not depend on a machine's table of
/// zones.
public struct TimeZoneRules: Hashable, Sendable {
  /// A moment that comes once a year, such as the last Sunday of March at 01:00 universal time.
  public struct YearlyMoment: Hashable, Sendable {
    /// Month, 1 to 12.
    public var month: Int
    /// Day of the week, 1 is Monday and 7 is Sunday.
    public var dayOfWeek: Int
    /// The number of the day among these days of the month: 1 to 4, or `nil` for the last.
    public var occurrence: Int?
    /// Minutes after midnight, in universal time, on that day; negative or beyond a day moves to a neighbour.
    public var minuteOfDayUniversal: Int

    /// A yearly moment. Traps when month, day of week or occurrence are out of range.
    public init(month: Int, dayOfWeek: Int, occurrence: Int?, minuteOfDayUniversal: Int) {
      precondition((1...12).contains(month), "a month is 1 to 12")
      precondition((1...7).contains(dayOfWeek), "a day of the week is 1 to 7")
      precondition(occurrence.map { (1...4).contains($0) } ?? true, "an occurrence is 1 to 4")
      self.month = month
      self.dayOfWeek = dayOfWeek
      self.occurrence = occurrence
      self.minuteOfDayUniversal = minuteOfDayUniversal
    }

    /// Seconds since the epoch of this moment in `year`, 1 to 9999, in universal time.
    public func secondsSinceEpoch(year: Int) -> Int64 {
      let lastDay = CivilTime.dayCount(year: year, month: month)
      let anchorDay = occurrence == nil ? lastDay : 1
      guard let anchor = CivilTime(year: year, month: month, day: anchorDay) else {
        preconditionFailure("the first and the last day of a month exist")
      }
      let days: Int
      if let occurrence {
        days = (dayOfWeek - anchor.dayOfWeek + 7) % 7 + 7 * (occurrence - 1)
      } else {
        days = -((anchor.dayOfWeek - dayOfWeek + 7) % 7)
      }
      return anchor.secondsSinceEpoch + Int64(days) * CivilTime.secondsPerDay + Int64(minuteOfDayUniversal) * 60
    }
  }

  /// Daylight saving that begins and ends every year.
  public struct DaylightSaving: Hashable, Sendable {
    /// When clocks are put forward.
    public var begins: YearlyMoment
    /// When clocks are put back; before `begins` on the southern half of the earth.
    public var ends: YearlyMoment
    /// Minutes by which clocks are put forward.
    public var savedMinutes: Int

    /// Daylight saving between two yearly moments.
    public init(begins: YearlyMoment, ends: YearlyMoment, savedMinutes: Int = 60) {
      self.begins = begins
      self.ends = ends
      self.savedMinutes = savedMinutes
    }
  }

  /// A change of the offset at one moment, as when somebody travels or a country changes its law.
  public struct Transition: Hashable, Sendable {
    /// The moment, in universal time.
    public var at: CivilTime
    /// Minutes to be added to universal time from then on, without daylight saving.
    public var offsetMinutes: Int

    /// A change of the offset at `at`, universal time.
    public init(at: CivilTime, offsetMinutes: Int) {
      self.at = at
      self.offsetMinutes = offsetMinutes
    }
  }

  /// Minutes to be added to universal time before the first transition, without daylight saving.
  public var offsetMinutes: Int
  /// Daylight saving, where there is one.
  public var daylightSaving: DaylightSaving?
  /// Changes of the offset, in order of time.
  public var transitions: [Transition]

  /// Central European time: one hour ahead, two between the last Sundays of March and October, 01:00 universal
  /// time (Directive 2000/84/EC).
  public static let centralEuropean = TimeZoneRules(
    offsetMinutes: 60,
    daylightSaving: DaylightSaving(
      begins: YearlyMoment(month: 3, dayOfWeek: 7, occurrence: nil, minuteOfDayUniversal: 60),
      ends: YearlyMoment(month: 10, dayOfWeek: 7, occurrence: nil, minuteOfDayUniversal: 60)))

  /// Rules made of an offset, daylight saving and single changes; `transitions` are put in order of time.
  public init(offsetMinutes: Int, daylightSaving: DaylightSaving? = nil, transitions: [Transition] = []) {
    self.offsetMinutes = offsetMinutes
    self.daylightSaving = daylightSaving
    self.transitions = transitions.sorted { $0.at < $1.at }
  }

  /// Minutes to be added to universal time at a moment of universal time.
  public func offsetMinutes(atUniversal time: CivilTime) -> Int {
    let standard = transitions.last { $0.at <= time }?.offsetMinutes ?? offsetMinutes
    guard let daylightSaving else { return standard }
    let year = time.adding(seconds: Int64(standard) * 60).year
    let begins = daylightSaving.begins.secondsSinceEpoch(year: year)
    let ends = daylightSaving.ends.secondsSinceEpoch(year: year)
    let now = time.secondsSinceEpoch
    let isSaving = begins < ends ? begins <= now && now < ends : !(ends <= now && now < begins)
    return isSaving ? standard + daylightSaving.savedMinutes : standard
  }

  /// The local time in this zone at a moment of universal time.
  public func local(fromUniversal time: CivilTime) -> CivilTime {
    time.adding(seconds: Int64(offsetMinutes(atUniversal: time)) * 60)
  }
}
