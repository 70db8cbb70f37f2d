public import DecantModel

extension MappingModelDraft {
  /// Fills in what isn't written, by the rules of the model editor's compiler (mapping-models.md 3).
  ///
  /// - Parameters:
  ///   - source: The source version; without one, the file's own copy.
  ///   - destination: The destination version; without one, the file's own copy.
  /// - Returns: The mapping model, with the hashes of the file's own copies where it keeps any, so that stale ones can
  ///   be told. Entities and properties that the models don't have stay as written; `MappingCheck` names them.
  /// - Throws: `MappingModelError.noModels` where there is no model to take the missing parts from.
  public func compiled(
    from source: ManagedObjectModel? = nil, to destination: ManagedObjectModel? = nil
  ) throws(MappingModelError) -> MappingModel {
    guard let from = source ?? sourceModel, let to = destination ?? destinationModel else {
      throw .noModels(path: path)
    }
    let names = entityMappings.map(\.compiledName)
    let sourceHashes = (sourceModel ?? from).entityVersionHashes
    let destinationHashes = (destinationModel ?? to).entityVersionHashes
    let rows = PropertyRule(source: from, destination: to, names: names, mappings: entityMappings)
    var model = MappingModel(
      name: name, origin: .file(path: path), sourceVersion: sourceVersion,
      destinationVersion: destinationVersion, order: order, validation: validation,
      acceptsStaleHashes: acceptsStaleHashes, entityMappings: [])
    for (draft, name) in zip(entityMappings, names) {
      model.entityMappings.append(
        EntityMapping(
          name: name, type: draft.compiledType(from: from, to: to),
          sourceEntityName: draft.sourceEntityName, destinationEntityName: draft.destinationEntityName,
          filter: draft.filter, uniqueBy: draft.uniqueBy, policy: draft.policy,
          programTimeLimit: draft.programTimeLimit, chunks: draft.chunks,
          userInfo: draft.userInfo,
          sourceHash: draft.sourceHash ?? draft.sourceEntityName.flatMap { sourceHashes[$0] },
          destinationHash: draft.destinationHash
            ?? draft.destinationEntityName.flatMap { destinationHashes[$0] },
          sourceExpression: draft.sourceExpression, attributeMappings: rows.attributes(of: draft),
          relationshipMappings: rows.relationships(of: draft)))
    }
    return model
  }
}

extension EntityMappingDraft {
  /// The name as given, or `SourceToDestination`, or the only entity's name.
  var compiledName: String {
    if let name { return name }
    switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?): return "\(source)To\(destination)"
    case (let only?, nil), (nil, let only?): return only
    case (nil, nil): return ""
    }
  }

  /// The type as given, or what follows from policy, entities and their properties.
  func compiledType(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> EntityMappingType {
    if type != .undefined { return type }
    if policy != nil { return .custom }
    guard let sourceEntityName else { return .add }
    guard let destinationEntityName else { return .remove }
    return CopyRule(source: source, destination: destination)
      .isCopy(sourceEntityName, destinationEntityName) ? .copy : .transform
  }
}
