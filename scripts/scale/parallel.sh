#!/usr/bin/env bash
# Runs all shards on this machine, or on the machines of a list, with GNU parallel. docs/scale-out.md explains it.
#
#   scripts/scale/parallel.sh SHARDS --manifest FILE --models DIR --output DIR [OPTION…]
#
# Further words for GNU parallel come from DECANT_PARALLEL, for instance “--sshloginfile nodes.txt --workdir .”.
# A shard that ends with 75, or is killed, is started again when all others have ended, up to 20 times. One that ends
# with 65 is finished: its ledger names the refused stores, and “decant ledger” counts them. Exit codes: 0 each shard is
# finished, 75 a shard isn't after all attempts, else the code of the first shard that can't start.
set -u

if (($# < 2)) || ! [[ $1 =~ ^[1-9][0-9]*$ ]]; then
  sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 64
fi
shards=$1
shift
words=()
if [[ -n ${DECANT_PARALLEL:-} ]]; then read -r -a words <<<"$DECANT_PARALLEL"; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

line="decant migrate --shard {}/$shards $(printf '%q ' "$@")"
# The quotes above are those of Bash.
export PARALLEL_SHELL=/bin/bash
seq "$shards" >"$folder/open"
bad=0
for ((attempt = 1; attempt <= 20; attempt++)); do
  parallel --joblog "$folder/log" "${words[@]}" "$line" <"$folder/open"
  # One line for each shard of this attempt: its number and its code. What isn't in the log didn't start.
  awk 'NR == FNR { shard[FNR] = $0; code[FNR] = 255; count = FNR; next }
    FNR > 1 { code[$1] = $8 ? 128 + $8 : $7 }
    END { for (i = 1; i <= count; i++) print shard[i], code[i] }' "$folder/open" "$folder/log" >"$folder/codes"
  : >"$folder/open"
  while read -r shard code; do
    case $code in
      0) ;;
      65) echo "shard $shard/$shards: some stores are refused" >&2 ;;
      # 255 is a machine that can't be reached.
      75 | 12[89] | 1[3-9]? | 2??) echo "$shard" >>"$folder/open" ;;
      *) if ((bad == 0)); then bad=$code; fi ;;
    esac
  done <"$folder/codes"
  if [[ ! -s $folder/open ]]; then exit "$bad"; fi
done
exit $((bad == 0 ? 75 : bad))
