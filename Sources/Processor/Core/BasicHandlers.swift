/// Handlers of operations, by group of instructions. Each group's file adds its own.
enum Handlers {}

extension Handlers {
  /// Behind the last operation of a block that does not branch.
  static let endOfBlock: Handler = { core, step in Core(core).leaveBefore(Step(step)) }

  /// An operation in an IT block: executed if its condition holds, counted anyway.
  static let conditional: Handler = { core, step in
    let (c, o) = at(core, step)
    guard c.holds(o.pointer.pointee.condition) else { return c.next(o) }
    return c.context.pointee.block.pointee.inner[Int(o.pointer.pointee.index)](core, step)
  }

  static let undefined: Handler = { core, step in Core(core).fail(.undefined, Step(step), Step(step).value) }
  static let unpredictable: Handler = { core, step in Core(core).fail(.unpredictable, Step(step), Step(step).value) }
  static let missing: Handler = { core, step in
    let (c, o) = at(core, step)
    return c.fail(.executeUnmapped, o, o.address &+ 2)
  }

  static let nothing: Handler = { core, step in Core(core).next(Step(step)) }
}
