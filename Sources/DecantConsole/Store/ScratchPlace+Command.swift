package import DecantStore
internal import FileNames

extension ScratchPlace {
  package static func forCommand() throws(CommandFailure) -> ScratchPlace {
    let folder = ScratchPlace()
    do throws(StoreError) {
      try folder.make()
    } catch {
      throw CommandFailure(
        .cantCreate,
        "The folder \(PathText.folder(of: folder.path)) for temporary files can't be written to. \(error)",
        advice: "Set TMPDIR to a folder that you can write to.")
    }
    return folder
  }
}
