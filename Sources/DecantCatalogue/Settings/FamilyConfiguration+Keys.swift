internal import DecantMapping
internal import DecantModel
internal import FileNames

extension FamilyConfiguration {
  /// A key of `family.json5`: its name, its meaning, and how its value is read.
  ///
  /// The reader and the test of decantd.json5(5) and of docs/catalogue.md use the same list.
  struct Key: Sendable {
    let name: String
    /// The meaning of the key, as in docs/catalogue.md.
    let meaning: String
    /// Puts a value into a configuration; throws for a value of another kind.
    let read: @Sendable (JSON5Value, inout FamilyConfiguration) throws(Fault) -> Void

    init<Value>(
      _ name: String, _ meaning: String, _ kind: Kind<Value>,
      _ put: @escaping @Sendable (inout FamilyConfiguration, Value) -> Void
    ) {
      self.name = name
      self.meaning = meaning
      read = { value, configuration throws(Fault) in
        guard let value = try kind.read(value) else { throw Fault(key: name, expected: kind.words) }
        put(&configuration, value)
      }
    }

    static let all: [Key] = [
      Key("target", "the version to which stores are migrated", .text) { $0.target = $1 },
      Key(
        "path", "the steps that stores take",
        Kind("a list of two or more versions, or a list of pairs of versions", hops)
      ) { $0.path = $1 },
      Key(
        "renames", "renames that the models don't state by renaming identifiers",
        Kind("an object { entities: { … }, properties: { … } }, or a list of them", statedRenames)
      ) { $0.renames = $1 },
      Key("inference", "may steps be inferred?", .word(Inference.self)) { $0.inference = $1 },
      Key("dataLoss", "values without a place in the new version", .word(DataLoss.self)) {
        $0.dataLoss = $1
      },
      Key("cloudKit", "refuse stores that CloudKit mirrors", .word(CloudKit.self)) { $0.cloudKit = $1 },
      Key("validation", "objects that break a rule of the new version", .word(Validation.self)) {
        $0.validation = $1
      },
      Key("order", "the order in which the mapping models of one pair of versions run", Kind(names, order)) {
        $0.order = $1
      },
      Key(
        "worker", "an executable with a team's policy classes",
        Kind("an absolute path of an executable") { $0.string.flatMap { $0.hasPrefix("/") ? $0 : nil } }
      ) { $0.worker = $1 },
      Key(
        "requireExternalData", "refuse a store if the external file of a value is missing", .flag
      ) { $0.requireExternalData = $1 },
      Key("chunkSize", "the number of rows in a chunk", .integer(in: MappingLimits.chunkRows)) {
        $0.chunkSize = $1
      },
      Key(
        "keepAssociations", "keep a file beside every result that maps source objects to destination objects",
        .flag
      ) {
        $0.keepAssociations = $1
      },
      Key("rewrite", "inferred steps write a new file, also where changing a copy is quicker", .flag) {
        $0.rewrite = $1
      },
      Key("unknownVersions", "stores of an unknown version", .word(UnknownVersions.self)) {
        $0.unknownVersions = $1
      },
      Key("configuration", "the configuration of the family's stores", .text) { $0.configuration = $1 },
      Key(
        "acceptStaleHashes", "use mapping models by names",
        Kind("true, false or \(names)") { value in
          value.boolean.map { $0 ? .accept : .refuse } ?? value.strings.map(StaleHashes.acceptIn)
        }
      ) { $0.acceptStaleHashes = $1 },
      Key(
        "acceptedLosses", "losses that are intended",
        Kind("a list of \"Entity\" and \"Entity.property\"", losses)
      ) { $0.acceptedLosses = $1 },
      Key("strayRows", "rows of no entity", .word(StrayRows.self)) { $0.strayRows = $1 },
    ]

    private static let names = "a list of mapping models' names"
  }

  /// A kind of value: its words after “must be”, and the function that reads it.
  ///
  /// The function returns `nil` for a value of another kind.
  struct Kind<Value>: Sendable {
    let words: String
    let read: @Sendable (JSON5Value) throws(Fault) -> Value?

    init(_ words: String, _ read: @escaping @Sendable (JSON5Value) throws(Fault) -> Value?) {
      self.words = words
      self.read = read
    }

    static var text: Kind<String> {
      Kind<String>("a text in quotes") { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
    }
    static var flag: Kind<Bool> { Kind<Bool>("true or false", \.boolean) }

    static func integer(in range: ClosedRange<Int>) -> Kind<Int> {
      Kind<Int>("a whole number from \(range.lowerBound) to \(range.upperBound)") {
        $0.integer.flatMap { range.contains($0) ? $0 : nil }
      }
    }

    static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(_: Word.Type) -> Kind<Word> {
      Kind<Word>("one of: " + Word.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")) {
        $0.string.flatMap(Word.init)
      }
    }
  }

  struct Fault: Error {
    let problem: String

    init(_ problem: String) { self.problem = problem }

    init(key: String, expected: String) { problem = "“\(key)” must be \(expected)" }
  }
}
