/// The origin of a version of a family.
public enum VersionOrigin: Sendable, Hashable {
  /// The family's folder contains the version.
  case catalogue
  /// A store's own model. The folder doesn't have that version; the nearest one has this name.
  case ownModel(nearest: String)
  /// The members of this configuration alone.
  case configuration(String)
  /// A merge of the models of these versions, each from another bundle.
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

  var isOfTheFolder: Bool {
    switch self {
    case .catalogue, .configuration: true
    case .ownModel, .merge: false
    }
  }

  /// The version nearest to a store's own model.
  public var nearest: String? { if case .ownModel(let nearest) = self { nearest } else { nil } }
}
