import Transports
import World

/// What the checks of obstacles have in common: each adapter has it in its way, or not.
private func finding(
  _ examination: Examination, free: String, _ obstacle: (AdapterSight) -> AdapterTrouble?
) -> Finding? {
  if examination.adapters.isEmpty { return nil }
  for adapter in examination.adapters {
    if let trouble = obstacle(adapter) { return .failed(BenchFault(trouble, at: adapter.specification)) }
  }
  return .ready(free)
}

/// Whether this user may take the adapter: CAP_NET_ADMIN, or the device's file.
struct PermissionCheck: BenchCheck {
  let name = "permission"
  let needs = ["adapter"]

  func look(_ examination: inout Examination) -> Finding? {
    finding(examination, free: "this user may take it", \.permissionTrouble)
  }
}

/// Whether the adapter's radio is on (rfkill).
struct RadioCheck: BenchCheck {
  let name = "radio"
  let needs = ["adapter"]

  func look(_ examination: inout Examination) -> Finding? {
    finding(examination, free: "switched on", \.radioTrouble)
  }
}

/// Whether somebody else uses the adapter.
struct OwnerCheck: BenchCheck {
  let name = "owner"
  let needs = ["adapter"]

  func look(_ examination: inout Examination) -> Finding? {
    let takes = examination.subject.takesAdaptersInUse
    let found = finding(examination, free: "nobody else uses it") { adapter in
      if takes, case .hasLinks? = adapter.ownerTrouble { return nil }
      return adapter.ownerTrouble
    }
    guard var finding = found else { return nil }
    let isShared = examination.adapters.contains { $0.state == .up }
    if finding.outcome == .ready, isShared, !examination.machine.running(["bluetoothd"]).isEmpty {
      finding = .ready(
        "bluetoothd drives it, without connections; it is taken for a run and given back",
        advice: "`sudo systemctl stop bluetooth` keeps bluetoothd from taking it back in between")
    }
    return finding
  }
}

/// Whether the rules are installed that spare users root.
struct RuleCheck: BenchCheck {
  let name = "rules"

  /// The rules' file, and the folders that udev reads.
  private static let file = "60-dictobench.rules"
  private static let folders = [
    "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
  ]

  func look(_ examination: inout Examination) -> Finding? {
    let tree = examination.machine.tree
    if let folder = Self.folders.first(where: { tree.exists("\($0)/\(Self.file)") }) {
      return .ready("installed in \(folder)")
    }
    guard examination.adapters.contains(where: { $0.way != .kernel }) else {
      return .ready("not installed, and not needed here")
    }
    return .ready(
      "not installed", advice: "copy ci/\(Self.file) into /etc/udev/rules.d, so that dongles need no root")
  }
}
