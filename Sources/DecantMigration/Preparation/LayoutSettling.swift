internal import DecantCatalogue
internal import DecantModel
internal import DecantReport
internal import DecantStore
internal import Foundation

/// Makes the layouts of the versions on a store's path; reference stores settle names that the rules leave open.
struct LayoutSettling {
  let family: Family
  let store: SourceStore
  let source: FamilyVersion
  let sourceLayout: StoreLayout
  let references: ReferenceStores

  /// The layout of an intermediate version; only the next step reads its store.
  func passingLayout(of version: FamilyVersion) throws(MigrationFailure) -> StoreLayout {
    do throws(LayoutError) {
      let framework = max(store.metadata.framework ?? .current, .oldest(expressing: version.model))
      return try checked(StoreLayout(version.model, framework: framework, isPassing: true))
    } catch {
      throw failure(error, of: version, [])
    }
  }

  /// The layout of a destination.
  ///
  /// The layout is made for the source's framework. If only a newer framework can express the model, the layout is made
  /// for the oldest such framework (docs/formats/core-data-sqlite.md 12).
  func layout(of version: FamilyVersion) throws(MigrationFailure) -> StoreLayout {
    var unused: [String] = []
    let framework = max(store.metadata.framework ?? .current, .oldest(expressing: version.model))
    do {
      let ruled = try StoreLayout(version.model, framework: framework)
      // An XML store's tables are made by Decant and settle nothing.
      if version.hashes == source.hashes, store.kind == .sqlite {
        return try checked(StoreLayout(version.model, framework: framework, evidence: store.schema))
      }
      let reference = references.first(of: version) { $0.schema }
      if let schema = reference.answer {
        return try checked(StoreLayout(version.model, framework: framework, evidence: schema))
      }
      unused = reference.unused
      switch try JoinPrecedent(source: sourceLayout).judgement(of: ruled) {
      case .confirmed: return try checked(ruled)
      case .kept(let layout): return try checked(layout)
      case .contradicted(let own, let rule): throw contradiction(own, rule, version, unused)
      }
    } catch let error as LayoutError {
      throw failure(error, of: version, unused)
    } catch let error as MigrationFailure {
      throw error
    } catch {
      throw MigrationFailure(
        .fault, message: "\(error)", family: family.name)
    }
  }

  /// Refuses a store whose model has values in unknown columns: such values would be lost without a message.
  func checkSource() throws(MigrationFailure) {
    // An XML store's tables hold every value that has a column. So only the points that nothing can settle count.
    let open = sourceLayout.unsettled.filter { store.kind == .sqlite || !$0.canBeSettled } + compositesInXML
    guard !open.isEmpty else { return }
    var failure = failure(.unsettled(open), of: source, [])
    failure.advice = StoreError.advice(forUnsettled: open)
    throw failure
  }

  /// Composite attributes of an XML store; their format is not known.
  private var compositesInXML: [StoreLayout.Unsettled] {
    guard store.kind == .xml else { return [] }
    return source.model.entities.flatMap { entity in
      entity.attributes.declared.filter { $0.type == .composite && !$0.isTransient }.map { attribute in
        StoreLayout.Unsettled(
          property: .init(entity: entity.name, name: attribute.name),
          question: "how an XML store keeps a composite attribute", canBeSettled: false)
      }
    }
  }

  func failure(
    _ error: LayoutError, of version: FamilyVersion, _ unused: [String] = []
  ) -> MigrationFailure {
    let reference = family.adviceToGiveReference(of: version)
    guard case .unsettled(let names) = error else {
      return MigrationFailure(
        .unsettledLayout, message: "\(title(version)): \(error).",
        advice: "Name another target, or correct the model in a new version.", family: family.name)
    }
    let advice =
      names.allSatisfy(\.canBeSettled)
      ? "\(reference); it settles the names." : StoreError.advice(forUnsettled: names)
    return MigrationFailure(
      .unsettledLayout, message: "\(title(version)): it isn't known for certain how Core Data stores this.",
      details: names.map(\.description), advice: advice + words(unused),
      family: family.name)
  }

  /// A version as the subject of a sentence; a store's own model has no version name.
  private func title(_ version: FamilyVersion) -> String {
    version.origin.nearest == nil ? "Version “\(version.name)”" : "The store's own model"
  }

  /// Sentences about indexes that the destination lacks.
  func findings(_ layout: StoreLayout, of version: FamilyVersion) -> [String] {
    guard let leftOut = try? SchemaStatements(layout).leftOut else { return [] }
    return leftOut.map { index in
      "The fetch index “\(index.property)” of “\(version.name)” is left out, because \(index.question) isn't known. The store "
        + "works without it; if the index has a predicate, a genuine store of that version in "
        + "\(family.referencePlace) would settle this."
    }
  }

  private func checked(_ layout: StoreLayout) throws(LayoutError) -> StoreLayout {
    _ = try SchemaStatements(layout)
    return layout
  }

  private func contradiction(
    _ own: StoreLayout.JoinTable, _ rule: StoreLayout.JoinTable, _ version: FamilyVersion, _ unused: [String]
  ) -> MigrationFailure {
    MigrationFailure(
      .unsettledLayout,
      message:
        "The store calls the join table of “\(own.second.relationship)” and “\(own.first.relationship)” \(own.signature), "
        + "where the known rule gives \(rule.signature); so the names of join tables in version “\(version.name)” aren't "
        + "certain.",
      advice: family.adviceToGiveReference(of: version) + "." + words(unused), family: family.name)
  }

  private func words(_ unused: [String]) -> String {
    unused.isEmpty ? "" : " The reference stores don't help: " + unused.joined(separator: " ")
  }
}
