/// Places for values that are moved in and out and never copied; a place that was left is used again.
///
/// A place counts how often it was left. A handle that carries that generation therefore never finds a later value.
struct Slab<Element: ~Copyable>: ~Copyable {
  private struct Place: ~Copyable {
    var element: Element?
    var generation: UInt32 = 0
    /// The place that was left before this one; itself in the last.
    var nextFree: UInt32 = 0
  }

  /// Memory of its own: an array would ask at every step whether it is shared.
  private var places: UnsafeMutablePointer<Place>
  private var capacity: Int
  /// Places that were ever used.
  private var count = 0
  /// The place that was left last, and how many there are.
  private var firstFree: UInt32 = 0
  private var freeCount = 0

  /// An empty slab.
  init() {
    capacity = 64
    places = .allocate(capacity: capacity)
  }

  deinit {
    places.deinitialize(count: count)
    places.deallocate()
  }

  /// Moves a value in; returns its place and the place's generation.
  @inline(__always)
  mutating func insert(_ element: consuming Element) -> (slot: UInt32, generation: UInt32) {
    if freeCount > 0 {
      let slot = firstFree
      let place = places + Int(slot)
      firstFree = place.pointee.nextFree
      freeCount -= 1
      place.pointee.element = consume element
      return (slot, place.pointee.generation)
    }
    if count == capacity { grow() }
    (places + count).initialize(to: Place(element: consume element))
    count += 1
    return (UInt32(count - 1), 0)
  }

  /// Whether the value that went in with this generation is still in its place.
  func holds(_ slot: UInt32, _ generation: UInt32) -> Bool {
    Int(slot) < count && places[Int(slot)].generation == generation
  }

  /// Moves the value of a place out; `nil` when the place is free.
  @inline(__always)
  mutating func take(_ slot: UInt32) -> Element? {
    let place = places + Int(slot)
    guard let element = place.pointee.element.take() else { return nil }
    place.pointee.generation &+= 1
    place.pointee.nextFree = firstFree
    firstFree = slot
    freeCount += 1
    return element
  }

  private mutating func grow() {
    let wider = UnsafeMutablePointer<Place>.allocate(capacity: capacity * 2)
    wider.moveInitialize(from: places, count: count)
    places.deallocate()
    places = wider
    capacity *= 2
  }
}
