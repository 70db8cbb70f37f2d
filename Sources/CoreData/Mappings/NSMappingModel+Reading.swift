internal import DecantMapping
internal import DecantModel
public import DecantPolicies
public import Foundation

extension MigrationMappingModel {
  /// Reads a mapping model: a `.cdm`, an `.xcmappingmodel`, or a `.mapping.json5`.
  ///
  /// A `.mapping.json5` and some `.xcmappingmodel` have no copies of their models. These models are looked for in the
  /// folder of the file, by the names of their versions.
  ///
  /// - Returns: nil if `url` is nil, or if the mapping model can't be read. A line on standard error gives the reason.
  ///   `mappingModel(at:)` throws the reason instead.
  public convenience init?(contentsOf url: URL?) {
    guard let url else {
      LogLine.write("NSMappingModel(contentsOf:) was given no URL; perhaps the bundle has no file of that name")
      return nil
    }
    do {
      self.init(try MappingModelFiles.read(url))
    } catch {
      LogLine.write("NSMappingModel(contentsOf:): \(error)")
      return nil
    }
  }

  /// Reads a mapping model as `init(contentsOf:)` does.
  ///
  /// - Throws: `CoreDataError` that names the file and the problem.
  public static func mappingModel(at url: URL) throws -> MigrationMappingModel {
    do {
      return MigrationMappingModel(try MappingModelFiles.read(url))
    } catch let error as CoreDataError {
      throw error
    } catch {
      throw CoreDataError(NSMigrationMissingMappingModelError, "\(error)")
    }
  }

  /// Finds the mapping model for two models, in the files of bundles; nil if there is none, or if a model is nil.
  ///
  /// Until a fitting mapping model is found, a line on standard error names each mapping model that can't be read or
  /// compiled, because this mapping model may be the one that is searched for. Such lines also name the given folders
  /// that can't be listed. If a mapping model names its versions, they also name the models that can't be read.
  ///
  /// - Parameter bundles: nil for the main bundle.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel source: ModelDescription?,
    destinationModel destination: ModelDescription?
  ) {
    self.init(
      inFolders: ModelSearch.folders(of: bundles), forSourceModel: source, destinationModel: destination)
  }

  /// Does the same as `init(from:forSourceModel:destinationModel:)` with the files of folders.
  public convenience init?(
    inFolders folders: [URL], forSourceModel source: ModelDescription?,
    destinationModel destination: ModelDescription?
  ) {
    guard let source, let destination else { return nil }
    var versions = NamedVersions(folders)
    let files = ModelSearch.files(in: folders, endings: MappingModelFile.endings)
    for problem in files.problems {
      LogLine.write("NSMappingModel(from:forSourceModel:destinationModel:): \(problem)")
    }
    for file in files.items {
      guard let reading = Self.reading(file), versions.names(of: reading, mean: source, destination),
        let model = Self.compiled(reading, source.model, destination.model),
        Self.fits(model, source.model, destination.model)
      else { continue }
      self.init(model)
      return
    }
    return nil
  }

  private static func reading(_ file: URL) -> MappingModelReading? {
    do throws(MappingModelError) {
      return try MappingModelReading.read(at: file)
    } catch {
      LogLine.write("NSMappingModel(from:forSourceModel:destinationModel:): \(error.sentence)")
      return nil
    }
  }

  private static func compiled(
    _ reading: MappingModelReading, _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> MappingModel? {
    do throws(MappingModelError) {
      return try reading.compiled(from: source, to: destination)
    } catch {
      LogLine.write("NSMappingModel(from:forSourceModel:destinationModel:): \(error.sentence)")
      return nil
    }
  }

  /// Whether the models have the entities of a mapping model, with the version hashes that the mapping model has.
  ///
  /// An entity mapping may have no version hash. Then only the entity's name is compared.
  private static func fits(
    _ mapping: MappingModel, _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> Bool {
    let (from, to) = (source.entityVersionHashes, destination.entityVersionHashes)
    return mapping.entityMappings.allSatisfy { mapping in
      (mapping.sourceEntityName.map { from[$0] != nil && from[$0] == (mapping.sourceHash ?? from[$0]) } ?? true)
        && (mapping.destinationEntityName.map {
          to[$0] != nil && to[$0] == (mapping.destinationHash ?? to[$0])
        } ?? true)
    }
  }

  /// The mapping model that lightweight migration infers from two models.
  ///
  /// - Throws: `CoreDataError` with `NSInferredMappingModelError`. It names the change that can't be inferred.
  public static func inferredMappingModel(
    forSourceModel source: ModelDescription, destinationModel destination: ModelDescription
  ) throws -> MigrationMappingModel {
    do throws(InferenceError) {
      let inferred = try InferredMapping.make(from: source.model, to: destination.model)
      return MigrationMappingModel(inferred.mappingModel)
    } catch {
      throw CoreDataError(NSInferredMappingModelError, "\(error)")
    }
  }
}
