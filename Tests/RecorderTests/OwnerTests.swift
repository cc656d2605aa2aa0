import Bytes
import DictofunProtocol
import HostStack
import Testing
import Timeline

@testable import Recorder

/// Whom a recorder admits, and how the published firmware differs.
@Suite struct OwnerTests {
  private static func bond(_ identity: BluetoothAddress) -> Bond {
    Bond(
      identity: identity, localKey: nil, peerKey: nil, peerIdentityResolvingKey: nil, secureConnections: false)
  }

  /// A recorder that serves, with these owners, and whose button was used long ago.
  private static func bench(
    owners: [BluetoothAddress], _ profile: RecorderProfile = .reference
  ) -> RecorderBench {
    var bench = RecorderBench.serving {
      $0.profile = profile
      $0.staysAwake = true
      $0.bonds = owners.map(bond)
    }
    bench.run(for: .seconds(31))
    return bench
  }

  /// Whether a phone that asks to pair is accepted; `nil` where the stack decides.
  private static func answer(_ bench: inout RecorderBench, keepsKeys: Bool = true) -> Bool? {
    bench.hear(.pairingRequested(RecorderBench.link, bonded: false, keepsKeys: keepsKeys))
    guard case .answerPairing(_, let isAccepted)? = bench.requests.last else { return nil }
    return isAccepted
  }

  @Test func pairsWithTheFirstWhoComesAndAsksForKeptKeys() {
    var bench = Self.bench(owners: [])
    bench.connect(isSecured: false)
    #expect(Self.answer(&bench, keepsKeys: false) == false)
    #expect(Self.answer(&bench) == true)
  }

  @Test func pairsWithAnotherOnlyAfterItsButtonWasUsed() {
    var bench = Self.bench(owners: [RecorderBench.phone])
    bench.connect(isSecured: false)
    #expect(Self.answer(&bench) == false)
    bench.act(.pressButton)
    #expect(Self.answer(&bench) == true)
    bench.act(.releaseButton)
    bench.run(for: .seconds(29))
    bench.connect(isSecured: false)
    #expect(Self.answer(&bench) == true)
    bench.run(for: .seconds(2))
    #expect(Self.answer(&bench) == false)
  }

  @Test func pairsWithAnotherForAWhileAfterTheFirst() {
    var bench = Self.bench(owners: [])
    bench.connect(isSecured: false)
    bench.hear(.bondCreated(RecorderBench.link, Self.bond(RecorderBench.phone)))
    bench.run(for: .seconds(29))
    #expect(Self.answer(&bench) == true)
    bench.run(for: .seconds(2))
    #expect(Self.answer(&bench) == false)
  }

  @Test func openPairingAdmitsStrangersAndKnownPhonesAtAnyTime() {
    var bench = Self.bench(owners: [RecorderBench.phone], .reference.withOpenPairing)
    bench.connect(isSecured: false)
    let before = bench.count { if case .disconnect = $0 { true } else { false } }
    bench.run(for: .seconds(95))
    #expect(bench.count { if case .disconnect = $0 { true } else { false } } == before)
    #expect(Self.answer(&bench) == true)
    #expect(Self.answer(&bench, keepsKeys: false) == false)
    var new = Self.bond(RecorderBench.phone)
    new.secureConnections.toggle()
    bench.hear(.bondCreated(RecorderBench.link, new))
    #expect(bench.recorder.body.bonds == [new])
  }

  @Test func openPairingHidesNeitherFaultsNorPublishedBehaviour() {
    var profile = RecorderProfile.reference.withOpenPairing
    profile.faults.security.neverPairsAgain = true
    var bench = Self.bench(owners: [RecorderBench.phone], profile)
    bench.connect(isSecured: false)
    #expect(Self.answer(&bench) == false)
    #expect(RecorderProfile.published.withOpenPairing == .published)
  }

  @Test func theStackOfThePublishedFirmwareDecidesAlone() {
    var policies: [PairingPolicy] = []
    for profile in [RecorderProfile.reference, .published] {
      let bench = Self.bench(owners: [], profile)
      policies += bench.requests.prefix(4).compactMap {
        if case .start(let configuration) = $0 { configuration.pairingPolicy } else { nil }
      }
    }
    #expect(policies == [.ask, .acceptUnlessBonded])
  }

  @Test(arguments: [(RecorderProfile.reference, false, true), (.reference, true, false), (.published, false, false)])
  func keepsTheKeysOfWhoPairsAgain(profile: RecorderProfile, isFaulty: Bool, keepsNew: Bool) {
    var profile = profile
    profile.faults.security.keepsOldKeys = isFaulty
    let old = Self.bond(RecorderBench.phone)
    var new = old
    new.secureConnections.toggle()
    var bench = Self.bench(owners: [RecorderBench.phone], profile)
    bench.connect(isSecured: false)
    bench.hear(.bondCreated(RecorderBench.link, new))
    #expect(bench.recorder.body.bonds == [keepsNew ? new : old])
    let told = bench.requests.compactMap { if case .setBonds(let bonds) = $0 { bonds } else { nil } }
    #expect(told == (keepsNew ? [[old]] : [[old], [old]]))
  }

  @Test(arguments: [(RecorderProfile.reference, [RecorderBench.guest]), (.published, [])])
  func unpairs(profile: RecorderProfile, left: [BluetoothAddress]) {
    var bench = Self.bench(owners: [RecorderBench.phone, RecorderBench.guest], profile)
    bench.connect(isBonded: true)
    bench.hear(.attributeWritten(RecorderBench.link, AttributeHandle(DictofunHandle.pairing), [0xAD]))
    #expect(bench.recorder.body.bonds.map(\.identity) == left)
  }

  @Test(arguments: [(RecorderProfile.reference, true), (.published, false)])
  func endsTheLinkOfAStranger(profile: RecorderProfile, ends: Bool) {
    var bench = Self.bench(owners: [RecorderBench.phone], profile)
    bench.connect(isSecured: false)
    bench.run(for: .seconds(29))
    let before = bench.count { if case .disconnect = $0 { true } else { false } }
    bench.run(for: .seconds(2))
    let after = bench.count { if case .disconnect = $0 { true } else { false } }
    #expect(after - before == (ends ? 1 : 0))
  }

  @Test func namesOfProfilesTellWhatThePublishedFirmwareDoes() {
    let profile = RecorderProfile.reference.with(PublishedBehaviour.pairing)
    #expect(profile.name == "reference+published-pairing")
    #expect(RecorderProfile.named(profile.name) == profile)
    #expect(RecorderProfile.named("reference+published-nothing") == nil)
    #expect(RecorderProfile.named("firmware-1.4")?.policies.powerCut == .losesEverything)
    for behaviour in PublishedBehaviour.allCases {
      #expect(RecorderProfile.reference.with(behaviour).policies != RecorderPolicies(), "\(behaviour)")
    }
  }

  /// Whom it admitted may stay while the pairing lasts, however slow the link is.
  @Test func leavesALinkOnWhichItPairs() {
    var bench = Self.bench(owners: [RecorderBench.phone])
    bench.act(.pressButton)
    bench.act(.releaseButton)
    bench.run(for: .seconds(2))
    bench.connect(isSecured: false)
    bench.run(for: .seconds(27))
    #expect(Self.answer(&bench) == true)
    let disconnections = bench.count { if case .disconnect = $0 { true } else { false } }
    bench.run(for: .seconds(10))
    #expect(bench.count { if case .disconnect = $0 { true } else { false } } == disconnections)
    bench.hear(.pairingFailed(RecorderBench.link, .timeout, byPeer: false))
    #expect(bench.count { if case .disconnect = $0 { true } else { false } } == disconnections + 1)
  }
}
