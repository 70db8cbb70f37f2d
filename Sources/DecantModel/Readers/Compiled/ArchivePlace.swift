internal import KeyedArchive

/// Says where in a model an archive is at fault.
enum ArchivePlace {
  /// Runs the body, and gives the errors of the archive that place; errors that have one keep it.
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
