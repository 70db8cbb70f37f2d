package import DecantCatalogue
internal import DecantModel
package import DecantReport
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// Opens a job's inputs: the catalogue, and the store with its layout.
extension JobPreparation {
  func read(_ catalogue: Catalogue?) throws(MigrationFailure) -> Catalogue {
    if let catalogue { catalogue } else { try readCatalogue() }
  }

  package func readCatalogue() throws(MigrationFailure) -> Catalogue {
    do {
      if let shelf = job.shelf { return try shelf.catalogue(at: job.catalogue, family: job.family) }
      return try Catalogue.read(at: job.catalogue, family: job.family)
    } catch {
      let isMissing = if case .notFound = error { true } else { false }
      throw MigrationFailure(
        isMissing ? .noCatalogue : .catalogueUnreadable, message: error.description)
    }
  }

  func openStore() throws(MigrationFailure) -> SourceStore {
    do {
      return try SourceStore.open(
        job.source.path, scratch: job.workFolder.path + "/copy",
        checksPages: job.checksPages, isCheckedBeside: !isForReading, schemas: job.shelf?.schemas,
        observer: observer)
    } catch {
      throw MigrationFailure(error)
    }
  }

  /// The store with its objects; the objects of an XML store can be read only with its model.
  func filled(
    _ store: SourceStore, as version: FamilyVersion, family: Family
  ) throws(MigrationFailure) -> SourceStore {
    do {
      return try store.filled(
        as: version.model, version: version.name,
        scratch: job.workFolder.path + "/copy", observer: observer)
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
  }

  func layout(
    of store: SourceStore, version: FamilyVersion, family: Family, _ question: FamilyQuestion.Store?
  ) throws(MigrationFailure) -> StoreLayout {
    let layout: StoreLayout
    do {
      layout = try store.layout(
        version: version.name, acceptsCloudKit: family.configuration.cloudKit == .reset
      ) { framework, schema throws(LayoutError) in
        try family.remembered(question.map(FamilyQuestion.SourceLayout.init)) { () throws(LayoutError) in
          try StoreLayout(version.model, framework: framework, evidence: schema)
        }
      }
      // The step reads pairs through the indexes of join tables, in the order in which it writes the pairs. So these
      // indexes must be whole.
      if job.checksPages { try store.checkIndexes(of: layout.joinTables.map(\.name)) }
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
    guard store.viewsAndTriggers.isEmpty else {
      throw MigrationFailure(
        .viewsAndTriggers(path: store.path, names: store.viewsAndTriggers), family: family.name)
    }
    return layout
  }
}
