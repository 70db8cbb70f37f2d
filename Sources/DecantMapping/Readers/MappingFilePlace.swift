internal import Foundation

/// The place and the form of a mapping model.
struct MappingFilePlace {
  enum Form: String, CaseIterable {
    case editor = ".xcmappingmodel"
    case text = ".mapping.json5"
    case compiled = ".cdm"
  }

  let url: URL
  let form: Form
  /// The file's name without its extension.
  let name: String

  init(_ url: URL) throws(MappingModelError) {
    let fileName = url.lastPathComponent
    guard let form = Form.allCases.first(where: { fileName.hasSuffix($0.rawValue) }) else {
      throw .unknownForm(path: url.path)
    }
    self.url = url
    self.form = form
    name = String(fileName.dropLast(form.rawValue.count))
  }

  var content: URL { form == .editor ? url.appendingPathComponent("xcmapping.xml") : url }
}
