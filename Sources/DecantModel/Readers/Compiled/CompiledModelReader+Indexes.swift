internal import Foundation
internal import KeyedArchive
internal import PredicateFormat

extension CompiledModelReader {
  /// Converts an entity's indexes back into the forms of the source (docs/formats/core-data-sqlite.md 5.2, 5.3).
  ///
  /// Newer compilers write every index as a fetch index. Older compilers write only the marks of indexed attributes and
  /// the compound indexes.
  mutating func takeIndexes(of node: ArchiveNode, into entity: inout Entity) throws {
    let compound = try node.stringLists("NSCompoundIndexes", &allowance) ?? []
    guard let members = try node.list("NSFetchIndexDescriptions", &allowance) else {
      entity.compoundIndexes = compound
      return
    }
    var indexes: [FetchIndex] = []
    for member in members { indexes.append(try fetchIndex(member, of: entity.name)) }
    if isStoresOwn { entity.listedIndexes = indexes }
    let marked = Set(entity.attributes.filter(\.isIndexed).map(\.name))
    for index in indexes {
      let names = index.elements.map(\.property)
      if !index.isPlain {
        entity.fetchIndexes.append(index)
      } else if names.count == 1 {
        if names[0] != index.name || !marked.contains(index.name) { entity.fetchIndexes.append(index) }
      } else if index.name == names.joined(separator: "_") {
        entity.compoundIndexes.append(names)
      } else {
        entity.fetchIndexes.append(index)
      }
    }
    // The list of compound indexes may be empty, and may repeat the fetch indexes.
    let known = Set(entity.compoundIndexes + entity.fetchIndexes.map { $0.elements.map(\.property) })
    entity.compoundIndexes += compound.filter { !known.contains($0) }
    let implied = Set(entity.fetchIndexes.compactMap { $0.impliedMark })
    for place in entity.attributes.indices where implied.contains(entity.attributes[place].name) {
      entity.attributes[place].isIndexed = false
    }
  }

  private mutating func fetchIndex(_ node: ArchiveNode, of entity: String) throws -> FetchIndex {
    let node = try Self.object(node, of: "NSFetchIndexDescription")
    var index = FetchIndex(name: try node.requiredString("NSIndexName"), elements: [])
    return try ArchivePlace.at("fetch index “\(entity).\(index.name)”") {
      if let predicate = try node.member("NSPartialIndexPredicate") {
        index.partialIndexPredicate = try FormatPredicate(archive: predicate, allowance: &allowance).description
      }
      for part in try node.list("NSIndexElements", &allowance) ?? [] {
        let part = try Self.object(part, of: "NSFetchIndexElementDescription")
        let kind: FetchIndex.Element.Kind
        switch try part.integer("NSFetchIndexElementType") ?? 0 {
        case 0: kind = .binary
        case 1: kind = .rTree
        case let code:
          throw ModelError.badValue(
            element: "fetch index “\(entity).\(index.name)”", attribute: "NSFetchIndexElementType",
            value: "\(code)", expected: "0 or 1")
        }
        index.elements.append(
          FetchIndex.Element(
            property: try part.requiredString("NSPropertyName"), kind: kind,
            isAscending: part.has("NSAscending") ? try part.flag("NSAscending") : true))
      }
      return index
    }
  }
}

extension FetchIndex {
  /// Whether older models could have the index.
  fileprivate var isPlain: Bool {
    partialIndexPredicate == nil && elements.allSatisfy { $0.kind == .binary && $0.isAscending }
  }

  /// The attribute that the index marks as indexed; `nil` if there is none.
  fileprivate var impliedMark: String? {
    elements.count == 1 && elements[0].kind == .binary && elements[0].isAscending ? elements[0].property : nil
  }
}
