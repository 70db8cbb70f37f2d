import DecantTestSupport
import Foundation
import Testing

/// Runs the scripts of docs/scale-out.md.
@Suite("Scripts for many machines") struct ScaleTests {
  /// Whether all these programs are installed.
  private static func has(_ programs: String...) -> Bool {
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/sbin"
    let folders: [Substring] = path.split(separator: ":")
    return programs.allSatisfy { program in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
  }

  private func check(_ engine: String) throws {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent(
      "decant-scale-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let run = try ScriptRun(
      "scripts/scale/check --stores 120 --shards 3 --troubles 5 --seed 7 --engine \(engine) --decant $built/decant "
        + "--place $place", in: place)
    #expect(run.code == 0, "\(run.output)")
    #expect(run.output.contains("\(engine): 0 faults"))
  }

  @Test(
    "under GNU parallel each store is migrated once, even if runs are killed",
    .enabled(if: has("python3", "parallel"), "GNU parallel or Python isn't installed"))
  func parallel() throws { try check("parallel") }

  @Test(
    "in a Slurm array each store is migrated once, even if tasks are killed and requeued",
    .enabled(if: has("python3", "slurmctld", "slurmd", "munged", "sbatch"), "Slurm or Python isn't installed"))
  func slurm() throws { try check("slurm") }

  /// Runs a command line with two scripts instead of `decant` and `scontrol`.
  ///
  /// - Returns: The exit code, the output, and the notes: the arguments of each `scontrol`, and what `decant` notes.
  private func recipe(_ decant: String, _ line: String) throws -> (code: Int32, output: String, notes: String) {
    let place = try TemporaryFolder("decant-recipe")
    let scontrol = "if [ $1 = show ]; then echo JobState=$STATE; else echo \"$@\" >> $place/notes; fi"
    for (name, text) in ["decant": decant, "scontrol": scontrol] {
      try place.write("#!/bin/bash\n\(text)\n", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path(name))
    }
    let run = try ScriptRun("export place; PATH=$place:$PATH; \(line)", in: place.url)
    let notes = (try? String(contentsOfFile: place.path("notes"), encoding: .utf8)) ?? ""
    return (run.code, run.output, notes)
  }

  @Test(
    "the script for GNU parallel repeats shards that may succeed later, and ends with a final error's code",
    .enabled(if: has("parallel"), "GNU parallel isn't installed"))
  func parallelCodes() throws {
    func run(_ codes: String) throws -> (code: Int32, output: String, notes: String) {
      let words = "--manifest m --models d --output o"
      let stub = """
        shard=${3%/*}; echo $shard >> $place/notes
        codes=(\(codes)); IFS=, read -ra all <<< "${codes[shard - 1]}"
        count=$(grep -cx $shard $place/notes); code=${all[count - 1]:-${all[-1]}}
        ((code < 128)) || kill -$((code - 128)) $$
        exit $code
        """
      return try recipe(
        stub, "DECANT_PAUSE=0 DECANT_PARALLEL='--jobs 1 --will-cite' scripts/scale/parallel.sh 4 \(words)")
    }
    let good = try run("0 65 75,75,0 137,0")
    #expect(good.code == 0, "\(good)")
    #expect(good.notes.split(separator: "\n").sorted() == ["1", "2", "3", "3", "3", "4", "4"])
    #expect(good.output.contains("shard 2/4: some stores are refused"))
    let bad = try run("0 64 75,0 78")
    #expect(bad.code == 64, "\(bad)")
    #expect(bad.notes.split(separator: "\n").sorted() == ["1", "2", "3", "3", "4"])
    let never = try run("0 0 75 0")
    #expect(never.code == 75)
    #expect(never.notes.split(separator: "\n").count { $0 == "3" } == 20)
  }

  @Test(
    "the script's exit code isn't 0 if shards didn't run",
    .enabled(if: has("parallel"), "GNU parallel isn't installed"))
  func parallelTroubles() throws {
    let script = "scripts/scale/parallel.sh 3 --manifest m"
    let tools =
      "mkdir $place/tools; for tool in bash awk mktemp rm cat; do ln -s $(command -v $tool) $place/tools; done"
    let torn = "words=\"$*\"; log=${words#*--joblog }; { echo head; printf '1 : 0 0 0 0 0'; } > ${log%% *}"
    for (line, code, text) in [
      ("\(tools); PATH=$place/tools; bash \(script)", 69, "parallel isn't installed"),
      ("DECANT_PARALLEL=--nonsense \(script)", 69, "GNU parallel started no shard"),
      ("TMPDIR=$place/none \(script)", 73, "set TMPDIR"),
      // In this log two shards have no line, and one shard's line is cut off.
      (
        "cat > $place/parallel <<'END'\n#!/bin/bash\n\(torn)\nEND\nchmod +x $place/parallel; DECANT_PAUSE=0 \(script)",
        75, ""
      ),
    ] as [(String, Int32, String)] {
      let run = try recipe("exit 0", line)
      #expect(run.code == code && (text.isEmpty || run.output.contains(text)), "\(line): \(run)")
      #expect(run.notes.isEmpty)
    }
  }

  /// Runs a command that receives signals, although threads of this process block signals.
  private static let open =
    "perl -MPOSIX -e 'sigprocmask(SIG_SETMASK, POSIX::SigSet->new) or die; exec @ARGV or die'"

  @Test(
    "SIGTERM reaches the shards, and the script ends after them with 75",
    .enabled(if: has("parallel"), "GNU parallel isn't installed"))
  func parallelStop() throws {
    let stub = """
      trap 'echo stop >> $place/notes; sleep 1; echo end >> $place/notes; exit 75' TERM
      echo start >> $place/notes
      for ((second = 0; second < 60; second++)); do sleep 1 & wait $!; done
      """
    let run = try recipe(
      stub,
      "DECANT_PARALLEL='--jobs 2 --will-cite' \(Self.open) scripts/scale/parallel.sh 5 --manifest m & p=$!; "
        + "until [[ $(grep -sc start $place/notes) = 2 ]]; do sleep 0.1; done; kill -TERM $p; wait $p")
    #expect(run.code == 75 && run.output.contains("stopped"), "\(run)")
    #expect(run.notes == "start\nstart\nstop\nstop\nend\nend\n", "\(run.notes)")
  }

  @Test(
    "there is a pause between two rounds, and SIGTERM ends the pause",
    .enabled(if: has("parallel"), "GNU parallel isn't installed"))
  func parallelPause() throws {
    let line = "scripts/scale/parallel.sh 2 --manifest m"
    let paused = try recipe(
      "exit 75",
      "DECANT_PAUSE=3000 \(Self.open) \(line) 2> $place/talk & p=$!; "
        + "until grep -q 'start again' $place/talk; do sleep 0.1; done; kill -TERM $p; wait $p; code=$?; "
        + "cat $place/talk; exit $code")
    #expect(paused.code == 75 && paused.output.contains("2 of 2 shards aren't finished"), "\(paused)")
    #expect(paused.output.contains("stopped; the same command continues"), "\(paused)")
    for wrong in ["DECANT_PAUSE=x \(line)", "\(line) --jobs x", "scripts/scale/parallel.sh 0 --manifest m"] {
      let run = try recipe("exit 0", wrong)
      #expect(run.code == 64 && run.output.contains("scripts/scale/parallel.sh SHARDS"), "\(run)")
    }
  }

  @Test("all workers of all shards share the processors")
  func parallelShare() throws {
    // A script instead of GNU parallel, which notes the value of --jobs and writes a log with all shards done.
    let parallel = """
      words="$*"; echo "${words#*--jobs }" | cut -d' ' -f1 >> $place/notes
      log=${words#*--joblog }; log=${log%% *}
      { echo head; for n in 1 2 3; do printf '%s\\t:\\t0\\t0\\t0\\t0\\t0\\t0\\tx\\n' $n; done; } > $log
      """
    for (options, share) in [("", "50%"), ("--jobs 1", "100%"), ("--jobs=3", "33%"), ("--jobs 200", "1%")] {
      let run = try recipe(
        "exit 0",
        "cat > $place/parallel <<'END'\n#!/bin/bash\n\(parallel)\nEND\nchmod +x $place/parallel; "
          + "scripts/scale/parallel.sh 3 --manifest m \(options)")
      #expect(run.code == 0 && run.notes == share + "\n", "\(options): \(run)")
    }
  }

  @Test(
    "a Slurm task requeues itself after a passing error or a kill, but not after scancel or too many restarts"
  )
  func slurmCodes() throws {
    let variables =
      "SLURM_JOB_ID=7 SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=1 DECANT_MANIFEST=m "
      + "DECANT_MODELS=d DECANT_OUTPUT=o"
    for (stub, restarts, state, code, notes) in [
      ("exit 75", 0, "RUNNING", 0, "requeue 7_1\n"), ("kill -9 $$", 3, "RUNNING", 0, "requeue 7_1\n"),
      ("kill -9 $$", 20, "RUNNING", 137, ""), ("exit 75", 0, "CANCELLED", 75, ""),
      ("exit 65", 0, "RUNNING", 65, ""), ("exit 66", 0, "RUNNING", 0, "requeue 7_1\n"),
      ("exit 64", 0, "RUNNING", 64, ""),
    ] as [(String, Int, String, Int32, String)] {
      let run = try recipe(
        stub,
        "export STATE=\(state) \(variables) SLURM_RESTART_COUNT=\(restarts); bash scripts/scale/slurm.sbatch")
      #expect(run.code == code && run.notes == notes, "\(stub): \(run)")
    }
  }

  @Test("the Kubernetes job has as many pods as shards, and rules for the exit codes of decant(1)")
  func kubernetes() throws {
    let text = try String(
      contentsOf: Repository.root.appendingPathComponent("scripts/scale/kubernetes.yaml"), encoding: .utf8)
    func number(_ pattern: Regex<(Substring, Substring)>) -> Int? {
      text.firstMatch(of: pattern).flatMap { Int($0.1) }
    }
    #expect(number(/completions: ([0-9]+)/) != nil)
    #expect(number(/completions: ([0-9]+)/) == number(/value: "([0-9]+)"/))
    let rules = text.matches(of: /action: (\w+)\s+onExitCodes:[^\[]*\[([0-9, ]+)\]/).map {
      "\($0.1) \($0.2)"
    }
    // A fault of one store or of one shard's ledger doesn't end the other shards.
    #expect(rules == ["FailJob 73, 78, 126, 127, 128", "FailIndex 64, 65, 70, 77"])
    for line in [
      "runAsNonRoot: true", "readOnlyRootFilesystem: true", "allowPrivilegeEscalation: false", "fsGroup: 10001",
      "capabilities: {drop: [ALL]}", "ephemeral-storage: 40Gi}", "--manifest=/backup/stores.nul",
    ] { #expect(text.contains(line), "\(line)") }
    #expect(text.contains("completionMode: Indexed"))
    // The pod for interactive commands has the same values, and the image has the same user.
    func content(_ name: String) throws -> String {
      try String(
        contentsOf: Repository.root.appendingPathComponent("scripts/scale/\(name)"), encoding: .utf8)
    }
    let (shell, image) = (try content("kubernetes-shell.yaml"), try content("Dockerfile"))
    for key in ["runAsUser", "runAsGroup", "fsGroup", "image", "claimName", "mountPath"] {
      func values(_ text: String) throws -> [String] {
        try text.matches(of: Regex("\\b\(key): *([^ ,}\\n]+)", as: (Substring, Substring).self)).map {
          String($0.1)
        }
      }
      #expect(try !values(text).isEmpty && values(text) == values(shell), "\(key)")
    }
    #expect(image.contains("USER \(number(/runAsUser: ([0-9]+)/) ?? 0):\(number(/runAsGroup: ([0-9]+)/) ?? 0)"))
    #expect(image.contains("--tag \(text.firstMatch(of: /image: (\S+)/)?.1 ?? "none") "))
  }
}
