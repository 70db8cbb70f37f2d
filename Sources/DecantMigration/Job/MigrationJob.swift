public import DecantCatalogue
internal import DecantEngine
internal import DecantModel
public import DecantPolicies
package import DecantReport
internal import DecantRows
internal import FileNames
public import Foundation

/// One store that is to be brought to another model version.
public struct MigrationJob: Sendable {
  /// Which process runs a job, where that matters.
  public enum Runner: Sendable, Hashable {
    /// Whoever it is.
    case any
    /// Decant's own worker, for families that name none.
    case shipped
    /// The worker of that path, for families that name it.
    case worker(String)
  }

  /// The store file; neither it nor anything beside it is ever written.
  public var source: URL
  /// The file to make; its external data goes beside it.
  public var output: URL
  /// A folder of the job's own on the output's file system: it holds what a later run needs to go on, and it is
  /// empty or gone when a run has ended well.
  public var workFolder: URL
  /// The catalogue: a folder with one folder for each family.
  public var catalogue: URL
  /// Only this family is looked at; `nil` for all.
  public var family: String?
  /// The name of the destination version; `nil` for the family's target.
  public var target: String?
  /// Writes the store anew also where it is at the target already.
  public var rewrite: Bool
  /// The rows of a chunk; `nil` for the engine's choice.
  public var chunkSize: Int?
  /// Whether the external files of the result may be further names of the source's files, where they lie on one file
  /// system; only for a source that nobody else writes to.
  public var linksExternalFiles: Bool
  /// Whether a file with the associations is left beside the output; the family may ask for it too.
  public var keepsAssociations: Bool
  /// Whether the pages and indexes of the source and of the result are looked at; without that a damaged store may give
  /// a result that lacks what can't be read.
  public var checksPages: Bool
  /// Whether losses that the family doesn't accept refuse the store, also where its `dataLoss` only reports them.
  public var refusesLosses: Bool
  /// The time of the claim, which `now()` stands for; a resumed run takes that of the run that began.
  public var claimedAt: Date
  /// The policy classes that mapping models may name.
  public var policies: PolicyRegistry
  /// A job that another process has to run is refused with the reason `other-worker`.
  public var runner: Runner

  /// The store's file name as people read it.
  var storeName: String { PathText.name(of: source.path).description }

  /// Told of each place before the work there begins, and of none when it is done; called often, on the step's queue.
  package var placeRecorder: WorkPlace.Recorder?
  /// What earlier jobs of the process have read and this one needn't read again; `nil` for nothing.
  public var shelf: CatalogueShelf?

  /// Whether the output is durable when the run ends; where it need not be, the caller makes its folder durable, with all
  /// that is in it.
  package var syncsOutput = true
  /// Whether the report tells the digests of source and result, for which all of them is read.
  package var digestsFiles = true
  /// Whether a durable result is noted in the work folder (`ResultNote`), which the caller removes when it has the
  /// result.
  package var notesResult = false
  /// Seconds between two looks at whether to go on, once all steps are done.
  package var finishBeat = 1.0
  /// Whether the store was dropped, so that a request file and no option says what is wanted.
  package var isOfDrop = false
  /// What disks have failed at since the attempt began.
  var watch: DiskWatch?
  /// What a store that is built in memory may grow to, in bytes.
  var smallStoreMemory = SmallStore.mostMemory
  /// Whether entity mappings run row by row also where they could run over sets of rows: both give the same result.
  package var goesByRows = false
  /// The step between two models that takes the catalogue's place.
  var direct: DirectStep?
  /// The manager whose contexts show the step's objects; `nil` for one of the step's own.
  var manager: OwnManager?

  /// What the result depends on besides the store and the catalogue's content; what only refuses a result is no part of
  /// it.
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
