import Glibc

/// The variables that this process was started with (environ(7)).
package enum Environment {
  /// What a variable says, repaired where it is not UTF-8; `nil` where it is not set. Only the one is read:
  /// `ProcessInfo` makes a dictionary of all, which takes a twentieth of the time of `dictobench --help`.
  package static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The user's folder, by its whole path: what `HOME` says, or else the user database; `nil` where neither names one.
  package static var home: String? { home(stated: value("HOME")) }

  /// The same for what `HOME` says. A path that begins elsewhere than at the root would be another folder in each working
  /// directory, and names none.
  static func home(stated: String?) -> String? {
    [stated, recordedHome].lazy.compactMap { $0 }.first { $0.hasPrefix("/") }
  }

  /// What the user database says (getpwuid_r(3)).
  private static var recordedHome: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { texts in
      var record = passwd()
      var found: UnsafeMutablePointer<passwd>?
      let status = getpwuid_r(getuid(), &record, texts.baseAddress!, texts.count, &found)
      return status == 0 && found != nil ? record.pw_dir.map { String(cString: $0) } : nil
    }
  }
}
