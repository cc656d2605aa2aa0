/// Something that sends and receives, as the medium knows it.
protocol AirStation: AnyObject {
  /// Name in draws and observations.
  var name: String { get }
  /// How it differs from other controllers.
  var profile: ControllerProfile { get }
  /// Its number on this air, which no other station ever gets.
  var station: Int { get }
}

/// A connection, as the medium knows it.
protocol AirLink: AnyObject {
  /// Packets may get lost from now on.
  func wake()
  /// How long it has kept the radio of its peripheral until now, in nanoseconds.
  var radioTime: UInt64 { get }
}
