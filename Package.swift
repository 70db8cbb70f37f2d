// swift-tools-version: 6.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  // Debug builds check the invariants of the association tables in every step (`AssociationInvariants`).
  .define("DECANT_INVARIANTS", .when(configuration: .debug)),
]

/// A library target that imports only targets below it (docs/architecture.md, “Floors”).
func floor(_ name: String, on below: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: below, swiftSettings: strict)
}

/// A program of the examples: a worker, or the guide.
func example(_ name: String, at path: String, on below: [Target.Dependency] = ["DecantWorker"]) -> Target {
  .executableTarget(
    name: name, dependencies: ["CoreData"] + below, path: "Examples/\(path)", swiftSettings: strict)
}

/// Code that the tests of several targets share.
func support(_ name: String, on below: [Target.Dependency], at path: String? = nil) -> Target {
  .target(name: name, dependencies: below, path: "Tests/\(path ?? name)", swiftSettings: strict)
}

/// The tests of one library target.
func tests(_ name: String, of below: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: below + ["DecantTestSupport"], swiftSettings: strict)
}

let package = Package(
  name: "decant",
  products: [
    .library(name: "CoreData", targets: ["CoreData"]),
    .library(
      name: "DecantMigration",
      targets: ["DecantMigration", "DecantVerification", "DecantReport", "DecantCatalogue", "DecantPolicies"]),
    .library(name: "DecantWorker", targets: ["DecantWorker"]),
    .library(name: "os", targets: ["os"]),
    .library(name: "UIKit", targets: ["UIKit"]),
    .executable(name: "decant", targets: ["decant"]),
    .executable(name: "decantd", targets: ["decantd"]),
  ],
  targets: [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CMessageDigest", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

    floor("FileNames"),
    floor("FileAccess", on: ["CLinux"]),
    floor("LineOutput"),
    floor("SwiftPorting"),
    floor("XMLReading", on: ["CExpat"]),
    floor("KeyedArchive"),
    floor("PredicateFormat", on: ["KeyedArchive", "CMessageDigest"]),
    floor("DecantModel", on: ["PredicateFormat", "KeyedArchive", "XMLReading", "FileNames", "CZlib"]),
    floor("DecantMapping", on: ["DecantModel", "PredicateFormat", "KeyedArchive"]),
    floor("DecantSQLite", on: ["DecantModel", "PredicateFormat", "FileNames", "CSQLite"]),
    floor(
      "DecantStore",
      on: [
        "DecantSQLite", "DecantModel", "PredicateFormat", "KeyedArchive", "FileNames", "CSQLite", "CLinux",
      ]),
    floor(
      "DecantExpressions", on: ["DecantStore", "DecantSQLite", "DecantModel", "PredicateFormat", "CSQLite"]),
    floor(
      "DecantXMLStore",
      on: ["XMLReading", "DecantStore", "DecantSQLite", "DecantModel", "KeyedArchive", "CSQLite"]),
    floor("DecantSynthesis", on: ["DecantStore", "DecantSQLite", "DecantModel", "FileNames", "KeyedArchive"]),
    floor(
      "DecantCatalogue", on: ["DecantMapping", "DecantStore", "DecantModel", "PredicateFormat", "FileNames"]),
    floor("DecantTransformers", on: ["KeyedArchive"]),
    floor("DecantPolicies", on: ["DecantMapping", "DecantSQLite", "DecantModel", "PredicateFormat"]),
    floor(
      "DecantPolicyPrograms",
      on: ["DecantMapping", "DecantModel", "PredicateFormat", "LineOutput", "CLinux"]),
    floor("DecantReport", on: ["DecantMapping", "DecantModel", "FileNames"]),
    floor(
      "DecantPasses",
      on: [
        "DecantReport", "DecantExpressions", "DecantStore", "DecantSQLite", "DecantMapping", "DecantModel",
        "PredicateFormat", "FileNames",
      ]),
    floor(
      "DecantRows",
      on: [
        "DecantPasses", "DecantReport", "DecantPolicies", "DecantTransformers", "DecantPolicyPrograms",
        "DecantExpressions", "DecantStore", "DecantSQLite", "DecantMapping", "DecantModel", "PredicateFormat",
        "FileNames", "CLinux",
      ]),
    floor(
      "DecantEngine",
      on: [
        "DecantRows", "DecantPasses", "DecantReport", "DecantPolicies", "DecantPolicyPrograms",
        "DecantExpressions", "DecantStore", "DecantSQLite", "DecantMapping", "DecantModel", "PredicateFormat",
        "FileNames", "CLinux",
      ]),
    floor(
      "DecantMigration",
      on: [
        "DecantEngine", "DecantRows", "DecantPasses", "DecantReport", "DecantPolicies", "DecantPolicyPrograms",
        "DecantCatalogue", "DecantXMLStore", "DecantExpressions", "DecantStore", "DecantSQLite",
        "DecantMapping", "DecantModel", "PredicateFormat", "FileNames", "FileAccess",
        "CLinux",
      ]),
    floor(
      "DecantVerification",
      on: [
        "DecantMigration", "DecantEngine", "DecantRows", "DecantPasses", "DecantReport", "DecantPolicies",
        "DecantCatalogue", "DecantXMLStore", "DecantExpressions", "DecantStore", "DecantSQLite",
        "DecantMapping", "DecantModel", "PredicateFormat", "FileNames", "CLinux",
      ]),
    floor("CoreDataExpressions", on: ["DecantPolicies", "PredicateFormat"]),
    floor(
      "CoreData",
      on: [
        "CoreDataExpressions", "DecantMigration", "DecantRows", "DecantExpressions", "DecantReport",
        "DecantPolicies", "DecantTransformers", "DecantXMLStore", "DecantStore", "DecantSQLite",
        "DecantMapping", "DecantModel", "PredicateFormat", "KeyedArchive", "FileNames", "CLinux",
      ]),
    // Modules of Apple's systems that policy files import beside Core Data.
    floor("os", on: ["LineOutput", "CLinux"]),
    floor("_Testing_UIKit"),
    floor("UIKit", on: ["_Testing_UIKit"]),
    floor(
      "DecantWorker",
      on: [
        "DecantMigration", "DecantEngine", "DecantReport", "DecantPolicies", "DecantPolicyPrograms",
        "DecantCatalogue", "LineOutput", "CLinux",
      ]),
    floor(
      "DecantShards",
      on: [
        "DecantWorker", "DecantMigration", "DecantReport", "DecantCatalogue", "PredicateFormat", "FileNames",
        "FileAccess", "CLinux",
      ]),
    floor(
      "DecantSpool",
      on: ["DecantMigration", "DecantReport", "DecantModel", "FileNames", "FileAccess", "CLinux"]),
    floor(
      "DecantService",
      on: [
        "DecantSpool", "DecantWorker", "DecantMigration", "DecantEngine", "DecantPolicyPrograms",
        "DecantReport",
        "DecantCatalogue", "DecantMapping", "DecantModel", "LineOutput", "FileNames", "FileAccess", "CLinux",
        "CMicroHTTPD",
        "CSystemd",
      ]),
    floor(
      "DecantConsole",
      on: [
        "DecantMigration", "DecantReport", "DecantCatalogue", "DecantStore", "DecantMapping", "DecantModel",
        "FileNames", "LineOutput",
      ]),
    floor(
      "DecantAuthoring",
      on: [
        "DecantConsole", "DecantMigration", "DecantReport", "DecantCatalogue", "DecantStore", "DecantMapping",
        "DecantModel", "PredicateFormat", "FileNames", "SwiftPorting",
      ]),
    floor(
      "DecantCommand",
      on: [
        "DecantAuthoring", "DecantConsole", "DecantShards", "DecantWorker", "DecantVerification",
        "DecantMigration", "DecantEngine", "DecantPasses", "DecantReport", "DecantCatalogue", "DecantXMLStore",
        "DecantSynthesis", "DecantStore", "DecantSQLite", "DecantMapping", "DecantModel", "KeyedArchive",
        "FileNames", "FileAccess", "CLinux",
      ]),
    .executableTarget(name: "decant", dependencies: ["DecantCommand", "DecantWorker"], swiftSettings: strict),
    .executableTarget(name: "decantd", dependencies: ["DecantService", "DecantWorker"], swiftSettings: strict),

    support("DecantTestSupport", on: ["DecantStore", "DecantModel", "KeyedArchive"], at: "Support"),
    example("notas-worker", at: "NotasWorker"),
    example("categorias-worker", at: "CategoriasWorker"),
    example("apuntes-worker", at: "ApuntesWorker", on: ["DecantWorker", "UIKit"]),
    example("contacts-worker", at: "ContactsWorker"),
    example("tareas-worker", at: "TareasWorker"),
    example("guide", at: "Guide", on: []),
    .executableTarget(
      name: "trouble-worker", dependencies: ["CoreData", "DecantWorker"], path: "Tests/TroubleWorker",
      swiftSettings: strict),

    // Writes lines with the module os, as a worker does.
    .executableTarget(name: "log-sample", dependencies: ["os"], path: "Tests/LogSample", swiftSettings: strict),

    // The policies that scripts/bench measures.
    .executableTarget(
      name: "bench-worker", dependencies: ["CoreData", "DecantWorker", "DecantMigration", "DecantPolicies"],
      path: "scripts/bench.d/Worker", swiftSettings: strict),

    // Policies in the form that apps have: they import CoreData, os and UIKit, and no other module of the package.
    .target(
      name: "PolicyShapes", dependencies: ["CoreData", "os", "UIKit"], path: "Tests/PolicyShapes",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "shapes-worker", dependencies: ["PolicyShapes", "CoreData", "DecantWorker"],
      path: "Tests/ShapesWorker", swiftSettings: strict),
    tests("DocumentationTests", of: []),
    tests("FileNamesTests", of: ["FileNames"]),
    tests("FileAccessTests", of: ["FileAccess"]),
    tests("SwiftPortingTests", of: ["SwiftPorting"]),
    tests("OSTests", of: ["os", "UIKit", "LineOutput", "log-sample"]),
    tests("XMLReadingTests", of: ["XMLReading"]),
    tests("KeyedArchiveTests", of: ["KeyedArchive"]),
    tests("PredicateFormatTests", of: ["PredicateFormat", "DecantModel", "KeyedArchive"]),
    tests("DecantModelTests", of: ["DecantModel", "PredicateFormat"]),
    tests("DecantSQLiteTests", of: ["DecantSQLite", "DecantModel", "CSQLite"]),
    tests("DecantStoreTests", of: ["DecantStore", "DecantSQLite", "DecantModel", "KeyedArchive", "CSQLite"]),
    tests(
      "DecantExpressionsTests",
      of: [
        "DecantExpressions", "DecantSynthesis", "DecantStore", "DecantSQLite", "DecantModel", "PredicateFormat",
      ]),
    tests("DecantXMLStoreTests", of: ["DecantXMLStore", "DecantStore", "DecantSQLite", "DecantModel"]),
    tests(
      "DecantSynthesisTests",
      of: ["DecantSynthesis", "DecantStore", "DecantSQLite", "DecantModel", "KeyedArchive"]),
    tests("DecantMappingTests", of: ["DecantMapping", "DecantModel", "PredicateFormat", "KeyedArchive"]),
    support("CatalogueSupport", on: ["DecantCatalogue", "DecantModel"]),
    tests(
      "DecantCatalogueTests",
      of: [
        "CatalogueSupport", "DecantCatalogue", "DecantMapping", "DecantStore", "DecantSQLite", "DecantModel",
        "KeyedArchive", "FileNames",
      ]),
    tests("DecantTransformersTests", of: ["DecantTransformers", "KeyedArchive"]),
    tests("DecantPoliciesTests", of: ["DecantPolicies", "PredicateFormat"]),
    tests(
      "DecantPolicyProgramsTests", of: ["DecantPolicyPrograms", "DecantModel", "PredicateFormat", "LineOutput"]),
    tests(
      "DecantMigrationTests",
      of: [
        "DecantPolicies", "DecantPolicyPrograms",
        "CatalogueSupport", "DecantVerification", "DecantMigration", "DecantEngine", "DecantRows",
        "DecantPasses",
        "DecantReport", "DecantCatalogue", "DecantMapping", "DecantXMLStore",
        "DecantSynthesis", "DecantExpressions",
        "DecantStore",
        "DecantSQLite", "DecantModel", "PredicateFormat", "KeyedArchive", "FileNames", "CSQLite",
        "bench-worker",
        "decant",
      ]),
    support(
      "CommandSupport",
      on: [
        "DecantTestSupport", "DecantCommand", "DecantConsole", "DecantStore", "DecantSQLite", "DecantModel",
        "KeyedArchive",
      ]),
    tests(
      "DecantAuthoringTests",
      of: [
        "CommandSupport", "DecantCommand", "DecantAuthoring", "DecantConsole", "DecantMapping", "DecantModel",
        "DecantSQLite", "FileNames", "decant", "CoreData", "os", "UIKit", "DecantWorker",
      ]),
    tests(
      "DecantCommandTests",
      of: [
        "CommandSupport", "DecantCommand", "DecantAuthoring", "DecantConsole", "decant", "DecantCatalogue",
        "DecantVerification",
        "DecantMigration", "DecantEngine",
        "DecantPasses", "DecantReport", "DecantSynthesis", "DecantStore",
        "DecantSQLite",
        "DecantModel",
        "FileNames", "FileAccess", "KeyedArchive", "CoreData", "os", "UIKit", "DecantWorker",
      ]),
    tests(
      "CoreDataTests",
      of: [
        "DecantPolicies",
        "CoreData", "PolicyShapes", "notas-worker", "trouble-worker", "shapes-worker", "decant",
        "DecantWorker",
        "DecantVerification", "DecantMigration", "DecantEngine", "DecantReport", "DecantStore", "DecantSQLite",
        "DecantModel", "KeyedArchive",
      ]),
    tests(
      "ExampleTests",
      of: [
        "DecantSQLite", "decant", "categorias-worker", "apuntes-worker", "contacts-worker", "tareas-worker",
        "guide",
      ]),
    tests(
      "DecantShardsTests",
      of: [
        "CatalogueSupport", "DecantShards", "DecantWorker", "DecantReport", "DecantSynthesis", "DecantStore",
        "DecantSQLite", "DecantModel", "FileNames", "FileAccess", "decant",
      ]),
    support("SpoolSupport", on: ["DecantSpool"]),
    tests(
      "DecantSpoolTests",
      of: ["SpoolSupport", "DecantSpool", "DecantModel", "FileNames", "FileAccess", "CLinux"]),
    tests(
      "DecantServiceTests",
      of: [
        "SpoolSupport", "DecantService", "DecantSpool", "DecantWorker", "DecantCatalogue", "DecantVerification",
        "DecantMigration",
        "DecantEngine", "DecantReport", "DecantSynthesis", "DecantStore",
        "DecantSQLite",
        "DecantModel", "FileNames", "FileAccess", "KeyedArchive", "CLinux", "decantd", "decant", "notas-worker",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
