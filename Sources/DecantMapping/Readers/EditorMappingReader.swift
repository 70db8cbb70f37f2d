internal import DecantModel
internal import Foundation
internal import KeyedArchive
internal import PredicateFormat

/// Reads the mapping model of the model editor (`xcmapping.xml`, docs/formats/mapping-models.md 1).
struct EditorMappingReader {
  let document: EditorDocument
  let path: String
  var warnings = EditorWarnings()
  /// The ids of the objects that were read.
  ///
  /// An object with several references is read once.
  var seen: Set<String> = []

  init(_ document: EditorDocument, path: String) {
    self.document = document
    self.path = path
  }

  mutating func read(into draft: inout MappingModelDraft) throws(MappingModelError) {
    draft.sourceModel = model("sourcemodeldata", "source")
    draft.destinationModel = model("destinationmodeldata", "destination")
    let references = document.root.references("entitymappings")
    guard references.count <= MappingLimits.entityMappings else {
      throw fault("it has more than \(MappingLimits.entityMappings) entity mappings")
    }
    let mappings = rows("entitymappings", of: document.root)
    // If the numbers are equal, as in old files, the references' order is kept.
    let sorted = mappings.enumerated().sorted { left, right in
      let (first, second) = (number(left.element), number(right.element))
      return first == second ? left.offset < right.offset : first < second
    }
    for (_, object) in sorted {
      if let mapping = try entityMapping(object) { draft.entityMappings.append(mapping) }
    }
    for (type, ids) in document.ids where type != EditorDocument.modelType {
      warnings.orphans[type] = Set(ids).subtracting(seen).count
    }
  }

  private func number(_ mapping: EditorDocument.Object) -> Int { mapping.integer("mappingnumber") ?? .max }

  func fault(_ reason: String) -> MappingModelError { .malformed(path: path, reason: reason) }

  /// The objects of a relationship that are read for the first time.
  mutating func rows(_ name: String, of object: EditorDocument.Object) -> [EditorDocument.Object] {
    let found = document.objects(name, of: object)
    warnings.dangling += object.references(name).count - found.count
    return found.filter { row in
      let isNew = seen.insert(row.id).inserted
      if !isNew { warnings.repeated += 1 }
      return isNew
    }
  }

  private mutating func model(_ key: String, _ side: String) -> ManagedObjectModel? {
    guard let data = document.root.data(key) else {
      warnings.others.append("it holds no copy of the \(side) model")
      return nil
    }
    do throws(ModelError) {
      let reading = try ModelElementsReader.read(data)
      warnings.others += reading.warnings.map { "its copy of the \(side) model: \($0)" }
      return reading.model
    } catch {
      warnings.others.append("its copy of the \(side) model can't be read: \(error)")
      return nil
    }
  }

  private mutating func entityMapping(
    _ object: EditorDocument.Object
  ) throws(MappingModelError) -> EntityMappingDraft? {
    var mapping = EntityMappingDraft()
    mapping.name = object.text("name")
    mapping.sourceEntityName = object.text("sourcename")
    mapping.destinationEntityName = object.text("destinationname")
    guard mapping.sourceEntityName != nil || mapping.destinationEntityName != nil else {
      warnings.unfinished += 1
      // The rows of an ignored entity mapping aren't orphans.
      _ = rows("attributemappings", of: object)
      _ = rows("relationshipmappings", of: object)
      return nil
    }
    let place = "entity mapping “\(mapping.compiledName)”"
    mapping.type = type(object, place)
    mapping.policy = object.text("migrationpolicyclassname").flatMap(EntityMapping.Policy.named)
    if let text = object.text("sourcefilterpredicatestring") {
      mapping.filter = try ExpressionText.filter(text, path: path, place: "\(place), filter")
    }
    if let data = object.data("sourceexpressiondata") {
      let expression = try expression(data, "\(place), source expression")
      do throws(FormatError) {
        try mapping.takeSource(expression)
      } catch {
        throw .malformed(
          path: path, reason: "\(place), source expression: \(error.sentence)", excerpt: error.excerpt)
      }
    }
    if let data = object.data("userinfodata") { mapping.userInfo = userInfo(data, place) }
    try takeRows(of: object, into: &mapping, place)
    return mapping
  }

  private mutating func type(_ object: EditorDocument.Object, _ place: String) -> EntityMappingType {
    let word = object.text("mappingtypename") ?? "Undefined"
    switch word.lowercased() {
    case "undefined": return .undefined
    case "custom": return .custom
    case "add": return .add
    case "remove": return .remove
    case "copy": return .copy
    case "transform": return .transform
    default:
      warnings.others.append("\(place): the type “\(word)” isn't known and is ignored")
      return .undefined
    }
  }

  private mutating func userInfo(_ data: Data, _ place: String) -> [String: String] {
    do throws(ArchiveError) {
      return try ArchivedTexts.entries(of: Archive(parsing: data).root())
    } catch {
      warnings.others.append("\(place): its user info can't be read and is ignored: \(error)")
      return [:]
    }
  }

  func expression(_ data: Data, _ place: String) throws(MappingModelError) -> FormatExpression {
    do throws(ArchiveError) {
      return try FormatExpression(archive: Archive(parsing: data).root())
    } catch {
      throw fault("\(place): \(error)")
    }
  }
}
