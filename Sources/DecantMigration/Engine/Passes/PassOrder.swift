internal import DecantMapping

/// What is wrong where nothing says in which order the mapping models of a pair run.
struct PassOrder {
  let message: String
  let advice: String

  /// `nil` where the order is known.
  init?(_ files: [FamilyMappingModel], from source: FamilyVersion, to destination: FamilyVersion) {
    let unplaced = files.filter { $0.order == nil }.map { "“\($0.file.name)”" }
    guard files.count > 1, let last = unplaced.last else { return nil }
    let names = unplaced.count == 1 ? last : unplaced.dropLast().joined(separator: ", ") + " and " + last
    message =
      "\(files.count) mapping models are for “\(source.name)” to “\(destination.name)”, and nothing says when "
      + "\(names) \(unplaced.count == 1 ? "runs" : "run")."
    advice =
      "Write all of them into family.json5, in the order in which they shall run: "
      + "order: [\(files.map { "\"\($0.file.name)\"" }.joined(separator: ", "))]."
  }
}
