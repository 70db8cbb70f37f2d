import DecantModel
import DecantTestSupport
import Foundation
import PredicateFormat

@testable import DecantPolicyPrograms

/// A family's folder for a policy program, and the program's input.
struct ProgramWorkshop {
  let folder: TemporaryFolder
  let model: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder("decant-program")
    let text = """
      Everything
        flag Bool?
        small Int16?
        middle Int32?
        large Int64?
        price Decimal?
        real Double?
        single Float?
        text String?
        moment Date?
        bytes Binary?
        identifier UUID?
        link URI?
        thing Transformable?
        number Int64? derived 'text.length'
        next -> Everything.previous
        previous -> Everything.next
        tags ->> Tag.everythings
      Tag
        name String?
        everythings ->> Everything.tags
      """
    let file = try folder.write(ModelText(text).contents, to: "Notes.xcdatamodeld/One.xcdatamodel/contents")
    model = try ModelBundle.read(at: file.deletingLastPathComponent()).currentVersion().model
  }

  var hello: PolicyProgramHello {
    PolicyProgramHello(
      pass: "Step", entityMapping: "EverythingToEverything", source: ("Everything", model),
      destination: "Everything",
      model: model)
  }

  /// A shell program that answers the hello with `hello`, and then runs `body`.
  func shell(
    _ body: String, hello: String = "read -r hello; echo '{\"hello\": {\"protocol\": 1}}'",
    limits: PolicyProgramLimits = PolicyProgramLimits()
  ) throws -> PolicyProgram {
    let file = try folder.write("#!/bin/sh\n\(hello)\n\(body)\n", to: "policy")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    return PolicyProgram(words: ["./policy"], folder: folder.url.path, limits: limits)
  }

  /// A batch of `count` objects, each with a text of `textBytes` bytes.
  static func batch(_ count: Int = 2, textBytes: Int = 1) -> PolicyProgramBatch {
    PolicyProgramBatch(
      source: (0..<count).map { number in
        PolicyProgramBatch.SourceObject(
          key: Int64(number + 1), entity: "Everything",
          values: ["text": .string(String(repeating: "x", count: textBytes))], relationships: [:])
      })
  }

  /// Starts the program, exchanges one batch, and finishes the program.
  func run(_ program: PolicyProgram, batch: PolicyProgramBatch = batch()) throws(PolicyProgramError)
    -> PolicyProgramAnswer
  {
    try program.start(hello)
    let answer = try program.exchange(batch)
    try program.finish()
    return answer
  }

  /// The path of `python3`, if it is installed.
  static let python: String? = try? ProgramPath.resolve("python3", in: "/")
}
