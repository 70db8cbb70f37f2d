internal import DecantMapping
internal import DecantModel

/// Tells what inferred steps on the ways to the target drop, each thing once.
///
/// What `acceptedLosses` of `family.json5` names is passed over, and so is what only abstract entities have.
struct DropCheck {
  /// One thing that goes away.
  private struct Drop: Hashable {
    let entity: String
    let property: String?
    let rename: String?
    let destination: String
  }

  private let family: Family
  /// In the order in which they were found.
  private var drops: [Drop] = []
  /// The versions whose stores lose it, by index.
  private var versions: [Drop: [Int]] = [:]

  init(_ family: Family) { self.family = family }

  /// Notes what the steps of a version's way drop.
  mutating func note(_ steps: [PathPlan.Step], of version: FamilyVersion) {
    for step in steps {
      guard case .inferred(let mapping) = step.work else { continue }
      for drop in Self.open(mapping.drops, of: family, in: step.source.model) {
        note(drop, to: step.destination.name, of: version)
      }
    }
  }

  private mutating func note(_ found: InferredMapping.Drop, to destination: String, of version: FamilyVersion) {
    let drop = Drop(
      entity: found.entity, property: found.property, rename: found.probableRename, destination: destination)
    if versions[drop] == nil { drops.append(drop) }
    if versions[drop]?.last != version.index { versions[drop, default: []].append(version.index) }
  }

  func fill(_ report: inout FamilyReport) {
    for drop in drops {
      report.add(
        .warning,
        Self.sentence(
          entity: drop.entity, property: drop.property, rename: drop.rename, destination: drop.destination,
          versions: names(versions[drop] ?? [])))
    }
    guard !drops.isEmpty else { return }
    report.add(.note, Self.advice)
  }

  /// The drops that somebody should know of.
  static func open(
    _ drops: [InferredMapping.Drop], of family: Family, in model: ManagedObjectModel
  ) -> [InferredMapping.Drop] {
    let accepted = family.configuration.acceptedLosses
    return drops.filter { drop in
      !drop.entities.isEmpty && !accepted.cover(entity: drop.entity, property: drop.property, in: model)
    }
  }

  /// - Parameter versions: The versions whose stores lose it, as words.
  static func sentence(
    entity: String, property: String?, rename: String?, destination: String, versions: String
  ) -> String {
    let what = property.map { "“\(entity).\($0)”" } ?? "Entity “\(entity)”"
    let hint = rename.map {
      " Probably “\($0)” is its new name: state that by a renaming identifier or in “renames”."
    }
    return "\(what) is dropped on the way to “\(destination)” from \(versions).\(hint ?? "")"
  }

  static let advice =
    "What is dropped on purpose is no warning where “acceptedLosses” in family.json5 names it, as \"Entity.property\" or "
    + "\"Entity\"."

  /// Versions as runs of their natural order.
  private func names(_ indexes: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for index in indexes.sorted() {
      if let last = runs.last, last.upperBound + 1 == index {
        runs[runs.count - 1] = last.lowerBound...index
      } else {
        runs.append(index...index)
      }
    }
    func name(_ index: Int) -> String { "“\(family.versions[index].name)”" }
    var words: [String] = []
    for run in runs {
      words +=
        run.count > 2
        ? ["\(name(run.lowerBound)) to \(name(run.upperBound)) (\(run.count) versions)"] : run.map(name)
    }
    let rest = words.count - Self.shown
    return rest > 1
      ? words.prefix(Self.shown).joined(separator: ", ") + " and \(rest) more"
      : words.joined(separator: ", ")
  }

  private static let shown = 6
}
