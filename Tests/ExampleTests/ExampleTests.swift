import Foundation
import Testing

/// Runs every command of the examples and of the page “Getting started”, and compares its output.
@Suite("Examples") struct ExampleTests {
  @Test("getting started: the completed mapping model makes the right minutes")
  func gettingStarted() throws {
    let run = try PageRun("getting-started", in: "docs")
    #expect(
      try run.rows("new.sqlite", "SELECT Z_PK, ZMINUTOS, ZPRIORIDAD FROM ZTAREA ORDER BY 1") == [
        "1|90|alta", "2|15|media", "3|-|-", "4|246|baja",
      ])
    // “explain” prints the same command as the page.
    let command = try #require(run.page.commands.first { $0.text.contains("mapping --new") }).text
    let explained = try run.output(
      of: "rm models/Tareas/*.mapping.json5; decant explain old.sqlite --models models")
    let words = command.replacing("\\", with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(explained.contains("    \(words)\n"), "\(words)\n\(explained)")
  }

  @Test("three ways: a text, Xcode's file and a policy make the same store")
  func threeWays() throws {
    let run = try PageRun("three-ways", in: "docs/guides")
    let tasks = "SELECT Z_PK, ZNOMBRE, ZMINUTOS, ZPRIORIDAD FROM ZTAREA ORDER BY 1"
    for store in ["new.sqlite", "by-xcode.sqlite", "by-policy.sqlite"] {
      #expect(
        try run.rows(store, tasks) == [
          "1|Escribir el informe|90|alta", "2|Llamar a Inés|15|media", "3|Regar las plantas|-|-",
          "4|Pintar la puerta|246|baja",
        ], "\(store)")
    }
    let same = try run.output(
      of: """
        for store in by-xcode by-policy; do
          cmp <(sqlite3 new.sqlite .dump) <(sqlite3 $store.sqlite .dump) && echo the same
        done
        """)
    #expect(same == "the same\nthe same\n")
  }

  @Test("notes: strings become objects by uniqueBy and by a policy, and two normal forms stay two objects")
  func notes() throws {
    let run = try PageRun("1-notes")
    for store in ["by-text.sqlite", "by-policy.sqlite"] {
      #expect(
        try run.rows(store, "SELECT Z_PK, hex(ZNOMBRE) FROM ZCATEGORIA ORDER BY 1") == [
          "1|636F6D70726173", "2|6D6F6E7461C3B161", "3|6D6F6E74616ECC8361", "4|",
        ])
      #expect(
        try run.rows(store, "SELECT Z_2NOTAS, Z_1CATEGORIAS FROM Z_1NOTAS ORDER BY 1, 2") == [
          "1|1", "2|1", "4|2", "5|3", "6|2", "7|4",
        ])
      #expect(
        try run.rows(store, "SELECT Z_PK, ZMOMENTO, ZTEXTO FROM ZNOTA ORDER BY 1") == [
          "1|725846400|Pan y leche", "2|725932800|Tomates", "3|726019200|Una idea",
          "4|726105600|Refugio",
          "5|726192000|Cuerda", "6|726278400|Botas", "7|726364800|-",
        ])
    }
    let others = try run.output(
      of: """
        for size in 1 3; do
          decant migrate Notas.sqlite --models text --chunk-size $size --output t$size.sqlite --quiet > report
          decant migrate Notas.sqlite --models policy --worker "$(command -v categorias-worker)" --chunk-size $size \\
            --output p$size.sqlite --quiet > report
          for store in t$size p$size; do
            cmp <(sqlite3 by-text.sqlite .dump) <(sqlite3 $store.sqlite .dump) && echo the same
          done
        done
        """)
    #expect(others == String(repeating: "the same\n", count: 4), "in chunks of any size")
  }

  @Test("typed policy: an app's policy, and names that are split and merged by a text and by policies")
  func typedPolicy() throws {
    let run = try PageRun("2-typed-policy")
    #expect(
      try run.rows(
        "new-notes.sqlite",
        """
        SELECT n.ZCONTENIDO, n.ZFECHA, e.ZNOMBRE FROM ZNOTA n LEFT JOIN Z_1NOTAS j ON j.Z_2NOTAS = n.Z_PK
        LEFT JOIN ZETIQUETA e ON e.Z_PK = j.Z_1ETIQUETAS ORDER BY n.Z_PK
        """) == [
          "Llamar a Inés|725846400|trabajo", "Sin categoría|725932800.5|-", "Informe|726019200|trabajo",
          "-|-|casa", "Categoría vacía|726105600|-",
        ])
    for store in ["split.sqlite", "split-by-policy.sqlite"] {
      #expect(
        try run.rows(store, "SELECT ZAPELLIDOS, ZNOMBRE FROM ZPERSONA ORDER BY Z_PK") == [
          "García Márquez|Gabriel", "Storni Martignoni|Alfonsina", "de la Cruz|Juana Inés", "Quevedo|-", "-|-",
        ])
    }
    for store in ["merged.sqlite", "merged-by-policy.sqlite"] {
      #expect(
        try run.rows(store, "SELECT ZNOMBREPARALISTA FROM ZPERSONA ORDER BY Z_PK")
          == run.rows("names.sqlite", "SELECT ZNOMBRECOMPLETO FROM ZPERSONA ORDER BY Z_PK"))
    }
  }

  @Test("events: two passes, whole and in chunks, and the second pass finds the objects of the first")
  func events() throws {
    let run = try PageRun("3-events")
    for store in ["whole.sqlite", "ranges.sqlite"] {
      #expect(
        try run.rows(
          store,
          """
          SELECT t.ZSECONDS, d.ZDATE, d.ZTIMED = t.Z_PK FROM ZTIMEDEVENT t JOIN ZDATEDEVENT d ON d.Z_PK = t.ZDATED
          ORDER BY 1
          """) == [
            "-|-|1", "0.0|1970-01-01 00:00:00|1", "978307199.5|2000-12-31 23:59:59|1",
            "978307200.0|2001-01-01 00:00:00|1", "1735689599.25|2024-12-31 23:59:59|1",
            "1735689600.0|2025-01-01 00:00:00|1",
          ])
      #expect(try run.rows(store, "SELECT count(*) FROM ZDATEDEVENT") == ["6"])
    }
    #expect(try run.rows("whole.sqlite", "SELECT Z_PK FROM ZDATEDEVENT") == ["1", "2", "3", "4", "5", "6"])
    #expect(try run.rows("ranges.sqlite", "SELECT Z_PK FROM ZDATEDEVENT") == ["1", "2", "6", "7", "8", "9"])
  }

  @Test("contacts: two old versions with stale mapping models and different code for each")
  func contacts() throws {
    let run = try PageRun("4-contacts")
    let names = "SELECT ZFIRSTNAME, ZLASTNAME, ZIDENTIFIER FROM ZCONTACT ORDER BY Z_PK"
    let shared = ["Hypatia|-|42", "Grace|Hopper|-1", "-|-|"]
    for store in ["one-by-text.sqlite", "one-by-policy.sqlite"] {
      #expect(try run.rows(store, names) == ["Ada|Lovelace|7"] + shared + ["-|-|2147483647"])
    }
    for store in ["two-by-text.sqlite", "two-by-policy.sqlite"] {
      #expect(try run.rows(store, names) == ["Ada|Lovelace|7"] + shared)
    }
  }

  @Test("the guide's flow: two calls of migrateStore fill one store, and other stores aren't changed")
  func guide() throws {
    let run = try PageRun("5-guide")
    #expect(
      try run.rows(
        "new.sqlite",
        """
        SELECT t.ZSECONDS, d.ZDATE, d.ZTIMED = t.Z_PK FROM ZTIMEDEVENT t JOIN ZDATEDEVENT d ON d.Z_PK = t.ZDATED
        ORDER BY 1
        """) == [
          "-|-|1", "0.0|1970-01-01 00:00:00|1", "978307199.5|2000-12-31 23:59:59|1",
          "978307200.0|2001-01-01 00:00:00|1", "1735689599.25|2024-12-31 23:59:59|1",
          "1735689600.0|2025-01-01 00:00:00|1",
        ])
    #expect(try run.rows("Events.sqlite", "SELECT count(*) FROM ZEVENT") == ["6"])
  }
}
