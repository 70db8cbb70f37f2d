internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// The families that a user may name for a store that doesn't fit exactly one family.
extension JobPreparation {
  /// A family with a path from the store to its target.
  struct Candidate {
    let name: String
    /// Whether the store may be refused because of losses, unless the target is named, too.
    let mayRefuseLosses: Bool
  }

  /// The families that can migrate the store.
  ///
  /// With any other family, the store would be refused again.
  func candidates(of store: SourceStore, among families: [String], in catalogue: Catalogue) -> [Candidate] {
    families.compactMap { name in
      switch catalogue.recognise(store, family: name) {
      case .known(var family, let version), .ownModel(var family, let version, _):
        guard let target = try? target(for: version, in: &family),
          let path = try? path(from: version, to: target, in: family)
        else { return nil }
        let drops = path.steps.contains { step in
          if case .inferred(let mapping) = step.work { !mapping.drops.isEmpty } else { true }
        }
        let settings = family.configuration
        return Candidate(
          name: name,
          mayRefuseLosses: drops && version.origin.nearest != nil && job.target == nil && settings.target == nil
            && settings.unknownVersions == nil)
      default: return nil
      }
    }
  }

  func advice(
    _ finding: Recognition.OwnModelFinding, _ store: SourceStore, in catalogue: Catalogue, isForeign: Bool
  ) -> String {
    let add =
      isForeign
      ? "If another app wrote the store, use that app's catalogue; otherwise add the store's version of the model to the "
        + "family's folder"
      : "Add that version of the model to the family's folder"
    let families: [String]
    // If the job names a family, only this family was read. Then all families are read now.
    var whole = self
    whole.job.family = nil
    let catalogue = job.family == nil ? catalogue : (try? whole.readCatalogue()) ?? catalogue
    switch finding {
    case .absent, .unusable: return add + "."
    case .noFamily: families = catalogue.families.map(\.name)
    case .severalFamilies(let names): families = names
    }
    let candidates = candidates(of: store, among: families, in: catalogue)
    guard !candidates.isEmpty else {
      let none =
        if case .severalFamilies = finding {
          "none of these families"
        } else {
          "no usable family of the catalogue"
        }
      return add + "; \(none) can migrate the store by its own model."
    }
    return add
      + ". Or, if the store belongs to \(listed(candidates.map(\.name))), name that family \(wishes.family)."
      + (candidates.contains(where: \.mayRefuseLosses)
        ? " If the family's target has no place for values of the store, name the target, too, \(wishes.version); "
          + "otherwise the store is refused." : "")
  }
}
