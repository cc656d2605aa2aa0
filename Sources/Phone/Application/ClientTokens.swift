import HostStack

/// Numbers the procedures of the GATT client.
struct ClientTokens {
  private var last: UInt32 = 0

  /// A token that no procedure under way has.
  mutating func next() -> ClientToken {
    last &+= 1
    return ClientToken(last)
  }
}
