import Testing
import Timeline

@testable import Bench
@testable import Runner

/// What is claimed of events of which only an interval is known.
@Suite struct SensedClaims {
  private func at(_ milliseconds: Int) -> Instant { .zero.advanced(by: .milliseconds(milliseconds)) }

  @Test(arguments: [
    (100, 200, "holds"), (900, 1_000, "holds"), (900, 1_001, "unobservable"), (1_001, 1_200, "violated"),
  ])
  func anEventIsInTimeOnlyWhereTheWholeIntervalIs(_ earliest: Int, _ latest: Int, _ outcome: String) {
    let claim = SensedClaim(
      .eventually(since: at(0), deadline: at(1_000)), of: "advertising", patience: .seconds(1), watchedBy: [.scanner])
    #expect(word(claim.take(from: at(earliest), to: at(latest), by: .scanner)) == outcome)
  }

  @Test(arguments: [
    (100, 200, "pending"), (900, 1_000, "unobservable"), (1_000, 1_100, "violated"), (1_900, 2_100, "unobservable"),
    (2_000, 2_100, "pending"),
  ])
  func aBanIsBrokenOnlyWhereTheWholeIntervalIsInIt(_ earliest: Int, _ latest: Int, _ outcome: String) {
    let claim = SensedClaim(
      .never(since: at(1_000), end: at(2_000)), of: "advertising", patience: .seconds(1), watchedBy: [.scanner])
    #expect(word(claim.take(from: at(earliest), to: at(latest), by: .scanner)) == outcome)
  }

  /// The ban counts from an event that was seen up to 200 ms after it happened.
  @Test(arguments: [
    (1_500, 1_600, "violated"), (1_700, 1_799, "violated"), (1_700, 1_801, "unobservable"),
    (1_900, 1_950, "unobservable"), (2_000, 2_100, "pending"),
  ])
  func aBanThatCountsFromAnEventEndsWhenTheEventMayHave(_ earliest: Int, _ latest: Int, _ outcome: String) {
    let claim = SensedClaim(
      .never(since: at(1_000), end: at(2_000)), of: "device.power", patience: .seconds(1), watchedBy: [.rail],
      lateness: .milliseconds(200))
    #expect(word(claim.take(from: at(earliest), to: at(latest), by: .rail)) == outcome)
  }

  @Test func aWatcherKnowsWhenTheEventMayHaveHappened() {
    let claim = SensedClaim(
      .eventually(since: at(0), deadline: at(1_000)), of: "device.power", patience: .seconds(1), watchedBy: [.rail])
    let watcher = SensedWatcher(claim) { _ in true }
    #expect(watcher.decidedBy == nil)
    watcher.observe(SensedEvent(Sighting(.power(isOn: false), from: at(700), to: at(800), by: .rail), of: 0))
    #expect(watcher.decidedBy == at(700))
  }

  @Test func silenceDecidesNothingWhereAnEventMayBeMissed() {
    let kinds: [SensedClaim.Kind] = [
      .eventually(since: at(0), deadline: at(1_000)), .never(since: at(0), end: at(1_000)),
    ]
    for kind in kinds {
      let claim = SensedClaim(kind, of: "device.record", patience: nil, watchedBy: [.console])
      #expect(word(claim.conclude()) == "unobservable")
    }
    #expect(word(SensedClaim(kinds[0], of: "a", patience: .zero, watchedBy: []).conclude()) == "violated")
    #expect(word(SensedClaim(kinds[1], of: "a", patience: .zero, watchedBy: []).conclude()) == "holds")
  }

  @Test func aBanThatIsBrokenBeforeItHasAnEndIsNotWaitedFor() {
    let claim = SensedClaim(
      .never(since: at(0), end: .distantFuture), of: "device.power", patience: .seconds(1), watchedBy: [.rail])
    let ban = SensedWatcher(claim) { _ in true }
    let assertions = Assertions()
    assertions.add(ban)
    ban.expire(.violated("it was seen"))
    #expect(assertions.lastInstantOfBans == nil)
  }

  /// Scanners that miss up to every second advertisement, at limits that are near what they look for.
  @Test func noVerdictIsFalseWhateverAScannerMisses() throws {
    var told = 0
    for seed in 1...500 {
      let chance = ChoiceSource(seed: UInt64(seed)).stream("scanner")
      let missed = chance.below(501)
      var sense = AdvertisingSense()
      func advertise(from start: Instant, for count: Int) -> Sighting? {
        var (now, first) = (start, Sighting?.none)
        for _ in 0..<count {
          if chance.below(1_000) >= missed {
            let sighting = sense.hear(at: now.advanced(by: .milliseconds(Int(chance.below(40)))))
            first = first ?? sighting
          }
          now = now.advanced(by: .milliseconds(125 + Int(chance.below(11))))
        }
        return first
      }
      _ = advertise(from: at(0), for: Int(chance.below(200)))
      sense.interrupt(at: at(40_000))
      let patience = sense.patience
      let start = at(40_000 + Int(chance.below(5_000)))
      let limit = at(40_000 + Int(chance.below(8_000)))
      let seen = try #require(advertise(from: start, for: 60))
      #expect(seen.earliest <= start, "seed \(seed)")
      #expect(start <= seen.latest, "seed \(seed)")
      let wait = SensedClaim(
        .eventually(since: at(40_000), deadline: limit), of: "advertising", patience: patience, watchedBy: [.scanner])
      let ban = SensedClaim(
        .never(since: at(39_000), end: limit), of: "advertising", patience: patience, watchedBy: [.scanner])
      let isInTime = start <= limit
      let outcomes = [wait, ban].map { claim in
        let isSeen = seen.latest <= claim.lastInstant
        let outcome = isSeen ? claim.take(from: seen.earliest, to: seen.latest, by: .scanner) : .pending
        return word(outcome == .pending ? claim.conclude() : outcome)
      }
      #expect(outcomes[0] != (isInTime ? "violated" : "holds"), "seed \(seed), \(outcomes)")
      #expect(outcomes[1] != (start < limit ? "holds" : "violated"), "seed \(seed), \(outcomes)")
      told += outcomes.count { $0 != "unobservable" }
    }
    // A sensor that never told anything would not lie either.
    #expect(told > 500)
  }

  /// A recorder that falls silent for a moment: it is never told to have started at another time, or not to have.
  @Test func aShortSilenceDecidesNothingFalse() {
    var certain = 0
    for seed in 1...500 {
      let chance = ChoiceSource(seed: UInt64(seed)).stream("gap")
      let missed = chance.below(301)
      var sense = AdvertisingSense()
      var (now, seen) = (0, [Sighting]())
      func advertise(until end: Int) {
        while now < end {
          if chance.below(1_000) >= missed, let sighting = sense.hear(at: at(now)) { seen.append(sighting) }
          now += 125 + Int(chance.below(11))
        }
      }
      advertise(until: 3_000 + Int(chance.below(20_000)))
      let (stopped, isKnown) = (now, chance.below(2) == 0)
      if isKnown {
        sense.beginDeed(cutsPower: true)
        sense.endDeed(at: at(now + 10))
      }
      seen.removeAll()
      now += 60 + Int(chance.below(3_000))
      let started = now
      advertise(until: now + 6_000)
      var wait = SensedClaim(
        .eventually(since: at(stopped), deadline: at(started + 1_000)), of: "advertising", patience: sense.patience,
        watchedBy: [.scanner])
      var outcome = SensedClaim.Outcome.pending
      for sighting in seen where outcome == .pending {
        outcome =
          sighting.isCertain
          ? wait.take(from: sighting.earliest, to: sighting.latest, by: .scanner)
          : wait.takeDoubtful(from: sighting.earliest, to: sighting.latest, by: .scanner)
      }
      let word = word(outcome == .pending ? wait.conclude() : outcome)
      // A pause that is as short as an interval or two is none for anybody.
      if started - stopped > 400 { #expect(word != "violated", "seed \(seed): \(started - stopped) ms") }
      if isKnown, started - stopped > 70 { certain += word == "holds" ? 1 : 0 }
    }
    #expect(certain > 100)
  }

  /// Supplies and Picos that answer late, and a console that loses every second line.
  @Test func noVerdictIsFalseWhateverLagsAndLosesLines() {
    for seed in 1...500 {
      let chance = ChoiceSource(seed: UInt64(seed)).stream("poll")
      let lag = Duration.milliseconds(Int(chance.below(500)))
      var sense = PollSense(.rail, lag: lag)
      let change = at(1_000 + Int(chance.below(3_000)))
      let limit = at(1_000 + Int(chance.below(3_000)))
      var sighting: Sighting?
      for look in stride(from: 0, to: 6_000, by: 100) {
        let asked = at(look)
        let old = Duration.nanoseconds(Int64(chance.below(UInt64(lag.wholeNanoseconds) + 1)))
        let isOn = asked.advanced(by: .zero - old) < change
        let answered = asked.advanced(by: .milliseconds(Int(chance.below(50))))
        sighting = sighting ?? sense.take(isOn, askedAt: asked, answeredAt: answered)
      }
      guard let seen = sighting else {
        Issue.record("seed \(seed): nothing was seen")
        continue
      }
      #expect(seen.earliest <= change, "seed \(seed)")
      #expect(change <= seen.latest, "seed \(seed)")
      let claim = SensedClaim(
        .eventually(since: at(0), deadline: limit), of: "device.power", patience: .seconds(1), watchedBy: [.rail])
      let outcome = word(claim.take(from: seen.earliest, to: seen.latest, by: .rail))
      #expect(outcome != (change <= limit ? "violated" : "holds"), "seed \(seed)")
      let lossy = SensedClaim(
        .eventually(since: at(0), deadline: limit), of: "device.record", patience: nil, watchedBy: [.console])
      let told = change.advanced(by: .milliseconds(Int(chance.below(200))))
      let line =
        chance.below(2) == 0
        ? lossy.conclude() : lossy.take(from: told.advanced(by: .milliseconds(-200)), to: told, by: .console)
      #expect(word(line) != (change <= limit ? "violated" : "holds"), "seed \(seed)")
    }
  }

  /// Supplies that lag, that are exact to a milliampere only, and that have no time for a reading now and then.
  @Test func noVerdictIsFalseWhateverASupplyReads() {
    var told = 0
    for seed in 1...500 {
      let chance = ChoiceSource(seed: UInt64(seed)).stream("current")
      let (error, lag) = (Int(chance.below(1_001)), Int(chance.below(500)))
      let within = 500 + Int(chance.below(2_000))
      let plan = CurrentPlan(above: 1_000, within: .milliseconds(within), error: error, lag: .milliseconds(lag))
      var sense = CurrentSense(plan, longestGap: .milliseconds(300))
      let goesOn = chance.below(2) == 0
      let change = 6_000 + Int(chance.below(4_000))
      let limit = at(6_000 + Int(chance.below(6_000)))
      var (look, quiet, sightings) = (0, Int?.none, [CurrentSense.Change]())
      while look < 20_000 {
        let shown = max(0, look - Int(chance.below(UInt64(lag) + 1)))
        let isOn = (shown >= change) == goesOn
        // A recorder that is on shows it in one reading at least of those in the time that is stated.
        let isAwake = isOn && (chance.below(5) == 0 || quiet.map { look - $0 >= within } ?? false)
        quiet = isOn && !isAwake ? quiet ?? look : nil
        let current = (isAwake ? 8_000 : isOn ? 60 : 2) + Int(chance.below(UInt64(2 * error + 1))) - error
        let answered = at(look + Int(chance.below(50)))
        if let change = sense.take(microamperes: current, askedAt: at(look), answeredAt: answered) {
          sightings.append(change)
        }
        look += chance.below(50) == 0 ? 1_000 : 100
      }
      #expect(sightings.count < 2, "seed \(seed)")
      // Where readings are too inexact, nothing is told.
      guard let seen = sightings.first else { continue }
      told += 1
      #expect(seen.isOn == goesOn, "seed \(seed)")
      #expect(seen.earliest <= at(change), "seed \(seed)")
      #expect(at(change) <= seen.latest, "seed \(seed)")
      let claims: [SensedClaim.Kind] = [
        .eventually(since: at(0), deadline: limit), .never(since: at(0), end: limit),
      ]
      let outcomes = claims.map { kind in
        let claim = SensedClaim(kind, of: "device.power", patience: nil, watchedBy: [.current])
        let outcome = claim.take(from: seen.earliest, to: seen.latest, by: .current)
        return word(outcome == .pending ? claim.conclude() : outcome)
      }
      #expect(outcomes[0] != (at(change) <= limit ? "violated" : "holds"), "seed \(seed), \(outcomes)")
      #expect(outcomes[1] != (at(change) < limit ? "holds" : "violated"), "seed \(seed), \(outcomes)")
    }
    // A sensor that never told anything would not lie either.
    #expect(told > 150)
  }

  @Test func whatTheBenchDoesIsNotTakenForTheRecorder() {
    var sense = CurrentSense(
      CurrentPlan(above: 1_000, within: .seconds(1), lag: .milliseconds(100)), longestGap: .milliseconds(300))
    for look in stride(from: 0, to: 2_000, by: 100) {
      _ = sense.take(microamperes: 5, askedAt: at(look), answeredAt: at(look + 10))
    }
    #expect(sense.isOn == false)
    sense.beginDeed()
    // An output that is switched on fills capacitors.
    #expect(sense.take(microamperes: 9_000, askedAt: at(2_000), answeredAt: at(2_010)) == nil)
    sense.endDeed(at: at(2_050))
    #expect(sense.take(microamperes: 9_000, askedAt: at(2_100), answeredAt: at(2_110)) == nil)
    #expect(sense.isOn == false)
    #expect(sense.take(microamperes: 9_000, askedAt: at(2_200), answeredAt: at(2_210))?.isOn == true)
  }

  @Test func namesOfRecordsBoundTheClock() {
    var bounds = ClockBounds()
    let second = Int64(1_000_000_000)
    // The recorder is 2.5 s ahead: begun between 10.1 s and 10.5 s by the phone, its clock shows 12 or 13.
    bounds.take(12, between: 10 * second + second / 10, and: 10 * second + second / 2)
    #expect(bounds.magnitude == .milliseconds(1_500)...(.milliseconds(2_900)))
    bounds.take(13, between: 10 * second + second / 2, and: 10 * second + 3 * second / 4)
    #expect(bounds.magnitude == .milliseconds(2_250)...(.milliseconds(2_900)))
    bounds.take(9, between: 10 * second, and: 10 * second)
    #expect(bounds.isContradictory)
  }

  @Test func aBusyHostsPhoneMayShowTooLittle() {
    var bounds = ClockBounds()
    let second = Int64(1_000_000_000)
    bounds.take(12, between: 10 * second, and: 10 * second + second / 2)
    #expect(bounds.magnitude == .milliseconds(1_500)...(.seconds(3)))
    // The recorder seems to be ahead because the phone's clock was held up for at most 1 s.
    bounds.allow(missed: second)
    #expect(bounds.magnitude == .milliseconds(500)...(.seconds(3)))
  }

  private func word(_ outcome: SensedClaim.Outcome) -> String {
    switch outcome {
    case .pending: "pending"
    case .holds: "holds"
    case .violated: "violated"
    case .unobservable: "unobservable"
    }
  }
}
