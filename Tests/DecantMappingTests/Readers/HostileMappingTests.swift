import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import PredicateFormat
import Testing

@testable import DecantMapping

/// A damaged file gives an error or a mapping model, and never crashes the reader.
@Suite struct HostileMappingTests {
  /// A random number generator with the same numbers in every run.
  private struct Changes: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  /// Reads many damaged forms of a file, and uses the readable ones.
  private func spoil(_ data: Data, ending: String, count: Int) throws {
    let (source, destination) = try TextMappingTests.models()
    var changes = Changes(state: 4)
    try withTemporaryFolder { folder in
      let place = folder.appendingPathComponent("Some\(ending)")
      var file = place
      if ending == ".xcmappingmodel" {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        file = place.appendingPathComponent("xcmapping.xml")
      }
      for _ in 0..<count {
        var bytes = [UInt8](data)
        for _ in 0...Int.random(in: 0...2, using: &changes) {
          let at = Int.random(in: 0..<bytes.count, using: &changes)
          switch Int.random(in: 0...3, using: &changes) {
          case 0: bytes[at] = UInt8.random(in: 0...255, using: &changes)
          case 1: bytes.remove(at: at)
          case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &changes)], at: at)
          default: bytes.removeSubrange(at..<min(bytes.count, at + 40))
          }
          if bytes.isEmpty { bytes = [0] }
        }
        try Data(bytes).write(to: file)
        guard let reading = try? MappingModelReading.read(at: place),
          let model = try? reading.compiled(from: source, to: destination)
        else { continue }
        _ = MappingCheck.findings(in: model, from: source, to: destination, reading: reading)
        let text = MappingModelText.text(of: model, from: source, to: destination)
        _ = try readText(text).compiled(from: source, to: destination)
      }
    }
  }

  @Test func aSpoiledText() throws {
    try spoil(Data(TextMappingTests.notes.utf8), ending: ".mapping.json5", count: 400)
  }

  @Test func aSpoiledSource() throws {
    var text = EditorText()
    let rows = [try text.attribute("texto"), try text.attribute("momento", .source("fecha"))]
    let links = [
      text.relationship("madre", [("sourcemappingname", "NotaToNota"), ("sourcekeypath", "$source.madre")])
    ]
    let mapping = text.mapping(
      [
        ("sourcename", "Nota"), ("destinationname", "Nota"),
        ("sourcefilterpredicatestring", "texto \\u3c00 'x'"),
      ],
      rows: rows, relationships: links)
    try spoil(
      Data(text.document([mapping], data: [("sourcemodeldata", EditorText.model(["A": ["x"]]))]).utf8),
      ending: ".xcmappingmodel", count: 400)
  }

  @Test func aSpoiledCompiledFile() throws {
    var writer = ArchiveWriter()
    let row = writer.add("NSPropertyMapping", ["NSDestinationPropertyName": writer.text("texto")])
    let mapping = writer.add(
      "NSEntityMapping",
      [
        "NSMappingName": writer.text("NotaToNota"), "NSMappingType": .integer(5),
        "NSSourceEntityName": writer.text("Nota"), "NSDestinationEntityName": writer.text("Nota"),
        "NSAttributeMappings": writer.array([row]), "NSUserInfo": writer.dictionary([("a", .string("b"))]),
      ])
    let root = writer.add("NSMappingModel", ["NSEntityMappings": writer.array([mapping])])
    try spoil(writer.data(root: root), ending: ".cdm", count: 400)
  }

  @Test func moreEntityMappingsThanAnyoneNeedsAreRefused() throws {
    let many = Array(repeating: "{ source: \"A\" }", count: MappingLimits.entityMappings + 1)
    #expect(throws: MappingModelError.self) {
      try readText("{ source: 'A', destination: 'B', entityMappings: [\(many.joined(separator: ","))] }")
    }
  }

  @Test func whatIsNoRegularFileIsRefused() throws {
    try withTemporaryFolder { folder in
      let pipe = folder.appendingPathComponent("Some.cdm")
      #expect(mkfifo(pipe.path, 0o600) == 0)
      #expect(throws: MappingModelError.malformed(path: pipe.path, reason: "it isn't a regular file")) {
        try MappingModelReading.read(at: pipe)
      }
      #expect(throws: MappingModelError.malformed(path: pipe.path, reason: "it isn't a regular file")) {
        try MappingModelFile.read(at: pipe)
      }
    }
  }
}
