internal import DecantEngine
internal import DecantStore
internal import Foundation

extension SmallStore {
  /// Whether inferred steps from a store of this size are built in memory.
  ///
  /// - Parameter hasChunks: Whether job or family set the number of rows in a chunk.
  static func isSmall(_ path: String, keepsAssociations: Bool, hasChunks: Bool) -> Bool {
    var status = stat()
    return !keepsAssociations && !hasChunks && stat(path, &status) == 0 && status.st_size <= mostBytes
  }

  /// The inputs of the step; `nil` if it works in a file.
  ///
  /// - Parameter file: The working file. If it exists already, the step continues it.
  static func beginning(
    for program: any StepProgram, of prepared: PreparedJob, source: SourceStore, file: String
  ) -> Beginning? {
    guard program is InferredProgram, program.quarantine == nil, program.alteration == nil,
      isSmall(
        source.readPath, keepsAssociations: prepared.keepsAssociations, hasChunks: prepared.hasChunks),
      access(file, F_OK) != 0
    else { return nil }
    let shelf = prepared.job.shelf
    return Beginning(
      emptyStores: shelf?.emptyStores ?? EmptyStores(), mostMemory: prepared.job.smallStoreMemory,
      source: shelf.flatMap { shelf in source.image.map { ($0, shelf.schemas.connections) } })
  }
}
