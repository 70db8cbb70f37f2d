internal import DecantCatalogue
internal import DecantConsole
internal import DecantMapping
internal import Foundation

/// A policy class that mapping models name, with its uses in them.
struct WorkerPolicy {
  /// An entity mapping that names the class.
  struct Use {
    let family: Family
    let file: FamilyMappingModel
    let mapping: EntityMapping
    /// Whether no other entity mapping for the two versions has the same source entity or the same destination entity.
    let isAlone: Bool

    var source: FamilyVersion { family.versions[file.source] }
    var destination: FamilyVersion { family.versions[file.destination] }
  }

  /// The name of the class without its module.
  let name: String
  var uses: [Use] = []
  /// The selectors that expressions call with `FUNCTION($entityPolicy, …)`, in name order.
  var selectors: [String] = []
}

/// The code that the mapping models of families need from a worker.
struct WorkerCode {
  /// The policies, in name order.
  private(set) var policies: [WorkerPolicy] = []
  /// Classes of functions with their selectors, in name order.
  private(set) var functions: [(name: String, selectors: [String])] = []
  /// Sentences about classes that can't be written.
  private(set) var remarks: [String] = []

  init(_ families: [Family]) throws(CommandFailure) {
    var policies: [String: WorkerPolicy] = [:]
    var functions: [String: Set<String>] = [:]
    for family in families {
      var models: [(FamilyMappingModel, MappingModel)] = []
      for file in family.mappingModels { models.append((file, try Self.read(file, of: family))) }
      for (file, model) in models {
        let pair = models.filter { $0.0.source == file.source && $0.0.destination == file.destination }
          .flatMap(\.1.entityMappings)
        for mapping in model.entityMappings {
          let calls = FunctionCalls(mapping)
          for (name, selectors) in calls.classes { functions[name, default: []].formUnion(selectors) }
          guard case .className(let stated)? = mapping.policy else { continue }
          let name = SwiftName.withoutModule(stated)
          var policy = policies[name] ?? WorkerPolicy(name: name)
          policy.uses.append(
            .init(
              family: family, file: file, mapping: mapping,
              isAlone: pair.count {
                $0.sourceEntityName == mapping.sourceEntityName
                  || $0.destinationEntityName == mapping.destinationEntityName
              } == 1))
          policy.selectors = Set(policy.selectors + calls.policy).sorted()
          policies[name] = policy
        }
      }
    }
    for name in Set(policies.keys).union(functions.keys).sorted() where !SwiftName.isClass(name) {
      remarks.append("“\(name)” can't be a class in Swift; register the code for it by hand.")
    }
    self.policies = policies.values.filter { SwiftName.isClass($0.name) }.sorted { $0.name < $1.name }
    self.functions = functions.map { ($0.key, $0.value.sorted()) }.filter { SwiftName.isClass($0.0) }
      .sorted { $0.0 < $1.0 }
  }

  private static func read(
    _ file: FamilyMappingModel, of family: Family
  ) throws(CommandFailure) -> MappingModel {
    do throws(MappingModelError) {
      return try MappingModelReading.read(at: URL(fileURLWithPath: file.file.path)).compiled(
        from: family.versions[file.source].model, to: family.versions[file.destination].model, completing: nil)
    } catch {
      throw CommandFailure(error)
    }
  }
}
