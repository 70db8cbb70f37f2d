internal import CSQLite
internal import DecantSQLite
internal import Foundation
internal import PredicateFormat

/// Aggregates that collect the values of a subquery, in its order, into one tagged collection.
enum GatheringFunctions {
  private final class Members {
    var values: [Value] = []
    var failure: (any Error)?
  }

  static func register(in database: SQLiteDatabase) throws(SQLiteError) {
    let step: SQLFunction.Call = { context, _, values in
      guard let members = GatheringFunctions.members(context), members.failure == nil else { return }
      do {
        guard let code = LeafCode(SQLFunction.text(values, 0)) else { throw TaggedValue.Malformed() }
        members.values.append(try code.value(SQLFunction.value(values, 1)))
      } catch {
        members.failure = error
      }
    }
    try SQLFunction.registerAggregate(
      ExpressionFunctions.list, arguments: 2, in: database, step: step,
      finish: { context in GatheringFunctions.finish(context) { .array($0) } })
    try SQLFunction.registerAggregate(
      ExpressionFunctions.set, arguments: 2, in: database, step: step,
      finish: { context in GatheringFunctions.finish(context) { .set($0) } })
  }

  private static func finish(_ context: OpaquePointer?, _ make: ([Value]) -> Value) {
    let members = take(context)
    SQLFunction.answer(context) {
      if let failure = members?.failure { throw failure }
      return try TaggedValue.sqlite(make(members?.values ?? []))
    }
  }

  private static func members(_ context: OpaquePointer?) -> Members? {
    let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let place = sqlite3_aggregate_context(context, size) else { return nil }
    // SQLite gives zeroed memory on the first call.
    let slot = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    if let known = slot.pointee { return Unmanaged<Members>.fromOpaque(known).takeUnretainedValue() }
    let members = Members()
    slot.pointee = Unmanaged.passRetained(members).toOpaque()
    return members
  }

  /// Takes ownership of the members from SQLite; `nil` if there was no row.
  private static func take(_ context: OpaquePointer?) -> Members? {
    guard let place = sqlite3_aggregate_context(context, 0) else { return nil }
    let slot = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    guard let known = slot.pointee else { return nil }
    slot.pointee = nil
    return Unmanaged<Members>.fromOpaque(known).takeRetainedValue()
  }
}
