extension MappingCheck {
  /// Reports source entities whose objects no mapping model of the pair of versions takes or removes.
  ///
  /// They are reported only for a text, because Xcode's mapping models may leave entities out, as in Core Data. If
  /// there are several texts, only the first one by path gets the findings, so that no entity is reported twice.
  mutating func checkCoverage(_ passes: [MappingModel]) {
    guard isText, knowsMappings else { return }
    if mapping.others != nil, let other = passes.first(where: { $0.others != nil }) {
      report(
        "the mapping model “\(other.name)” of the same versions has “others”, too",
        "Keep “others” in only one of the mapping models")
      return
    }
    let all = [mapping] + passes
    let first = all.filter(\.isText).compactMap(\.path).min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard mapping.path == first, !all.contains(where: { $0.others != nil }) else { return }
    for name in MappingCoverage(all, from: source, to: destination).untaken {
      let addition =
        destination.entity(named: name) == nil
        ? "an entity mapping with source: \"\(name)\""
        : "{ source: \"\(name)\", destination: \"\(name)\" }"
      report(
        "no entity mapping takes objects of “\(name)”, so they would be lost",
        "Add \(addition), or say { remove: \"\(name)\" }, or others: \"infer\" for all entities that aren't named"
      )
    }
  }
}
