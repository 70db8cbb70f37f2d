internal import FileNames

/// The text of a new worker's `Package.swift`.
enum PackageText {
  static func text(_ name: WorkerName, _ place: DecantPlace, languageMode: Int) -> String {
    let package = SwiftName.literal(name.package)
    switch place {
    case .libraries(let path):
      return """
        // swift-tools-version: 6.0
        import PackageDescription

        // The modules and the library that “scripts/install --libraries” of Decant has installed.
        let decant = Context.environment["DECANT_LIBRARIES"] ?? \(SwiftName.literal(path))
        // Decant has these modules because Linux lacks Apple's. If this package has such a module itself, remove the
        // name.
        let others = ["os", "UIKit"]
        let modules: [SwiftSetting] = [
          .unsafeFlags(["-I", decant + "/modules"] + others.flatMap { ["-I", decant + "/modules/" + $0] })
        ]
        let libraries: [LinkerSetting] = [
          // This linker finds what is needed in any order of the libraries, also if all are static.
          .unsafeFlags(["-use-ld=lld", "-L", decant]), .linkedLibrary("Decant"),
          .linkedLibrary("swiftSynchronization"),
          .linkedLibrary("sqlite3"), .linkedLibrary("nettle"), .linkedLibrary("z"), .linkedLibrary("expat"),
        ]

        let package = Package(
          name: \(package),
          targets: [
            .executableTarget(name: \(package), swiftSettings: modules, linkerSettings: libraries),
            .testTarget(
              name: \(SwiftName.literal(name.tests)), dependencies: [\(package)], swiftSettings: modules,
              linkerSettings: libraries),
          ],
          swiftLanguageModes: [.v\(languageMode)]
        )

        """
    case .checkout(let path):
      let identity = SwiftName.literal(PathText.name(of: path).text.lowercased())
      return """
        // swift-tools-version: 6.0
        import PackageDescription

        // Decant has os and UIKit because Linux lacks Apple's modules. If this package has such a module itself, give
        // Decant's another name: .product(name: "os", package: \(identity), moduleAliases: ["os": "DecantOS"])
        let decant: [Target.Dependency] = ["CoreData", "DecantWorker", "os", "UIKit"].map {
          .product(name: $0, package: \(identity))
        }

        let package = Package(
          name: \(package),
          dependencies: [.package(path: \(SwiftName.literal(path)))],
          targets: [
            .executableTarget(name: \(package), dependencies: decant),
            .testTarget(name: \(SwiftName.literal(name.tests)), dependencies: [.target(name: \(package))] + decant),
          ],
          swiftLanguageModes: [.v\(languageMode)]
        )

        """
    }
  }
}
