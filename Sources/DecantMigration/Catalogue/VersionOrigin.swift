/// How a version of a family came to be known.
public enum VersionOrigin: Sendable, Hashable {
  /// The family's folder has it as it is.
  case catalogue
  /// The model that a store keeps of itself; the folder doesn't have that version, but the nearest one of this name.
  case ownModel(nearest: String)
  /// The members of this configuration alone.
  case configuration(String)
  /// The models of these versions merged, each of another bundle.
  case merge([String])

  /// A stable word for scripts: `catalogue`, `own-model`, `configuration`, `merge`.
  public var word: String {
    switch self {
    case .catalogue: "catalogue"
    case .ownModel: "own-model"
    case .configuration: "configuration"
    case .merge: "merge"
    }
  }

  /// Whether the family's folder has it, as a whole or a configuration of it.
  var isOfTheFolder: Bool {
    switch self {
    case .catalogue, .configuration: true
    case .ownModel, .merge: false
    }
  }

  /// The version that is nearest to a store's own model.
  public var nearest: String? { if case .ownModel(let nearest) = self { nearest } else { nil } }
}
