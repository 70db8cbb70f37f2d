internal import Foundation
internal import KeyedArchive
internal import PredicateFormat

extension CompiledModelReader {
  /// The name that source files give to the request of every fetched property (docs/formats/model-files.md 2.6).
  private static let requestName = "fetchedPropertyFetchRequest"

  mutating func fetchedProperty(_ node: ArchiveNode, of entity: String) throws -> FetchedProperty {
    let name = try node.requiredString("NSPropertyName")
    var property = FetchedProperty(name: name, isOptional: try node.flag("NSIsOptional"))
    if let request = try node.member("NSFetchRequest") {
      var template = try fetchRequest(request, named: Self.requestName)
      if let entityName = try node.string("_NSFetchRequestEntityName") { template.entityName = entityName }
      property.request = template
    }
    property.userInfo = try userInfo(of: node, place: "fetched property “\(entity).\(name)”")
    return property
  }

  /// A request (docs/formats/model-files.md 4.3).
  ///
  /// The meaning of its flag bits isn't known; nothing stored depends on them.
  mutating func fetchRequest(_ node: ArchiveNode?, named name: String) throws -> FetchRequestTemplate {
    let node = try Self.object(node, of: "NSFetchRequest")
    let entity =
      try node.object("NSEntity", of: "NSEntityDescription")?.requiredString("NSEntityName") ?? ""
    var request = FetchRequestTemplate(name: name, entityName: entity)
    if let predicate = try node.member("NSPredicate") {
      do throws(ArchiveError) {
        request.predicateFormat = try FormatPredicate(archive: predicate, allowance: &allowance).description
      } catch {
        warnings.append("fetch request “\(name)”: its predicate is ignored: \(error)")
      }
    }
    request.fetchLimit = try node.integer32("NSFetchLimit") ?? 0
    request.fetchBatchSize = try node.integer32("NSBatchSize") ?? 0
    request.resultType = try node.integer32("NSResultType") ?? 0
    return request
  }
}
