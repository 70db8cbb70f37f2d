internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import FileNames

/// Reports what inferred steps on the paths to the target drop, one finding for each dropped entity or property.
///
/// Relationships that lose their order are reported, too. `DropFate` decides which drops are reported.
struct DropCheck {
  private struct Subject: Hashable {
    let entity: String
    let property: String?
  }

  /// The places where a subject is dropped, and its probable new names.
  private struct Story {
    /// The names of the versions that have no place for the subject, in the order of discovery.
    var destinations: [FileName] = []
    /// For each destination, the indexes of the versions whose stores lose the subject there.
    var versions: [FileName: [Int]] = [:]
    var renames: [String] = []
  }

  private let family: Family
  /// In the order of discovery.
  private var subjects: [Subject] = []
  private var stories: [Subject: Story] = [:]
  /// Sentences about the relationships that lose their order, in the order of discovery.
  private var unordered: [String] = []

  init(_ family: Family) { self.family = family }

  mutating func note(_ steps: [PathPlan.Step], of version: FamilyVersion) {
    let fate = DropFate(steps, of: family)
    for (index, step) in steps.enumerated() {
      guard case .inferred(let mapping) = step.work else { continue }
      for drop in mapping.drops where fate.isOpen(drop, step: index) {
        note(drop, to: FileName(step.destination.name), of: version)
      }
      for found in Self.unordered(mapping.mappingModel.entityMappings, step)
      where fate.isOpen(.relationship, found.relationship, of: [found.declaring, found.entity], step: index) {
        let text =
          "“\(found.declaring).\(found.relationship)” loses its order on the path to “\(step.destination.name)”, where "
          + "the relationship isn't ordered."
        if !unordered.contains(text) { unordered.append(text) }
      }
    }
  }

  private mutating func note(_ drop: InferredMapping.Drop, to destination: FileName, of version: FamilyVersion)
  {
    let subject = Subject(entity: drop.entity, property: drop.property)
    if stories[subject] == nil { subjects.append(subject) }
    var story = stories[subject] ?? Story()
    if story.versions[destination] == nil { story.destinations.append(destination) }
    if story.versions[destination]?.last != version.index {
      story.versions[destination, default: []].append(version.index)
    }
    if let rename = drop.probableRename, !story.renames.contains(rename) { story.renames.append(rename) }
    stories[subject] = story
  }

  /// The ordered relationships of the source whose destination relationship is to-many and not ordered.
  private static func unordered(
    _ mappings: [EntityMapping], _ step: PathPlan.Step
  ) -> [(declaring: String, entity: String, relationship: String)] {
    var found: [(declaring: String, entity: String, relationship: String)] = []
    for mapping in mappings {
      guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName else {
        continue
      }
      for row in mapping.relationshipMappings {
        guard let name = row.sourceName,
          step.source.model.relationship(name, of: source)?.isOrdered == true,
          let next = step.destination.model.relationship(row.destinationName, of: destination), next.isToMany,
          !next.isOrdered
        else { continue }
        found.append((step.source.model.topmostEntity(declaring: name, of: source), source, name))
      }
    }
    return found
  }

  func fill(_ report: inout FamilyReport) {
    for text in unordered { report.add(.warning, text) }
    for subject in subjects {
      guard let story = stories[subject] else { continue }
      let ways = story.destinations.map { Self.way(to: $0.text, from: names(story.versions[$0] ?? [])) }
      report.add(
        .warning,
        Self.sentence(entity: subject.entity, property: subject.property, ways: ways, renames: story.renames))
    }
    guard !subjects.isEmpty || !unordered.isEmpty else { return }
    report.add(.note, Self.advice)
  }

  /// The drops of a mapping model that aren't accepted, without those that only abstract entities have.
  static func open(
    _ drops: [InferredMapping.Drop], of family: Family, in model: ManagedObjectModel
  ) -> [InferredMapping.Drop] {
    let accepted = family.configuration.acceptedLosses
    return drops.filter { drop in
      !drop.entities.isEmpty && !accepted.cover(entity: drop.entity, property: drop.property, in: model)
    }
  }

  static func way(to destination: String, from versions: String) -> String {
    "on the path to “\(destination)” from \(versions)"
  }

  static func sentence(entity: String, property: String?, ways: [String], renames: [String]) -> String {
    let what = property.map { "“\(entity).\($0)”" } ?? "Entity “\(entity)”"
    let names = renames.map { "“\($0)”" }.joined(separator: " or ")
    let hint =
      renames.isEmpty
      ? "" : " Probably \(names) is its new name: state that by a renaming identifier or in “renames”."
    return "\(what) is dropped \(ways.joined(separator: ", and ")).\(hint)"
  }

  static let advice =
    "A dropped item isn't a warning if “acceptedLosses” in family.json5 names it, as \"Entity.property\" or "
    + "\"Entity\"."

  /// The names of versions, as text.
  ///
  /// Three or more consecutive versions become a range.
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
