internal import DecantCatalogue
internal import DecantMapping

/// The error for a pair of versions whose mapping models have no known order.
package struct UnknownPassOrder {
  let message: String
  let advice: String

  /// `nil` if the order is known.
  init?(_ files: [FamilyMappingModel], from source: FamilyVersion, to destination: FamilyVersion) {
    let unplaced = files.filter { $0.order == nil }
    let sharing = Set(files.compactMap(\.order)).sorted()
      .map { order in files.filter { $0.order == order } }
      .filter { $0.count > 1 }
    guard files.count > 1, !(unplaced.isEmpty && sharing.isEmpty) else { return nil }
    let all = "\(files.count) mapping models are for “\(source.name)” to “\(destination.name)”, and "
    message =
      unplaced.isEmpty
      ? all + sharing.map { "\(Self.list($0)) have the same “order”" }.joined(separator: "; ") + "."
      : "\(all)it isn't known when \(Self.list(unplaced)) \(unplaced.count == 1 ? "runs" : "run")."
    advice =
      "Write all of them into family.json5, in the order of their passes: "
      + "order: [\(files.map { "\"\($0.file.name)\"" }.joined(separator: ", "))]. "
      + (files.count == 2
        ? "If one of the two replaces the other, remove the other."
        : "Remove each mapping model that another one replaces.")
  }

  private static func list(_ files: [FamilyMappingModel]) -> String {
    let names = files.map { "“\($0.file.name)”" }
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
