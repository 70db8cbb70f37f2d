internal import DecantModel

protocol Renamable {
  var name: String { get }
  var renamingIdentifier: String? { get }
}

extension Entity: Renamable {}
extension Attribute: Renamable {}
extension Relationship: Renamable {}

/// The source element that each destination element continues (docs/formats/inference.md 1.2).
///
/// A stated rename is the strongest evidence, before renaming identifiers and equal names. The weak evidence of
/// `matchWeakly` never takes an element that is already matched, and never decides between two elements.
struct NameMatching {
  /// Source names by destination names.
  private(set) var sources: [String: String] = [:]
  /// The old names of the destination elements with several stated renames.
  private(set) var severalStated: [String: [String]] = [:]

  private let source: [String: any Renamable]
  private let byIdentifier: [String: [String]]

  /// - Parameters:
  ///   - stated: The stated old names by new names.
  ///   - older: Gives, for a name, the renaming identifiers of elements with this name in all versions of the family.
  init(
    _ destination: [any Renamable], to source: [any Renamable], stated: [String: Set<String>],
    older: (String) -> Set<String>
  ) {
    self.source = Dictionary(source.map { ($0.name, $0) }) { first, _ in first }
    byIdentifier = Dictionary(grouping: source.filter { $0.renamingIdentifier != nil }) {
      $0.renamingIdentifier ?? $0.name
    }.mapValues { $0.map(\.name) }
    let names = Set(destination.map(\.name))
    for element in destination {
      let old = (stated[element.name] ?? []).filter { name in
        self.source[name] != nil
          && (name == element.name || !(names.contains(name) && self.source[element.name] != nil))
      }.sorted(by: NameOrder.codePoints)
      if old.count > 1 { severalStated[element.name] = old }
      sources[element.name] = old.first
    }
    let taken = Set(sources.values)
    for element in destination where sources[element.name] == nil {
      if let name = direct(element), !taken.contains(name) { sources[element.name] = name }
    }
    matchWeakly(destination) { name in older(name).union(stated[name] ?? []) }
  }

  /// The source elements that several destination elements continue, with those destination elements in name order.
  var shared: [(source: String, destinations: [String])] {
    Dictionary(grouping: sources.keys) { sources[$0] ?? $0 }
      .filter { $0.value.count > 1 }
      .map { ($0.key, $0.value.sorted(by: NameOrder.codePoints)) }
      .sorted { NameOrder.codePoints($0.0, $1.0) }
  }

  private func direct(_ element: any Renamable) -> String? {
    guard let identifier = element.renamingIdentifier, identifier != element.name else {
      return source[element.name]?.name
    }
    if let same = source[element.name], same.renamingIdentifier == identifier { return same.name }
    if let named = source[identifier], named.renamingIdentifier ?? named.name == named.name {
      return named.name
    }
    if let canonical = byIdentifier[identifier], canonical.count == 1 { return canonical[0] }
    return source[identifier]?.name
  }

  private mutating func matchWeakly(_ destination: [any Renamable], _ older: (String) -> Set<String>) {
    let taken = Set(sources.values)
    var found: [String: [String]] = [:]
    for element in destination where sources[element.name] == nil {
      guard let name = weak(element, free: { !taken.contains($0) }, older) else { continue }
      found[name, default: []].append(element.name)
    }
    for (name, elements) in found where elements.count == 1 { sources[elements[0]] = name }
  }

  private func weak(
    _ element: any Renamable, free: (String) -> Bool, _ older: (String) -> Set<String>
  ) -> String? {
    if source[element.name] != nil, free(element.name) { return element.name }
    if let names = byIdentifier[element.name]?.filter(free), names.count == 1 { return names[0] }
    var seen: Set<String> = [element.name]
    if let identifier = element.renamingIdentifier { seen.insert(identifier) }
    var level = seen
    while !level.isEmpty {
      level = level.reduce(into: Set<String>()) { $0.formUnion(older($1)) }.subtracting(seen)
      seen.formUnion(level)
      let hits = level.reduce(into: Set<String>()) { hits, name in
        if source[name] != nil { hits.insert(name) }
        hits.formUnion(byIdentifier[name] ?? [])
      }.filter(free)
      if hits.count > 1 { return nil }
      if let hit = hits.first { return hit }
    }
    return nil
  }
}
