import Dispatch
import Synchronization

extension Array where Element: Sendable {
  /// What becomes of the elements, in their order. They are transformed at the same time, as far as there are processors.
  func mapSideBySide<Value: Sendable>(_ transform: @Sendable (Element) -> Value) -> [Value] {
    let values = Mutex([Value?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let value = transform(self[index])
      values.withLock { $0[index] = value }
    }
    return values.withLock { $0.compactMap(\.self) }
  }
}
