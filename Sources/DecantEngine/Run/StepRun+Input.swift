package import DecantModel
internal import DecantPasses
internal import DecantSQLite
package import DecantStore
package import Foundation

extension StepRun {
  package struct Input: Sendable {
    let source: SourceStore
    package let program: any StepProgram
    package let path: String
    /// The digest of all inputs.
    package var digest: String
    let metadata: StoreMetadata
    /// How the number of rows of each chunk is chosen.
    let chunkSize: ChunkSize
    /// Folder of the source's external files.
    let externalFolder: String
    /// The value of `now()`: the time when the job was claimed, in seconds since 2001.
    let now: Double
    /// The content of `Z_MODELCACHE`.
    let modelCache: Data?
    /// The files for refused objects.
    let quarantine: QuarantineFiles
    /// Where the step's associations are kept; `nil` if they are dropped with the work tables.
    var keeping: AssociationKeeping?
    var checksPages = true
    /// Set if the step's store is so small that it is built in memory; `nil` for a file.
    package var small: SmallStore.Beginning?
    /// How long the step works before its commits wait for the disk; with zero, the first commit waits already.
    let patience: Duration
    /// The disk failures so far; `nil` if the disk isn't watched.
    var watch: DiskWatch?

    package init(
      source: SourceStore, program: any StepProgram, path: String, digest: String, metadata: StoreMetadata,
      chunkSize: ChunkSize, externalFolder: String, now: Double, modelCache: Data?, quarantine: QuarantineFiles,
      keeping: AssociationKeeping? = nil, checksPages: Bool = true, small: SmallStore.Beginning? = nil,
      patience: Duration = .zero, watch: DiskWatch? = nil
    ) {
      self.source = source
      self.program = program
      self.path = path
      self.digest = digest
      self.metadata = metadata
      self.chunkSize = chunkSize
      self.externalFolder = externalFolder
      self.now = now
      self.modelCache = modelCache
      self.quarantine = quarantine
      self.keeping = keeping
      self.checksPages = checksPages
      self.small = small
      self.patience = patience
      self.watch = watch
    }

    /// Decant's own tables in the working file, which `StepRun.seal` drops: their CREATE statements by name.
    var workTables: [String: String] {
      needsCheckpoint ? Checkpoint.workTables.merging(program.workTables) { own, _ in own } : program.workTables
    }

    /// Whether there is a checkpoint; in memory it is needed only for statements that read the time.
    var needsCheckpoint: Bool {
      small == nil || program.filling.contains(where: \.readsCheckpoint)
        || program.checking.contains(where: \.readsCheckpoint)
    }
  }
}
