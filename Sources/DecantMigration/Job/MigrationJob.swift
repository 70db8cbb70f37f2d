public import DecantCatalogue
internal import DecantEngine
internal import DecantModel
public import DecantPolicies
package import DecantReport
internal import DecantRows
internal import FileNames
public import Foundation

/// The migration of one store to another model version.
public struct MigrationJob: Sendable {
  /// The process that may run a job.
  public enum Runner: Sendable, Hashable {
    /// Any process.
    case any
    /// Decant's own worker, for families that name none.
    case shipped
    /// The worker at this path, for families that name it.
    case worker(String)
  }

  /// How an inferred step makes its file.
  package enum InferredWay: Sendable {
    /// The step changes a copy of the source, if that is possible.
    case inPlace
    /// The step writes all rows into a new file.
    case anew
  }

  /// The store file.
  ///
  /// Decant never writes to it or to the files beside it.
  public var source: URL
  /// The file to make.
  ///
  /// The output's external data goes to the same folder.
  public var output: URL
  /// The job's own folder, on the output's file system.
  ///
  /// The folder holds what a later run needs to continue. After a successful run the folder is empty or gone, unless
  /// `notesResult` is set.
  public var workFolder: URL
  /// The catalogue: a folder with one folder for each family, the folder of one family, or a model bundle.
  public var catalogue: URL
  /// Read only this family; `nil` for all.
  public var family: String?
  /// The name of the destination version; `nil` for the family's target.
  public var target: String?
  /// Write the store again even if it has the target version.
  public var rewrite: Bool
  /// The number of rows in a chunk; `nil` for the size that the entity mapping or the family states, else for the
  /// engine's choice.
  public var chunkSize: Int?
  /// Whether external files of the result may be hard links to the source's files on the same file system.
  ///
  /// Set this only if no other program writes to the source.
  public var linksExternalFiles: Bool
  /// Whether to keep a file with the associations beside the output; the family may ask for it, too.
  public var keepsAssociations: Bool
  /// Whether to check the pages and indexes of source and result.
  ///
  /// Without the check, the result of a damaged store may lack values that can't be read.
  public var checksPages: Bool
  /// Whether losses that the family doesn't accept refuse the store, even if its `dataLoss` only reports them.
  public var refusesLosses: Bool
  /// When the job was claimed; this time is the value of `now()`.
  ///
  /// A resumed run keeps the first run's value.
  public var claimedAt: Date
  /// The policy classes that mapping models may name.
  public var policies: PolicyRegistry
  /// The process that runs the job.
  ///
  /// If the job needs another process, it is refused with the reason `other-worker`.
  public var runner: Runner

  /// The store's file name in readable form.
  var storeName: String { PathText.name(of: source.path).description }

  /// Called with each place before the work there begins, and with `WorkPlace.nowhere` after the work.
  ///
  /// The recorder is called often, on the step's queue.
  package var placeRecorder: WorkPlace.Recorder?
  /// The cache of what earlier jobs of the process have read; `nil` for none.
  public var shelf: CatalogueShelf?

  /// Whether the output is durable when the run ends.
  ///
  /// If not, the caller syncs the output's folder with all its content.
  package var syncsOutput = true
  /// Whether the report has the digests of source and result; both are read completely for them.
  ///
  /// Always false without `checksPages`.
  package var digestsFiles: Bool {
    get { wantsDigests && checksPages }
    set { wantsDigests = newValue }
  }
  private var wantsDigests = true
  /// Whether a durable result is noted in the work folder (`ResultNote`).
  ///
  /// The caller removes this note after the result is delivered.
  package var notesResult = false
  /// The time between two progress reports after all steps are done, in seconds.
  package var finishBeat = 1.0
  /// Whether the store is a drop of a spool.
  ///
  /// Advice then speaks of a request file and not of options of the command.
  package var isOfDrop = false
  /// The disk failures since the attempt began.
  var watch: DiskWatch?
  /// The maximum size of a source whose new store is built in memory, in bytes.
  var mostSmallBytes = SmallStore.mostBytes
  /// The maximum size of a store that is built in memory, in bytes.
  var smallStoreMemory = SmallStore.mostMemory
  /// How long a step without a stated chunk size works before its commits wait for the disk.
  var patience = StepRun.usualPatience
  /// Whether all entity mappings run row by row.
  ///
  /// Running them over sets of rows gives the same result.
  package var goesByRows = false
  /// Whether consecutive inferred steps become one step where that gives the same store.
  var joinsSteps = true
  /// How inferred steps make their files; `nil` for the way that is estimated to be quicker.
  package var inferredWay: InferredWay?
  /// A step between two models in memory; the catalogue isn't read then.
  var direct: DirectStep?
  /// The manager whose contexts show the step's objects; with `nil`, the step makes its own manager.
  var manager: DirectCall?

  /// The settings that must be unchanged when an earlier result is delivered (`ResultNote`).
  ///
  /// Settings that can only refuse the result aren't among them.
  var arguments: [FileName] {
    [
      catalogue.path, family ?? "", target ?? "", rewrite ? "rewrite" : "",
      keepsAssociations ? "associations" : "", checksPages ? "" : "unchecked",
    ].map { FileName($0) }
  }

  public init(
    source: URL, output: URL, workFolder: URL, catalogue: URL, family: String? = nil, target: String? = nil,
    rewrite: Bool = false, chunkSize: Int? = nil, linksExternalFiles: Bool = false,
    keepsAssociations: Bool = false, checksPages: Bool = true, refusesLosses: Bool = false,
    claimedAt: Date = Date(),
    policies: PolicyRegistry = PolicyRegistry(),
    runner: Runner = .any
  ) {
    self.source = source
    self.output = output
    self.workFolder = workFolder
    self.catalogue = catalogue
    self.family = family
    self.target = target
    self.rewrite = rewrite
    self.chunkSize = chunkSize
    self.linksExternalFiles = linksExternalFiles
    self.keepsAssociations = keepsAssociations
    self.checksPages = checksPages
    self.refusesLosses = refusesLosses
    self.claimedAt = claimedAt
    self.policies = policies
    self.runner = runner
  }
}
