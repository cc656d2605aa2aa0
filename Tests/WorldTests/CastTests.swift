import Bytes
import HCI
import Requirements
import Testing
import Timeline
import Trace

@testable import World

/// Whom a world takes for its own, and whom for a stranger.
@Suite struct Casts {
  private static let ours = BluetoothAddress(0xC605_0403_0201, .random)
  private static let neighbours = BluetoothAddress(0xC605_0403_0299, .random)
  private static let bootloader = BluetoothAddress(0xC605_0403_0202, .random)

  private static func heard(_ address: BluetoothAddress, isRecorder: Bool = true) -> ProductEvent {
    ProductEvent(
      at: .zero, from: .phone(0), .advertisementHeard(address, isRecorder: isRecorder, signalStrength: -40))
  }

  private static func linked(_ address: BluetoothAddress) -> ProductEvent {
    let parameters = LELinkParameters(intervalUnits: 12, latency: 0, supervisionTimeoutUnits: 400)
    return ProductEvent(at: .zero, from: .phone(0), link: 1, peer: address, .linkUp(role: .central, parameters))
  }

  @Test func strangersAreNotedOnceAndNeverMet() {
    var casting = Casting(.only([Self.ours]))
    #expect(casting.role(in: Self.heard(Self.ours)) == .member)
    #expect(casting.role(in: Self.heard(Self.bootloader)) == .member)
    guard case .stranger(let words?) = casting.role(in: Self.heard(Self.neighbours)) else {
      Issue.record("the neighbour's recorder is not noted")
      return
    }
    #expect(words.hasSuffix("is ignored: \(Self.neighbours)"))
    #expect(casting.role(in: Self.heard(Self.neighbours)) == .stranger(nil))
    #expect(casting.role(in: Self.linked(Self.ours)) == .member)
    guard case .intruder = casting.role(in: Self.linked(Self.neighbours)) else {
      Issue.record("a link to the neighbour's recorder is no trouble")
      return
    }
  }

  @Test func whereNobodyIsNamedOneAloneIsMeant() {
    var casting = Casting(.onlyOneInSight)
    #expect(casting.role(in: Self.heard(Self.neighbours, isRecorder: false)) == .member)
    #expect(casting.role(in: Self.heard(Self.ours)) == .member)
    #expect(casting.role(in: Self.heard(Self.ours)) == .member)
    #expect(casting.role(in: Self.linked(Self.ours)) == .member)
    guard case .intruder(let words) = casting.role(in: Self.heard(Self.neighbours)) else {
      Issue.record("a second recorder is no trouble")
      return
    }
    #expect(words.contains("name the one under test with --device"))
  }

  @Test func aSimulatedWorldKnowsNoStrangers() {
    var casting = Casting(.everybody)
    #expect(casting.role(in: Self.heard(Self.neighbours)) == .member)
    #expect(casting.role(in: Self.linked(Self.neighbours)) == .member)
  }
}
