import DecantModel
import PredicateFormat
import Testing

@testable import DecantMapping

/// The findings about entity mappings in a text, as `severity mapping.property: problem. advice`.
func findings(
  _ mappings: String, from source: ManagedObjectModel? = nil, to destination: ManagedObjectModel? = nil,
  header: String = "", passes: [MappingModel] = []
) throws -> [String] {
  let (from, to) = try checkedModels()
  let (source, destination) = (source ?? from, destination ?? to)
  let text = "{ source: \"One\", destination: \"Two\", \(header) entityMappings: [\(mappings)] }"
  let reading = try readText(text)
  let model = try reading.compiled(from: source, to: destination)
  return MappingCheck.findings(
    in: model, from: source, to: destination, reading: reading, passes: passes
  ).map { finding in
    let place = [finding.entityMapping, finding.property].compactMap { $0 }.joined(separator: ".")
    return "\(finding.severity) \(place): \(finding.problem). \(finding.advice)"
  }
}

/// The source model and the destination model that texts are checked with.
func checkedModels() throws -> (ManagedObjectModel, ManagedObjectModel) {
  (
    try model(
      entity("Thing", isAbstract: true, [optional("kind")]),
      entity(
        "Note", under: "Thing",
        [
          optional("title"), required("count", .integer64), optional("when", .date), transient("cached"),
          optional("rate", .double), optional("file", .binary),
        ], [toOne("author", "Person"), toMany("tags", "Tag")]),
      entity("Person", [required("name")], [toMany("notes", "Note")]), entity("Tag", [optional("word")])),
    try model(
      entity("Thing", isAbstract: true, [optional("kind")]),
      entity(
        "Note", under: "Thing",
        [
          optional("title"), required("count", .integer64), optional("when", .date),
          optional("small", .integer16),
        ],
        [toOne("author", "Person"), toMany("tags", "Tag")]),
      entity("Person", [required("name")]), entity("Tag", [optional("word")]),
      entity("Strict", [required("must"), required("has", default: .string("x"))])
    )
  )
}

/// The entity mappings for the destinations of the notes' relationships.
let mappedPeople =
  "{ source: 'Person', destination: 'Person' }, { source: 'Tag', destination: 'Tag' },"

/// The findings about the entity mapping `NoteToNote` with these keys.
func noteFindings(_ keys: String) throws -> [String] {
  try findings("\(mappedPeople) { source: 'Note', destination: 'Note', \(keys) }")
}
