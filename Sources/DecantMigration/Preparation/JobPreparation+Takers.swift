internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// The families that a person may name for a store that none takes by itself.
extension JobPreparation {
  /// A family that brings the store to its target if a person names it.
  struct Taker {
    let name: String
    /// Whether values without a place at the target refuse the store until the target is named, too.
    let mayRefuseLosses: Bool
  }

  /// The families that would take the store; naming another one only leads to the next refusal.
  func takers(of store: SourceStore, among families: [String], in catalogue: Catalogue) -> [Taker] {
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
        return Taker(
          name: name,
          mayRefuseLosses: drops && version.origin.nearest != nil && job.target == nil && settings.target == nil
            && settings.unknownVersions == nil)
      default: return nil
      }
    }
  }

  /// What to do about a store of an unknown version: the families to name are those that would take it.
  func advice(
    _ finding: Recognition.OwnModelFinding, _ store: SourceStore, in catalogue: Catalogue
  ) -> String {
    let add = "Add that version of the model to the family's folder"
    let families: [String]
    // Of a job that names a family no other one was read.
    var whole = self
    whole.job.family = nil
    let catalogue = job.family == nil ? catalogue : (try? whole.readCatalogue()) ?? catalogue
    switch finding {
    case .absent, .unusable: return add + "."
    case .noFamily: families = catalogue.families.map(\.name)
    case .severalFamilies(let names): families = names
    }
    let takers = takers(of: store, among: families, in: catalogue)
    guard !takers.isEmpty else {
      return add
        + "; no usable family of the catalogue can take the store by the model that it keeps of itself."
    }
    return add + ", or, if the store is of \(listed(takers.map(\.name))), name that family \(wishes.family)."
      + (takers.contains(where: \.mayRefuseLosses)
        ? " Values that have no place in its target refuse the store then, unless the target is named as well, "
          + "\(wishes.version)." : "")
  }
}
