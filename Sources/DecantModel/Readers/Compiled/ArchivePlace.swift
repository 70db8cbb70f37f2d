internal import KeyedArchive

/// States the place in a model where an archive has a fault.
enum ArchivePlace {
  /// Runs the body, and adds the place to errors of the archive that have none.
  static func at<Result>(_ place: String, _ body: () throws -> Result) throws(ModelError) -> Result {
    do {
      return try body()
    } catch let error as ModelError {
      throw error
    } catch let error as ArchiveError {
      throw .archive(place: place, reason: error.description)
    } catch {
      throw .archive(place: place, reason: "\(error)")
    }
  }
}
