/// What is typed at the console and was not received yet.
struct ConsoleInput: Hashable, Sendable {
  var waiting: [UInt8] = []
}
