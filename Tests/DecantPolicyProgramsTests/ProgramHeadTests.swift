import DecantTestSupport
import Foundation
import Testing

@testable import DecantPolicyPrograms

/// A program that can't be started because of its first line is refused before anything runs.
@Suite struct ProgramHeadTests {
  private func problem(_ text: String) throws -> String? {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "policy.py")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("policy.py"))
    do throws(PolicyProgramError) {
      try PolicyProgram(words: ["./policy.py"], folder: folder.path("")).check()
      return nil
    } catch {
      let text = "\(error)"
      #expect(text.contains("policy.py”") && !text.contains("/./"), "\(text)")
      return text
    }
  }

  @Test(arguments: [
    ("import sys\n", "isn't a “#!” line"), ("#!\n", "names no program"),
    ("#!/nope/python3\n", "names “/nope/python3”, which isn't there"),
    ("#!/usr/bin/env python3\r\nimport sys\r\n", "ends with a carriage return"),
    ("#!/usr/bin/env pyton3-nobody-has\n", "asks for “pyton3-nobody-has”, which isn't in"),
    ("#!/usr/bin/env -S pyton3-nobody-has -u\n", "asks for “pyton3-nobody-has”"),
  ])
  func firstLinesThatLeadNowhere(text: String, problem wanted: String) throws {
    let found = try #require(try problem(text))
    #expect(found.contains(wanted), "\(found)")
  }

  @Test(arguments: [
    "#!/bin/sh\n", "#! /bin/sh -e\n", "#!/usr/bin/env sh\n", "#!/usr/bin/env A=1 sh\n", "\u{7f}ELF",
  ])
  func othersAreLeftToTheSystem(text: String) throws {
    #expect(try problem(text) == nil)
  }
}
