import Glibc

/// The variables that this process was started with (environ(7)).
package enum Environment {
  /// What a variable says, repaired where it is not UTF-8; `nil` where it is not set. Only the one is read:
  /// `ProcessInfo` makes a dictionary of all, which takes a twentieth of the time of `dictobench --help`.
  package static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
