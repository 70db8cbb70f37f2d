internal import DecantEngine
internal import DecantStore
internal import Foundation

extension SmallStore {
  /// Whether a store is so small that a new one can be built in memory.
  static func isSmall(_ path: String, of job: MigrationJob) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size <= job.mostSmallBytes
  }

  /// The inputs for building a step's store in memory; `nil` if the step works in a file.
  ///
  /// - Parameter file: The working file. If it exists already, the step continues it.
  static func beginning(
    for program: any StepProgram, of prepared: PreparedJob, source: SourceStore, file: String
  ) -> Beginning? {
    guard program is InferredProgram, program.quarantine == nil, program.alteration == nil,
      !prepared.keepsAssociations, !prepared.hasChunks, isSmall(source.readPath, of: prepared.job),
      access(file, F_OK) != 0
    else { return nil }
    let shelf = prepared.job.shelf
    return Beginning(
      emptyStores: shelf?.emptyStores ?? EmptyStores(), mostMemory: prepared.job.smallStoreMemory,
      source: shelf.flatMap { shelf in source.image.map { ($0, shelf.schemas.connections) } })
  }
}
