internal import DecantModel

extension ModelTraits {
  /// The changes outside entities.
  static func changes(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> [ModelDifference.ModelChange] {
    changes(
      "configuration",
      of(source.configurations.map { ($0.name, ["entities": $0.entityNames.joined(separator: ", ")]) }),
      of(destination.configurations.map { ($0.name, ["entities": $0.entityNames.joined(separator: ", ")]) }))
      + changes(
        "fetch request", of(source.fetchRequests.map { ($0.name, ["request": text($0)]) }),
        of(destination.fetchRequests.map { ($0.name, ["request": text($0)]) }))
      + identifiers(source.versionIdentifiers, destination.versionIdentifiers)
  }

  private static func of(_ items: [(String, List)]) -> [String: List] {
    Dictionary(items) { first, _ in first }
  }

  private static func changes(
    _ sort: String, _ before: [String: List], _ after: [String: List]
  ) -> [ModelDifference.ModelChange] {
    Set(before.keys).union(after.keys).sorted(by: NameOrder.codePoints).compactMap { name in
      let details = differences(before[name] ?? [:], after[name] ?? [:]).map(withoutEffect)
      guard !details.isEmpty || (before[name] == nil) != (after[name] == nil) else { return nil }
      return .init(
        kind: before[name] == nil ? .added : after[name] == nil ? .removed : .changed, sort: sort, name: name,
        details: details)
    }
  }

  private static func identifiers(_ before: [String], _ after: [String]) -> [ModelDifference.ModelChange] {
    func text(_ identifiers: [String]) -> String? {
      let named = identifiers.filter { !$0.isEmpty }.sorted()
      return named.isEmpty ? nil : named.joined(separator: ", ")
    }
    let details = differences(
      ["version identifiers": text(before)].compactMapValues { $0 },
      ["version identifiers": text(after)].compactMapValues { $0 }
    ).map(withoutEffect)
    return details.isEmpty
      ? [] : [.init(kind: .changed, sort: "model", name: "", details: details)]
  }

  private static func withoutEffect(_ detail: ModelDifference.Detail) -> ModelDifference.Detail {
    .init(what: detail.what, from: detail.from, to: detail.to, effect: .none)
  }
}
