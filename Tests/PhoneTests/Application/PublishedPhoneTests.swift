import Bytes
import DictofunProtocol
import HostStack
import Testing

@testable import Phone

/// What the published application does otherwise shows in what leaves the phone, and does not show without it.
@Suite struct PublishedPhone {
  private static func rig(_ behaviours: [PublishedPhoneBehaviour], sizes: [Int] = [300, 5000]) throws -> PhoneRig {
    var recorder = ModelRecorder()
    recorder.record(sizes: sizes)
    var rig = try PhoneRig(recorder) { configuration in
      for behaviour in behaviours { behaviour.apply(to: &configuration.policies) }
    }
    try rig.pair()
    _ = try rig.perform(.disconnect)
    rig.events = []
    rig.recorders[0].requests = []
    return rig
  }

  @Test(arguments: PublishedPhoneBehaviour.allCases) func showsAndIsNotTheReference(
    _ behaviour: PublishedPhoneBehaviour
  ) throws {
    var published = try Self.rig([behaviour])
    var reference = try Self.rig([])
    #expect(try Self.shows(behaviour, &published))
    #expect(try !Self.shows(behaviour, &reference))
  }

  private static func levels(_ rig: PhoneRig) -> Int {
    rig.events.count { if case .battery = $0 { true } else { false } }
  }

  private static func shows(_ behaviour: PublishedPhoneBehaviour, _ rig: inout PhoneRig) throws -> Bool {
    switch behaviour {
    case .settling:
      _ = try rig.perform(.connect(.paired))
      _ = try rig.perform(.list)
      _ = rig.begin(.list)
      return rig.recorders[0].requests.count == 2
    case .enabling:
      _ = try rig.perform(.sync(.paired, finishes: false))
      let before = rig.recorders[0].subscribed
      _ = try rig.perform(.fileSystemStatus)
      let values = [DictofunHandle.generalStatus, DictofunHandle.fileSystemStatus]
      return !before.contains(DictofunHandle.fileSystemStatus)
        && before.contains(DictofunHandle.filesListContinuation) && rig.recorders[0].subscribed.suffix(2) == values
    case .patience:
      rig.recorders[0].isDeafToRequests = true
      let token = rig.begin(.sync(.paired, finishes: false))
      rig.pass(.seconds(3600))
      let isWaiting = rig.ended[token] == []
      rig.loseLink(.connectionTimeout)
      rig.pass(.seconds(1))
      #expect(rig.ended[token]?.count == 1, "the end of the link ends the wait")
      return isWaiting
    case .batteryOrder:
      let token = rig.begin(.sync(.paired, finishes: false))
      rig.run { !$0.recorders[0].requests.isEmpty }
      let isLate = Self.levels(rig) == 0
      rig.run { $0.ended[token] != [] }
      guard case .success(.synced(let summary)) = rig.ended[token]?.first else { return false }
      #expect(summary.battery == 84, "a late level still belongs to the sync")
      return isLate && summary.downloaded == 2
    case .batteryPeriod:
      _ = try rig.perform(.connect(.paired))
      rig.pass(.seconds(300))
      return Self.levels(rig) == 1 && !rig.recorders[0].subscribed.contains(DictofunHandle.batteryLevel)
    case .lowBattery:
      rig.recorders[0].battery = 0
      _ = try rig.perform(.sync(.paired, finishes: false))
      return rig.recorders[0].requests.contains { if case .fileData = $0 { true } else { false } }
    case .nothingNew:
      _ = try rig.perform(.sync(.paired, finishes: true))
      rig.recorders[0].requests = []
      _ = try rig.perform(.sync(.paired, finishes: true))
      return rig.recorders[0].requests == [.listFiles] && rig.connected != nil
    }
  }

  @Test func fetchesEverythingWithAllOfIt() throws {
    var rig = try Self.rig(PhoneProfile.published.behaviours, sizes: [0, 1, 300, 5000])
    guard case .success(.synced(let summary)) = try rig.perform(.sync(.paired, finishes: true)) else {
      Issue.record("the sync failed")
      return
    }
    #expect(summary.downloaded == 4)
    #expect(rig.recorders[0].requests.suffix(2) == [.fileSystemStatus, .receiveComplete])
    #expect(rig.connected == nil)
  }

  @Test func theReferenceDoesNothingOfIt() {
    var policies = PhonePolicies()
    for behaviour in PhoneProfile.reference.behaviours { behaviour.apply(to: &policies) }
    #expect(policies == PhonePolicies())
    for behaviour in PublishedPhoneBehaviour.allCases {
      var changed = PhonePolicies()
      behaviour.apply(to: &changed)
      #expect(changed != PhonePolicies(), "\(behaviour)")
    }
  }
}
