import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// Gives an attachment what version 4 requires of pictures: a caption from the note's text, and a size.
final class AttachmentToImageAttachmentMigrationPolicyV3toV4: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    let body = sInstance.value(forKeyPath: "note.body") as? String ?? ""
    let image = sInstance.value(forKey: "image") as? Data
    made.first?.setValue(String(body.prefix(80)), forKey: "caption")
    made.first?.setValue(Float(image?.count ?? 0), forKey: "width")
    made.first?.setValue(Float(1.5), forKey: "height")
  }
}

@Suite("Heavy: notes", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct NotesTests {
  @Test("notes with a picture get an attachment, and attachments become picture attachments")
  func pictures() throws {
    let family = try HeavyFamily(
      "mapping/notes",
      .generated(
        version: "UnCloudNotesDataModel v2", rows: 60,
        then: "UPDATE ZNOTE SET ZIMAGE = X'0102' WHERE Z_PK % 3 > 0; UPDATE ZNOTE SET ZDATECREATED = Z_PK;"),
      policies: [
        "UnCloudNotes.AttachmentToImageAttachmentMigrationPolicyV3toV4":
          AttachmentToImageAttachmentMigrationPolicyV3toV4.self
      ])
    let result = try family.checkEveryManner(to: nil, sizes: [1, 7], stopSize: 5)
    let notes = result.source.all("Note")
    let pictures = notes.filter { $0.object.attributes["image"] != nil }
    #expect(
      result.report.steps.map(\.passes)
        == [["UnCloudNotesMappingModel_v2_to_v3"], ["UnCloudNotesMappingModel_v3_to_v4"]])
    #expect(
      result.allAccounts == [
        "NoteToAttachment 60 = \(pictures.count) + \(60 - pictures.count)", "NoteToNote 60 = 60",
        "NoteToNote 60 = 60", "AttachmentToImageAttachment \(pictures.count) = \(pictures.count)",
      ])
    #expect(result.counts == ["Note": 60, "ImageAttachment": pictures.count])
    for (key, note) in notes {
      let now = try #require(result.store.objects[key])
      let attachments = (now.toMany["attachments"] ?? []).compactMap { result.store.objects[$0] }
      #expect(attachments.map { $0.attributes["image"] } == [note.attributes["image"]].filter { $0 != nil })
      #expect(attachments.allSatisfy { $0.text("caption") == note.text("body").map { String($0.prefix(80)) } })
      #expect(attachments.allSatisfy { $0.number("width") == Double(note.data("image")?.count ?? 0) })
      #expect(now.text("title") == note.text("title") && now.number("dateCreated") == Double(key.key))
    }
    try family.checkRefusal(
      to: nil, naming: "UnCloudNotes.AttachmentToImageAttachmentMigrationPolicyV3toV4",
      in: "UnCloudNotesMappingModel_v3_to_v4.xcmappingmodel")
  }
}
