internal import DecantRows

/// The source objects of a policy's entity mapping that are associated with no destination object.
extension ExpectedObjects {
  /// Counts these source objects, except those with a quarantined object.
  func tellLeftOut(_ compiled: RowMapping, _ findings: inout Findings) throws {
    // Without the filter's code, it isn't known which objects the filter excludes.
    guard !isOpaque else { return }
    var tally = ObjectTally()
    try eachSource(compiled) { source, key in
      guard try expected.lookup.destinations(of: Int(key), mapping: mapping.number).isEmpty else { return }
      do {
        let isTaken = try compiled.filter?.holds(in: session.evaluation(source)) ?? true
        if !isTaken {
          tally.filtered += 1
        } else if try expected.aside?.has(key, of: mapping.source) != true {
          tally.deleted += 1
        }
      } catch {
        tally.note(error: "\(error)", String(key))
      }
    }
    tally.tellErrors(of: mapping, &findings)
    findings.expect(.filtered, entity: name, count: tally.filtered)
    findings.expect(.leftToPolicy, entity: name, count: tally.deleted)
  }
}
