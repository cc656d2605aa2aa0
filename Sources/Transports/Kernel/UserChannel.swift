import Bytes
import System

/// An adapter that the kernel has left to us: all packets of its controller come to this socket, and to nobody else
/// (HCI_CHANNEL_USER of BlueZ's `hci.h`).
struct UserChannel {
  let descriptor: FileDescriptor
  let index: UInt16
  /// The kernel's host drove it before, and gets it back.
  let wasUp: Bool

  /// Takes the adapter of that number.
  ///
  /// - Throws: ``AdapterTrouble/busy(_:)`` also while the kernel asks a freshly plugged adapter what it is, which takes
  ///   less than a second.
  static func take(_ index: UInt16, _ options: OpeningOptions, _ system: any HCISystem) throws(AdapterTrouble) -> Self {
    let socket = try asked(index) { () throws(SystemCallFailure) in try system.socket() }
    do throws(AdapterTrouble) {
      let wasUp = try prepare(index, on: socket, options, system)
      do throws(AdapterTrouble) {
        try asked(index) { () throws(SystemCallFailure) in try system.bindUserChannel(socket, index) }
      } catch {
        if wasUp { try? system.bringUp(socket, index) }
        throw error
      }
      return UserChannel(descriptor: socket, index: index, wasUp: wasUp)
    } catch {
      system.close(socket)
      throw error
    }
  }

  /// Takes the adapter away from the kernel's host; says whether that had it.
  private static func prepare(
    _ index: UInt16, on socket: FileDescriptor, _ options: OpeningOptions, _ system: any HCISystem
  ) throws(AdapterTrouble) -> Bool {
    let present = ((try? system.indices(socket)) ?? []).sorted().compactMap { try? system.adapter(socket, $0) }
    let adapter = try asked(index, present) { () throws(SystemCallFailure) in try system.adapter(socket, index) }
    guard adapter.state == .up else { return false }
    if !options.takesAdaptersInUse {
      let peers = try asked(index) { () throws(SystemCallFailure) in try system.peers(socket, index) }
      guard peers.isEmpty else { throw .hasLinks(peers.map(\.description)) }
    }
    try asked(index) { () throws(SystemCallFailure) in try system.takeDown(socket, index) }
    return true
  }

  private static func asked<Answer>(
    _ index: UInt16, _ present: [KernelAdapter] = [], _ question: () throws(SystemCallFailure) -> Answer
  ) throws(AdapterTrouble) -> Answer {
    do { return try question() } catch { throw trouble(error, index, present) }
  }

  /// Gives the adapter back.
  func close(_ system: any HCISystem) {
    system.close(descriptor)
    guard wasUp, let socket = try? system.socket() else { return }
    // Where bluetoothd was quicker, or the adapter is gone, nothing is left to do.
    try? system.bringUp(socket, index)
    system.close(socket)
  }

  /// How a user gets at the kernel's adapters.
  static let privilegeHint =
    "taking an adapter from the kernel needs CAP_NET_ADMIN; run as root, "
    + "or give it once with `sudo setcap cap_net_admin+ep` and the path of dictobench"

  /// How a radio is switched on.
  static let radioHint = "`rfkill unblock bluetooth` switches it on, unless a switch of the machine holds it off"

  /// What the failure of a call means for the person who wants an adapter.
  static func trouble(_ failure: SystemCallFailure, _ index: UInt16?, _ present: [KernelAdapter]) -> AdapterTrouble {
    let name = index.map { "hci\($0)" } ?? "the adapter"
    switch (failure.call, failure.code) {
    case ("socket", .addressFamilyNotSupported), ("socket", .protocolNotSupported):
      return .unsupportedHere(
        "this machine's kernel has no Bluetooth (no AF_BLUETOOTH sockets): load its module with `sudo modprobe bluetooth`, "
          + "or reach the adapter over USB or a serial line, which do not need it")
    case (_, .notPermitted), (_, .permissionDenied):
      return .permissionDenied(privilegeHint)
    case (_, .noSuchDevice):
      return .absent("there is no \(name)", present: present.map(\.description))
    case (_, .radioSwitchedOff):
      return .radioOff(radioHint)
    case ("HCIDEVDOWN", .busy):
      return .busy("another program holds \(name) through its user channel; stop it")
    case (_, .busy), (_, .alreadyInProgress):
      return .busy(
        "bluetoothd or another program drives \(name); `sudo systemctl stop bluetooth` or `bluetoothctl power off` frees it"
      )
    default: return .system(failure)
    }
  }
}
