internal import DecantRows

/// The source objects of a policy's entity mapping that have no object.
extension ExpectedObjects {
  /// Counts them: the filter excludes them, or the policy left them out, or deleted their objects.
  func tellLeftOut(_ compiled: RowMapping, _ findings: inout Findings) throws {
    // Without the code of the filter it isn't known which it excludes.
    guard !isOpaque else { return }
    let reader = try session.reading(compiled)
    var tally = ObjectTally()
    var last = Int64.min
    while true {
      let rows = try reader.next(after: last, upTo: .max)
      for row in 0..<rows.count {
        last = rows.key(row)
        guard try expected.lookup.destinations(of: Int(last), mapping: mapping.number).isEmpty,
          let source = session.source.present(row, of: rows, reader.batches)
        else { continue }
        do {
          let isTaken = try compiled.filter?.holds(in: session.evaluation(source)) ?? true
          if !isTaken {
            tally.filtered += 1
          } else if try expected.aside?.has(last, of: mapping.source) != true {
            tally.deleted += 1
          }
        } catch {
          tally.note(error: "\(error)", String(last))
        }
      }
      try session.endBatch()
      if rows.isLast { break }
    }
    tally.tellErrors(of: mapping, &findings)
    findings.expect(.filtered, entity: name, count: tally.filtered)
    findings.expect(.leftToPolicy, entity: name, count: tally.deleted)
  }
}
