#!/usr/bin/env bash
# Runs all shards on this machine, or on the machines of a list, with GNU parallel. docs/scale-out.md explains it.
#
#   scripts/scale/parallel.sh SHARDS --manifest FILE --models DIR --output DIR [OPTION…]
#
# As many shards run at a time as there are processors for their workers (--jobs, 2 by default). DECANT_PARALLEL has
# further words for GNU parallel, for instance “--sshloginfile nodes.txt --workdir .”, or “--jobs 4” for another number
# of shards at a time.
# A shard that ends with 74 or 75, or is killed, is started again when all others have ended, in at most 20 rounds.
# Before the second round there is a pause of 10 seconds (DECANT_PAUSE). Each further pause is twice as long, up to 5
# minutes. SIGTERM and Ctrl-C stop the shards, which commit their running chunks; then the script ends with 75.
# Exit codes: 0 each shard is finished (its ledger names the refused stores), 75 a shard isn't finished after all rounds
# or the script was stopped, 69 GNU parallel is missing or starts nothing, 73 TMPDIR can't be written, otherwise the
# code of the first shard that can't start.
set -u

usage() {
  sed -n '4s/^# *//p' "${BASH_SOURCE[0]}" >&2
  exit 64
}

if (($# < 2)) || ! [[ $1 =~ ^[1-9][0-9]*$ ]]; then usage; fi
shards=$1
shift
pause=${DECANT_PAUSE:-10}
if ! [[ $pause =~ ^[0-9]+$ ]]; then usage; fi

# The workers of one shard.
workers=2
words=("$@")
for ((index = 0; index < ${#words[@]}; index++)); do
  case ${words[index]} in
    --jobs) workers=${words[index + 1]:-2} ;;
    --jobs=*) workers=${words[index]#--jobs=} ;;
  esac
done
if ! [[ $workers =~ ^[1-9][0-9]{0,3}$ ]]; then usage; fi
# The shards at a time, in percent of each machine's processors; GNU parallel runs at least one.
share=$((100 / workers))
more=()
if [[ -n ${DECANT_PARALLEL:-} ]]; then read -r -a more <<<"$DECANT_PARALLEL"; fi

# fail CODE WORDS: ends the script before all shards are finished.
fail() {
  echo "$2" >&2
  exit "$1"
}

for program in parallel awk; do
  command -v "$program" >/dev/null || fail 69 "$program isn't installed"
done
folder=$(mktemp -d) || fail 73 "no folder can be made in ${TMPDIR:-/tmp}; set TMPDIR"
child=
stopped=
stop() {
  stopped=1
  if [[ -z $child ]]; then return; fi
  # GNU parallel starts no further shard after the first signal, and passes the second one on.
  kill -TERM "$child" 2>/dev/null
  sleep 0.2
  kill -TERM "$child" 2>/dev/null
}
trap 'rm -rf "$folder"' EXIT
trap stop INT TERM HUP

# until_end COMMAND…: runs COMMAND to its end, in the background, so that a signal reaches this script at once.
until_end() {
  "$@" &
  child=$!
  # If a signal came just before, there was no child yet.
  if [[ -n $stopped ]]; then stop; fi
  while kill -0 "$child" 2>/dev/null; do wait "$child"; done
  child=
  if [[ -n $stopped ]]; then
    echo "stopped; the same command continues from here" >&2
    exit 75
  fi
}

line="decant migrate --shard {}/$shards $(printf '%q ' "$@")"
# “printf %q” above quotes for Bash.
export PARALLEL_SHELL=/bin/bash
full="files in $folder can't be written; free space there, or set TMPDIR"
open=()
for ((shard = 1; shard <= shards; shard++)); do open+=("$shard"); done
finished=0
bad=0
for ((round = 1; round <= 20; round++)); do
  if ((round > 1 && pause > 0)); then
    echo "${#open[@]} of $shards shards aren't finished; they start again in $pause s" >&2
    until_end sleep "$pause"
    pause=$((pause * 2 > 300 ? (pause > 300 ? pause : 300) : pause * 2))
  fi
  rm -f "$folder/log"
  printf '%s\n' "${open[@]}" >"$folder/open" || fail 73 "$full"
  # After SIGTERM a shard has two minutes for its running chunks.
  until_end parallel --jobs "$((share > 0 ? share : 1))%" --termseq TERM,120000,KILL,25 --joblog "$folder/log" \
    --arg-file "$folder/open" "${more[@]}" "$line"
  [[ -s $folder/log ]] || fail 69 "GNU parallel started no shard; see its message, and DECANT_PARALLEL"
  # One line for each shard of this round: its number and its exit code. A shard that isn't in the log didn't start.
  codes=$(awk 'NR == FNR { shard[FNR] = $0; code[FNR] = 255; count = FNR; next }
    FNR > 1 && NF >= 9 { code[$1] = $8 ? 128 + $8 : $7 }
    END { for (i = 1; i <= count; i++) print shard[i], code[i] }' "$folder/open" "$folder/log") || fail 73 "$full"
  known=0
  again=()
  while read -r shard code; do
    known=$((known + 1))
    case $code in
      0) finished=$((finished + 1)) ;;
      65)
        finished=$((finished + 1))
        echo "shard $shard/$shards: some stores are refused" >&2
        ;;
      # 255 is a machine that can't be reached.
      74 | 75 | 12[89] | 1[3-9]? | 2??) again+=("$shard") ;;
      *) if ((bad == 0)); then bad=$code; fi ;;
    esac
  done < <(printf '%s\n' "$codes")
  ((known == ${#open[@]})) || fail 73 "$full"
  open=("${again[@]}")
  if ((${#open[@]} == 0)); then break; fi
done
if ((bad > 0)); then exit "$bad"; fi
if ((finished == shards)); then exit 0; fi
exit 75
