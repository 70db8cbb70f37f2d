public import DecantModel

extension MappingModelReading {
  /// The mapping model with all omitted parts filled in; see `MappingModelDraft.compiled(from:to:completing:)`.
  ///
  /// A compiled file is returned unchanged.
  ///
  /// - Parameter others: The data for `others: "infer"`; `nil` adds no entity mappings.
  public func compiled(
    from source: ManagedObjectModel? = nil, to destination: ManagedObjectModel? = nil,
    completing others: OtherEntities? = OtherEntities()
  ) throws(MappingModelError) -> MappingModel {
    switch content {
    case .draft(let draft): try draft.compiled(from: source, to: destination, completing: others)
    case .compiled(let model): model
    }
  }
}
