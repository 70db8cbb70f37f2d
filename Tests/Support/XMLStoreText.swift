public import DecantModel
public import Foundation

/// An XML store for a test: Core Data's frame around the test's objects.
public struct XMLStoreText: Sendable {
  public static let uuid = "7C1D5E0A-40B2-4D5F-8C43-5A0E6C6B1D11"

  /// The property list's entries, as XML.
  public var metadata: String
  /// The objects, as XML.
  public var objects: String
  public var next: Int

  /// A store of a model version, by default of the framework of OS X 10.8.
  ///
  /// Its metadata also have keys of an app's own.
  public init(_ model: ManagedObjectModel, next: Int = 0, framework: Int? = 407, objects: String) {
    let hashes = model.entityVersionHashes.sorted { $0.key < $1.key }.map { name, hash in
      "<key>\(name)</key><data>\n\t\t\(hash.data.base64EncodedString())\n\t\t</data>"
    }
    metadata =
      (framework.map { "<key>NSPersistenceFrameworkVersion</key><integer>\($0)</integer>" } ?? "")
      + "<key>NSStoreModelVersionHashes</key><dict>\(hashes.joined())</dict>"
      + "<key>NSStoreModelVersionHashesVersion</key><integer>3</integer>"
      + "<key>NSStoreModelVersionIdentifiers</key><array><string></string></array>"
      + "<key>Favourite</key><string>blue &amp; green</string><key>Opened</key><date>2012-02-29T10:20:30Z</date>"
      + "<key>Ratio</key><real>1.5</real><key>Sure</key><true/>"
    self.next = next
    self.objects = objects
  }

  public var text: String {
    """
    <?xml version="1.0" standalone="no"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>\(Self.uuid)</UUID>
            <nextObjectID>\(next)</nextObjectID>
            <metadata>
                <plist version="1.0"><dict>\(metadata)</dict></plist>
            </metadata>
        </databaseInfo>
    \(objects)
    </database>
    """
  }

  public var data: Data { Data(text.utf8) }
}
