import DecantMigration
import Foundation
import Testing

@testable import DecantReport

@Suite("Reasons of failures")
struct FailureReasonTests {
  @Test("JSON has only the word of a failure's reason, and reading gives the whole reason")
  func words() throws {
    let data = try JSONEncoder().encode(MigrationFailure(.noRoom, message: "Full."))
    #expect(String(decoding: data, as: UTF8.self).contains(#""reason":"no-room""#))
    let read = try JSONDecoder().decode(MigrationFailure.self, from: data)
    #expect(read.reason == .noRoom && read.reason.exitCodes == [74, 75] && read.disposition == .retry)
  }

  @Test("an unknown word of a reason is kept, and the disposition gives the exit code")
  func unknown() throws {
    let text = #"{"disposition":"catalogue","reason":"no-moon","message":"None.","advice":"Wait."}"#
    let failure = try JSONDecoder().decode(MigrationFailure.self, from: Data(text.utf8))
    #expect(failure.reason.word == "no-moon" && failure.exitCode == 78 && failure.coreDataCode == nil)
    let again = String(decoding: try JSONEncoder().encode(failure), as: UTF8.self)
    #expect(again.contains(#""reason":"no-moon""#))
  }

  @Test("the reason gives a new failure Core Data's code, but not a failure that is read")
  func codes() throws {
    #expect(MigrationFailure(.dataLoss, message: "").coreDataCode == 134_110)
    let text = #"{"disposition":"refuse","reason":"data-loss","message":"","advice":""}"#
    #expect(try JSONDecoder().decode(MigrationFailure.self, from: Data(text.utf8)).coreDataCode == nil)
  }

  @Test("exit codes: 64 for an unknown target, 66 for no catalogue, 74 for the disk, 75 for a retry")
  func usage() {
    #expect(MigrationFailure(.unknownTarget, message: "").exitCode == 64)
    #expect(MigrationFailure(.noCatalogue, message: "").exitCode == 66)
    #expect(MigrationFailure(.disk, message: "").exitCode == 74)
    #expect(MigrationFailure(.sqlite, .retry, message: "").exitCode == 75)
  }
}
