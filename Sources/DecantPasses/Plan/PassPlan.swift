package import DecantMapping
internal import DecantModel
package import DecantStore

/// The entity mappings of a step's passes that make objects, each with its number and its tables.
package struct PassPlan: Sendable {
  package struct Mapping: Sendable {
    /// The number in the association table: the position among the entity mappings of all passes, from 1.
    package let number: Int
    /// The pass, from 0.
    package let pass: Int
    package let mapping: EntityMapping
    package let source: String
    package let destination: String
    package let sourceTable: StoreLayout.Table
    package let destinationTable: StoreLayout.Table
    package let sourceNumber: Int
    package let destinationNumber: Int
    /// Whether objects have the primary keys of their source objects; if false, they get new keys.
    package let keepsKeys: Bool
    /// The mapping model's setting for invalid objects.
    package let validation: ValidationMode?

    /// The rows per chunk given by the mapping model.
    var chunkRows: Int? { if case .size(let rows) = mapping.chunks { rows } else { nil } }
  }

  /// An entity mapping and its pass, as the beginning of a sentence.
  package func words(for mapping: Mapping) -> String {
    let pass = passes.indices.contains(mapping.pass) ? passes[mapping.pass].name : ""
    return "Entity mapping “\(mapping.mapping.name)” (pass “\(pass)”)"
  }

  /// One mapping model, with its entity mappings that make objects.
  package struct Pass: Sendable {
    package let name: String
    package let mappings: [Mapping]
  }

  package let source: StoreLayout
  package let destination: StoreLayout
  package let passes: [Pass]
  /// By source table, the columns that are the first column of an index.
  ///
  /// A table can be read cheaply in the order of such a column.
  let leadingColumns: [String: Set<String>]
  /// Whether the associations of shared objects are blocks (`SharedBlock`).
  ///
  /// True if only statements read these associations, and no association is removed.
  package var hasBlocks = false

  /// All mappings in the order in which they run.
  package var mappings: [Mapping] { passes.flatMap(\.mappings) }

  /// - Parameter mappingModels: One for each pass, in order. Their names have been checked against both models.
  package init(
    source: StoreLayout, destination: StoreLayout, mappingModels: [MappingModel],
    leadingColumns: [String: Set<String>] = [:]
  ) {
    self.leadingColumns = leadingColumns
    self.source = source
    self.destination = destination
    var keys = KeyPlan()
    var passes: [Pass] = []
    var number = 0
    for (index, model) in mappingModels.enumerated() {
      var mappings: [Mapping] = []
      for mapping in model.entityMappings {
        number += 1
        guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName,
          let sourceNumber = source.entityNumbers[from], let destinationNumber = destination.entityNumbers[to],
          let sourceTable = source.table(of: from), let destinationTable = destination.table(of: to)
        else { continue }
        mappings.append(
          Mapping(
            number: number, pass: index, mapping: mapping, source: from, destination: to,
            sourceTable: sourceTable,
            destinationTable: destinationTable, sourceNumber: sourceNumber,
            destinationNumber: destinationNumber,
            keepsKeys: keys.keeps(mapping, from: sourceTable.rootEntity, to: destinationTable.rootEntity),
            validation: model.validation))
      }
      passes.append(Pass(name: model.name, mappings: mappings))
    }
    self.passes = passes
  }

  package func isInBlocks(_ mapping: Mapping) -> Bool { hasBlocks && mapping.mapping.uniqueBy != nil }

  /// The mappings with a given name, in all passes.
  ///
  /// A look-up by this name finds the associations of all these mappings.
  package func mappings(named name: String) -> [Mapping] { mappings.filter { $0.mapping.name == name } }
}
