internal import DecantEngine
internal import DecantStore
internal import Foundation

extension SmallStore {
  /// The inputs of the step; `nil` if it works in a file.
  ///
  /// - Parameter file: The working file. If it exists already, the step continues it.
  static func beginning(
    for program: any StepProgram, of prepared: PreparedJob, source: SourceStore, file: String
  ) -> Beginning? {
    var status = stat()
    guard program is InferredProgram, program.quarantine == nil, !prepared.keepsAssociations,
      prepared.job.chunkSize == nil, prepared.family.configuration.chunkSize == nil,
      stat(source.readPath, &status) == 0, status.st_size <= mostBytes, access(file, F_OK) != 0
    else { return nil }
    let shelf = prepared.job.shelf
    return Beginning(
      emptyStores: shelf?.emptyStores ?? EmptyStores(), mostMemory: prepared.job.smallStoreMemory,
      source: shelf.flatMap { shelf in source.image.map { ($0, shelf.schemas.connections) } })
  }
}
