public import DecantModel
internal import Foundation

extension MappingModelDraft {
  /// Fills in omitted parts by the rules of the model editor's compiler (docs/formats/mapping-models.md 3).
  ///
  /// - Parameters:
  ///   - source: The source version; `nil` for the file's own copy.
  ///   - destination: The destination version; `nil` for the file's own copy.
  ///   - others: The data for `others: "infer"`; `nil` adds no entity mappings.
  /// - Returns: The mapping model. If the file has copies of the models, hashes that it doesn't state are those of the
  ///   copies, so that stale hashes can be detected. Names that the models don't have stay as written; `MappingCheck`
  ///   reports them.
  /// - Throws: `MappingModelError.noModels` if no model is available for the omitted parts; `malformed` or `several` if
  ///   `others: "infer"` has entities that can't be inferred.
  public func compiled(
    from source: ManagedObjectModel? = nil, to destination: ManagedObjectModel? = nil,
    completing others: OtherEntities? = OtherEntities()
  ) throws(MappingModelError) -> MappingModel {
    guard let from = source ?? sourceModel, let to = destination ?? destinationModel else {
      throw .noModels(path: path)
    }
    let names = entityMappings.map(\.compiledName)
    let sourceHashes = (sourceModel ?? from).entityVersionHashes
    let destinationHashes = (destinationModel ?? to).entityVersionHashes
    var added = OtherEntities.Added()
    // With an unreadable part nothing is added, because this part may take the other entities.
    if self.others == .infer, let others, isWhole, entityMappings.allSatisfy(\.isWhole) {
      added = try others.added(to: entityMappings, from: from, to: to) { fault($0, at: "others") }
    }
    let rows = PropertyRule(
      source: from, destination: to, names: names + added.mappings.map(\.name),
      mappings: entityMappings + added.drafts)
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
    model.others = self.others
    model.entityMappings += added.mappings.map { mapping in
      var mapping = mapping
      mapping.sourceHash = mapping.sourceEntityName.flatMap { sourceHashes[$0] }
      mapping.destinationHash = mapping.destinationEntityName.flatMap { destinationHashes[$0] }
      return mapping
    }
    model.inferredLosses = added.losses
    return model
  }

  private func fault(_ reason: String, at key: String) -> MappingModelError {
    let data = try? MappingFileContent.read(URL(fileURLWithPath: path))
    let line = data.flatMap { JSON5Value.place(of: [.key(key)], in: $0)?.line }
    return .malformed(path: path, reason: (line.map { "line \($0): " } ?? "") + reason, line: line)
  }
}

extension EntityMappingDraft {
  var compiledName: String {
    if let name { return name }
    switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?): return "\(source)To\(destination)"
    case (let only?, nil), (nil, let only?): return only
    case (nil, nil): return ""
    }
  }

  func compiledType(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> EntityMappingType {
    if type != .undefined { return type }
    if policy != nil { return .custom }
    guard let sourceEntityName else { return .add }
    guard let destinationEntityName else { return .remove }
    return CopyRule(source: source, destination: destination)
      .isCopy(sourceEntityName, destinationEntityName) ? .copy : .transform
  }
}
