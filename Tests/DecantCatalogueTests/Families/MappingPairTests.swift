import CatalogueSupport
import DecantMapping
import DecantModel
import Foundation
import Testing

@testable import DecantCatalogue

@Suite struct MappingPairTests {
  private let versions = [("Model", note("a")), ("Model 2", note("b")), ("Model 3", note("b", "c"))]

  private func pairs(_ family: Family) -> [String] {
    family.mappingModels.map {
      "\($0.file.name): \(family.versions[$0.source].name) → \(family.versions[$0.destination].name)"
    }
  }

  private func source(_ source: String, _ destination: String, rows: [String] = []) -> String {
    let objects = rows.enumerated().map { index, name in
      "<object type=\"XDDEVATTRIBUTEMAPPING\" id=\"r\(index)\"><attribute name=\"name\" type=\"string\">\(name)</attribute></object>"
    }
    return """
      <database>\(objects.joined())
      <object type="XDDEVENTITYMAPPING" id="e"><attribute name="destinationname" type="string">Note</attribute>
      <relationship name="attributemappings" idrefs="\(rows.indices.map { "r\($0)" }.joined(separator: " "))"/></object>
      <object type="XDDEVMAPPINGMODEL" id="m"><attribute name="sourcemodelpath" type="string">\(source)</attribute>
      <attribute name="destinationmodelpath" type="string">\(destination)</attribute>
      <relationship name="entitymappings" idrefs="e"/></object></database>
      """
  }

  @Test func namesAndFoldersLeadToVersions() throws {
    try CatalogueFolder.with { folder in
      try folder.write(versions, bundle: "Notas/Notas.xcdatamodeld")
      try folder.writeMapping("Notas/One", from: "Model", to: "Model 2")
      try folder.write(
        source("x/Notas.xcdatamodeld/Model 2.xcdatamodel", "x/Renamed.xcdatamodeld/Model 3.xcdatamodel"),
        to: "Notas/Two.xcmappingmodel/xcmapping.xml")
      let family = try folder.family("Notas")
      #expect(pairs(family) == ["One: Model → Model 2", "Two: Model 2 → Model 3"])
      #expect(family.warnings.isEmpty)
    }
  }

  @Test func aStalePathIsMendedWhereOnlyOneVersionFits() throws {
    try CatalogueFolder.with { folder in
      try folder.write(versions, bundle: "Notas/Notas.xcdatamodeld")
      try folder.write(
        source(
          "Notas.xcdatamodeld/Model.xcdatamodel", "Notas.xcdatamodeld/Beta.xcdatamodel", rows: ["b", "c"]),
        to: "Notas/One.xcmappingmodel/xcmapping.xml")
      let family = try folder.family("Notas")
      #expect(pairs(family) == ["One: Model → Model 3"])
      #expect(family.warnings.count == 1 && family.warnings[0].contains("names the version “Notas#Beta”"))
    }
  }

  @Test func aTextFromAVersionToItselfHoldsTheFamily() throws {
    try CatalogueFolder.with { folder in
      try folder.write(versions, bundle: "Notas/Notas.xcdatamodeld")
      try folder.writeMapping("Notas/Two", from: "Model 2", to: "Model 2")
      let error = #expect(throws: FamilyError.self) { try folder.family("Notas") }
      #expect(error?.description.contains("its source and its destination are both “Model 2”") == true)
    }
  }

  @Test func twoNamesOfOneVersionAreAWarning() throws {
    try CatalogueFolder.with { folder in
      try folder.write(versions + [("Copy", note("a"))], bundle: "Notas/Notas.xcdatamodeld")
      try folder.writeMapping("Notas/Two", from: "Model", to: "Copy")
      let family = try folder.family("Notas")
      #expect(family.mappingModels.isEmpty)
      #expect(
        family.warnings.map { $0.contains("it leads from “Copy” or “Model” to the same version") } == [true])
    }
  }

  @Test func aPairThatCantBeToldHoldsTheFamily() throws {
    let existing =
      "the versions are: Model, Model 2, Model 3. Correct the mapping model, add the missing model, or remove the file"
    for (source, destination, missing) in [
      ("Model", "Model 9", "“Model 9”"), ("Mode", "Model 2", "“Mode”; perhaps “Model” is meant"),
      ("Model", "Modle 3", "“Modle 3”; perhaps “Model 3” is meant"),
    ] {
      try CatalogueFolder.with { folder in
        try folder.write(versions, bundle: "Notas/Notas.xcdatamodeld")
        try folder.writeMapping("Notas/One", from: source, to: destination)
        #expect(
          try folder.fault("Notas")
            == "Notas/One.mapping.json5: the family has no version \(missing); \(existing)")
      }
    }
    for (source, destination, problem) in [
      ("A.xcdatamodel", "Model.xcdatamodel", "the family has no version “A”"),
      ("Model.xcdatamodel", "B.xcdatamodel", "the family has no version “B”"),
      ("", "", "it doesn't say which versions it is for"),
    ] {
      try CatalogueFolder.with { folder in
        try folder.write(versions, bundle: "Notas/Notas.xcdatamodeld")
        try folder.write(
          self.source(source, destination), to: "Notas/Three.xcmappingmodel/xcmapping.xml")
        #expect(try folder.fault("Notas") == "Notas/Three.xcmappingmodel: \(problem); \(existing)")
      }
    }
  }

  @Test func passesAreInTheStatedOrder() throws {
    try CatalogueFolder.with { folder in
      try folder.write(versions, bundle: "Notas/Notas.xcdatamodeld")
      try folder.writeMapping("Notas/A", from: "Model", to: "Model 2", order: 2)
      try folder.writeMapping("Notas/B", from: "Model", to: "Model 2", order: 1)
      #expect(try folder.family("Notas").mappingModels(from: 0, to: 1).map(\.file.name) == ["B", "A"])
      try folder.write("{ order: [\"A\", \"B\"] }", to: "Notas/family.json5")
      #expect(try folder.family("Notas").mappingModels(from: 0, to: 1).map(\.order) == [0, 1])
      #expect(try folder.family("Notas").mappingModels(from: 0, to: 1).map(\.file.name) == ["A", "B"])
    }
  }
}
