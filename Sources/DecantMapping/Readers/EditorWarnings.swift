internal import DecantModel

/// What a reader of the editor's form has skipped, and other faults that don't end the reading.
struct EditorWarnings {
  /// Objects without a reference to them, by type.
  var orphans: [String: Int] = [:]
  /// Entity mappings with neither source nor destination.
  var unfinished = 0
  /// Rows without a property's name.
  var nameless = 0
  /// References to missing objects.
  var dangling = 0
  /// References to objects that an earlier reference names, too.
  var repeated = 0
  var others: [String] = []

  var sentences: [String] {
    var sentences: [String] = []
    let orphaned = orphans.values.reduce(0, +)
    if orphaned > 0 {
      sentences.append(
        "\(counted(orphaned, "unused object")) of earlier editing \(isOrAre(orphaned)) ignored"
      )
    }
    if unfinished > 0 {
      sentences.append(
        "\(counted(unfinished, "entity mapping")) with neither source nor destination \(isOrAre(unfinished)) ignored"
      )
    }
    if nameless > 0 {
      sentences.append("\(counted(nameless, "row")) without a property's name \(isOrAre(nameless)) ignored")
    }
    if dangling > 0 {
      sentences.append(
        "\(counted(dangling, "reference")) to missing objects \(isOrAre(dangling)) ignored")
    }
    if repeated > 0 {
      sentences.append(
        "\(counted(repeated, "further reference")) to objects that were already read \(isOrAre(repeated)) ignored"
      )
    }
    return sentences + others
  }

  private func isOrAre(_ count: Int) -> String { count == 1 ? "is" : "are" }
}

/// Limits for a mapping model of unknown origin.
package enum MappingLimits {
  /// The largest number of entity mappings; the largest genuine mapping model seen has 61.
  static let entityMappings = 2_000
  /// The allowed numbers of rows in a chunk, in mapping models and in options.
  package static let chunkRows = 1...100_000_000
  static let chunkPredicates = 1_000
  /// The largest time limit of a policy program for one batch, in seconds: a day.
  static let programSeconds = 86_400.0
  static let programWords = 256
}
