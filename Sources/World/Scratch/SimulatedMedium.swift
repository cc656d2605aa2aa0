import HCI
import HostStack
import Timeline

public enum MediumRole { case phone, recorder }
public final class SimulatedMedium: AirControl {
  final class Pipe: PacketPipe {
    weak var receiver: (any PacketReceiver)?
    unowned let medium: SimulatedMedium
    let side: Int
    init(_ m: SimulatedMedium, _ s: Int) { medium = m; side = s }
    func send(_ packet: HCIPacket) {
      medium.loop.schedule(after: .microseconds(500)) { [medium, side] in
        medium.pair.take(packet, from: side) { to, up in
          medium.loop.schedule(after: .milliseconds(4)) { medium.pipes[to]?.receiver?.receive(up) }
        }
      }
    }
    func close() {}
  }
  let loop: EventLoop
  var pair = ControllerPair()
  var pipes: [Pipe?] = [nil, nil]
  public init(loop: EventLoop) { self.loop = loop }
  public func attach(_ name: String, _ role: MediumRole) -> any PacketPipe {
    let side = role == .phone ? 0 : 1
    let p = Pipe(self, side); pipes[side] = p; return p
  }
  public func lose(partsPerMillion: UInt32, _ direction: AirDirection) throws(ControlFailure) {}
  public func interrupt() throws(ControlFailure) {}
  public func mend() throws(ControlFailure) {}
  public func plant(_ f: String) throws(ControlFailure) {}
  public func setDistance(millimetres: Int) throws(ControlFailure) {}
}
