internal import DecantConsole
internal import DecantModel
internal import DecantStore

/// The state of a store's own model cache (docs/formats/model-files.md 4.1).
enum ModelCacheState {
  case absent
  /// The cache holds the model of the store's version.
  case readable(ManagedObjectModel)
  /// The cache holds a model, but not of the version in the metadata.
  case otherVersion(ManagedObjectModel, differing: [String])
  case unreadable(reason: String)

  init(_ store: SourceStore) {
    do throws(ModelError) {
      guard let reading = try store.modelCache() else {
        self = .absent
        return
      }
      let differing = store.differingEntities(of: reading.model)
      self = differing.isEmpty ? .readable(reading.model) : .otherVersion(reading.model, differing: differing)
    } catch {
      if case .badModelCache(let reason) = error {
        self = .unreadable(reason: reason)
      } else {
        self = .unreadable(reason: error.description)
      }
    }
  }

  /// The model, if it is that of the store's version.
  var model: ManagedObjectModel? {
    if case .readable(let model) = self { model } else { nil }
  }

  var text: String {
    switch self {
    case .absent: "none in the store"
    case .readable(let model): "of this version, \(Self.count(model))"
    case .otherVersion(let model, _): "of ANOTHER version, \(Self.count(model))"
    case .unreadable: "UNREADABLE"
    }
  }

  var oddities: [Oddity] {
    switch self {
    case .absent, .readable: []
    case .otherVersion(_, let differing):
      [
        Oddity(
          .warning, .cacheOfAnotherVersion,
          "The model cache is of another version than the metadata; these entities differ: "
            + "\(Quantity.list(differing)).")
      ]
    case .unreadable(let reason):
      [Oddity(.warning, .unreadableCache, "The model cache (Z_MODELCACHE) can't be read: \(reason).")]
    }
  }

  var json: JSON {
    let (state, model, reason): (String, ManagedObjectModel?, String?) =
      switch self {
      case .absent: ("absent", nil, nil)
      case .readable(let model): ("readable", model, nil)
      case .otherVersion(let model, _): ("otherVersion", model, nil)
      case .unreadable(let reason): ("unreadable", nil, reason)
      }
    return .object([
      "state": .string(state), "entities": model.map { .integer($0.entities.count) } ?? .null,
      "reason": .optional(reason),
    ])
  }

  private static func count(_ model: ManagedObjectModel) -> String {
    counted(model.entities.count, "entity", "entities")
  }
}
