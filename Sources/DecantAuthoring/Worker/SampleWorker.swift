/// The worker that `decant worker new` writes without models of an app: notes whose keywords become topics.
enum SampleWorker {
  /// The files of the catalogue, by their paths below it.
  static let catalogue: [(path: String, text: String)] = [
    ("Notes/Notes.xcdatamodeld/Notes.xcdatamodel/contents", oldModel),
    ("Notes/Notes.xcdatamodeld/Notes 2.xcdatamodel/contents", newModel),
    ("Notes/Notes.xcdatamodeld/.xccurrentversion", currentVersion),
    ("Notes/Keywords.mapping.json5", mapping),
  ]

  private static let oldModel = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        <entity name="Note" representedClassName="Note" syncable="YES">
            <attribute name="created" optional="YES" attributeType="Date"/>
            <attribute name="keywords" optional="YES" attributeType="String"/>
            <attribute name="text" optional="YES" attributeType="String"/>
        </entity>
    </model>

    """

  private static let newModel = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        <entity name="Note" representedClassName="Note" syncable="YES">
            <attribute name="created" optional="YES" attributeType="Date"/>
            <attribute name="text" optional="YES" attributeType="String"/>
            <attribute name="title" optional="YES" attributeType="String"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Nullify"
                destinationEntity="Topic" inverseName="notes" inverseEntity="Topic"/>
        </entity>
        <entity name="Topic" representedClassName="Topic" syncable="YES">
            <attribute name="name" attributeType="String"/>
            <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify"
                destinationEntity="Note" inverseName="topics" inverseEntity="Note"/>
        </entity>
    </model>

    """

  private static let currentVersion = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
        <key>_XCCurrentVersionName</key>
        <string>Notes 2.xcdatamodel</string>
    </dict>
    </plist>

    """

  private static let mapping = """
    // The class NotePolicy makes a topic of each keyword.
    {
      source: "Notes", destination: "Notes 2",
      entityMappings: [{ name: "NoteToNote", source: "Note", destination: "Note", policy: "NotePolicy" }],
    }

    """

  static let policy = """
    import CoreData

    /// Makes one note from each note, with a title, and one topic from each distinct keyword.
    class NotePolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
      ) throws {
        guard let old = sInstance as? Note else { throw CocoaError(.coderInvalidValue) }
        let new = Note(context: manager.destinationContext)
        new.text = old.text
        new.created = old.created
        new.title = Self.title(of: old.text)
        for name in Self.names(in: old.keywords).sorted() {
          try topic(name, in: manager.destinationContext).addToNotes(new)
        }
        manager.associate(sourceInstance: old, withDestinationInstance: new, for: mapping)
      }

      /// The topic of that name: the one that an earlier note has made, or a new one.
      private func topic(_ name: String, in context: NSManagedObjectContext) throws -> Topic {
        let request: NSFetchRequest<Topic> = Topic.fetchRequest()
        request.predicate = NSPredicate(format: "name == %@", name)
        if let known = try context.fetch(request).first { return known }
        let topic = Topic(context: context)
        topic.name = name
        return topic
      }

      /// The first 40 characters of the first line that isn't empty.
      static func title(of text: String?) -> String? {
        text?.split(whereSeparator: \\.isNewline).first.map { String($0.prefix(40)) }
      }

      /// The words of the keywords, each once.
      static func names(in keywords: String?) -> Set<String> {
        let words = (keywords ?? "").split { $0.isWhitespace || $0 == "," }
        return Set(words.map { String($0).precomposedStringWithCanonicalMapping })
      }
    }

    """

  static let test = """
      @Test("every note is there, with a title, and has the topics of its keywords")
      func notes() throws {
        let run = try Rehearsal(.all[0])
        let old = try run.source.objects("Note")
        let new = try run.result.objects("Note")
        #expect(new.count == old.count && !new.isEmpty)
        func texts(_ notes: [NSManagedObject]) -> [String] {
          notes.compactMap { ($0 as? Note)?.text }.sorted()
        }
        #expect(texts(new) == texts(old))
        for case let note as Note in new { #expect(note.title == NotePolicy.title(of: note.text)) }
        let words = old.compactMap { ($0 as? Note)?.keywords }.map { NotePolicy.names(in: $0) }
        let topics = try run.result.objects("Topic").compactMap { $0 as? Topic }
        #expect(topics.compactMap(\\.name).sorted() == Set(words.flatMap(\\.self)).sorted())
        let links = topics.map { $0.notes?.count ?? 0 }
        #expect(links.reduce(0, +) == words.map(\\.count).reduce(0, +))
      }

    """
}
