/// Places for values that are moved in and out and never copied; a place that was left is used again.
///
/// A place counts how often it was left. A handle that carries that generation therefore never finds a later value.
struct Slab<Element: ~Copyable>: ~Copyable {
  private var elements: UnsafeMutablePointer<Element?>
  private var generations: [UInt32] = []
  private var free: [UInt32] = []
  private var capacity: Int

  /// An empty slab.
  init() {
    capacity = 64
    elements = .allocate(capacity: capacity)
  }

  deinit {
    elements.deinitialize(count: generations.count)
    elements.deallocate()
  }

  /// Moves a value in; returns its place and the place's generation.
  mutating func insert(_ element: consuming Element) -> (slot: UInt32, generation: UInt32) {
    if let slot = free.popLast() {
      elements[Int(slot)] = consume element
      return (slot, generations[Int(slot)])
    }
    let slot = generations.count
    if slot == capacity { grow() }
    (elements + slot).initialize(to: consume element)
    generations.append(0)
    return (UInt32(slot), 0)
  }

  /// Whether the value that went in with this generation is still in its place.
  func holds(_ slot: UInt32, _ generation: UInt32) -> Bool {
    Int(slot) < generations.count && generations[Int(slot)] == generation
  }

  /// Moves the value of a place out; `nil` when the place is free.
  mutating func take(_ slot: UInt32) -> Element? {
    guard let element = elements[Int(slot)].take() else { return nil }
    generations[Int(slot)] &+= 1
    free.append(slot)
    return element
  }

  private mutating func grow() {
    let wider = UnsafeMutablePointer<Element?>.allocate(capacity: capacity * 2)
    wider.moveInitialize(from: elements, count: capacity)
    elements.deallocate()
    elements = wider
    capacity *= 2
  }
}
