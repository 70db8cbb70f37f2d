import DecantMigration
import Foundation
import Testing

@testable import DecantReport

@Suite("Reasons of failures")
struct FailureReasonTests {
  @Test("a failure is written with the word alone, and read with what the reason means")
  func words() throws {
    let data = try JSONEncoder().encode(MigrationFailure(.noRoom, message: "Full."))
    #expect(String(decoding: data, as: UTF8.self).contains(#""reason":"no-room""#))
    let read = try JSONDecoder().decode(MigrationFailure.self, from: data)
    #expect(read.reason == .noRoom && read.reason.exitCodes == [74, 75] && read.disposition == .retry)
  }

  @Test("a word of another version is kept, and its exit code is that of the disposition")
  func unknown() throws {
    let text = #"{"disposition":"catalogue","reason":"no-moon","message":"None.","advice":"Wait."}"#
    let failure = try JSONDecoder().decode(MigrationFailure.self, from: Data(text.utf8))
    #expect(failure.reason.word == "no-moon" && failure.exitCode == 78 && failure.coreDataCode == nil)
    let again = String(decoding: try JSONEncoder().encode(failure), as: UTF8.self)
    #expect(again.contains(#""reason":"no-moon""#))
  }

  @Test("Core Data's code comes with the reason, and isn't added to a failure that is read")
  func codes() throws {
    #expect(MigrationFailure(.dataLoss, message: "").coreDataCode == 134_110)
    let text = #"{"disposition":"refuse","reason":"data-loss","message":"","advice":""}"#
    #expect(try JSONDecoder().decode(MigrationFailure.self, from: Data(text.utf8)).coreDataCode == nil)
  }

  @Test("names from the command line that aren't there are its faults, also with kept work")
  func usage() {
    #expect(MigrationFailure(.unknownTarget, message: "").exitCode == 64)
    #expect(MigrationFailure(.noCatalogue, message: "").exitCode == 66)
    #expect(MigrationFailure(.disk, message: "").exitCode == 74)
    #expect(MigrationFailure(.sqlite, .retry, message: "").exitCode == 75)
  }
}
