import DecantTestSupport

/// A catalogue whose family has two versions: the second renames an attribute.
enum TwoVersions {
  static let bundle = "catalogue/Notas/Notas.xcdatamodeld"

  static func write(to folder: TemporaryFolder) throws {
    try folder.write(
      contents(#"<attribute name="texto" optional="YES" attributeType="String"/>"#),
      to: "\(bundle)/Uno.xcdatamodel/contents")
    try folder.write(
      contents(#"<attribute name="título" optional="YES" attributeType="String" elementID="texto"/>"#),
      to: "\(bundle)/Dos.xcdatamodel/contents")
    try folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Dos.xcdatamodel</string></dict></plist>",
      to: "\(bundle)/.xccurrentversion")
  }

  private static func contents(_ attribute: String) -> String {
    """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Nota">\(attribute)</entity>
    </model>
    """
  }
}
