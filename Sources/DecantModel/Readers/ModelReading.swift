/// A model as it was read, with what the reader passed over.
public struct ModelReading: Sendable {
  public let model: ManagedObjectModel
  /// One sentence for each thing that the reader doesn't know and left aside.
  public let warnings: [String]

  public init(model: ManagedObjectModel, warnings: [String] = []) {
    self.model = model
    self.warnings = warnings
  }
}
