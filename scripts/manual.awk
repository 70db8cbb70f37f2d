# Markdown of the guides as mdoc; scripts/manual calls it.

# Returns a text as mdoc, with code and strong words in bold.
function inline(text,    parts, count, i, result) {
  gsub(/\\/, "\\e", text)
  gsub(/“/, "\\(lq", text)
  gsub(/”/, "\\(rq", text)
  gsub(/…/, "...", text)
  count = split(text, parts, "`")
  result = parts[1]
  for (i = 2; i <= count; i++) result = result (i % 2 == 0 ? "\\fB" : "\\fP") parts[i]
  while (match(result, /\*\*[^*]+\*\*/))
    result = substr(result, 1, RSTART - 1) "\\fB" substr(result, RSTART + 2, RLENGTH - 4) "\\fP" \
      substr(result, RSTART + RLENGTH)
  return result
}

# Returns a line in a form that troff doesn't take for a request.
function line(text) { return (text ~ /^[.']/ ? "\\&" : "") text }

# Prints a paragraph: each sentence begins on a new line, and a long sentence takes several lines.
function tell(text,    end, next_start) {
  text = inline(text)
  while (match(text, /[.!?](\\fP|\)|\\\(rq)* +/)) {
    end = RSTART + RLENGTH
    next_start = substr(text, end, 1)
    if (next_start !~ /[A-Z\\(]/) {
      # This isn't the end of a sentence. A mark prevents the same place from being found again.
      text = substr(text, 1, end - 2) "\002" substr(text, end)
      continue
    }
    fold(substr(text, 1, end - 1))
    text = substr(text, end)
  }
  fold(text)
}

# Prints a sentence in lines of at most 80 characters.
function fold(text,    i) {
  gsub(/\002/, " ", text)
  text = trimmed(text)
  while (length(text) > 80) {
    for (i = 80; i > 20; i--) if (substr(text, i, 1) == " ") break
    if (i == 20) break
    print line(substr(text, 1, i - 1))
    text = substr(text, i + 1)
  }
  print line(text)
}

# Prints the collected paragraph.
function flush() {
  if (paragraph != "") {
    if (!begins && state == "") print ".Pp"
    tell(paragraph)
    paragraph = ""
    begins = 0
  }
}

function leave() {
  flush()
  if (state == "list" || state == "table") print ".El"
  if (state == "examples") print ".Ed"
  state = ""
}

function trimmed(text) {
  sub(/^ +/, "", text)
  sub(/ +$/, "", text)
  return text
}

# For a guide of level 1, scripts/manual has already begun the section.
BEGIN { begins = level == 1 }

/^```/ {
  if (!code) {
    leave()
    print ".Bd -literal -offset indent"
    code = 1
  } else {
    print ".Ed"
    code = 0
  }
  next
}
code {
  gsub(/\\/, "\\e")
  print line($0)
  next
}
/^#/ {
  leave()
  match($0, /^#+/)
  depth = RLENGTH
  title = trimmed(substr($0, depth + 1))
  gsub(/`/, "", title)
  if (NR == 1) next
  print (depth <= level ? ".Sh " toupper(title) : ".Ss " title)
  begins = 1
  next
}
/^\| ?---/ { next }
/^\|/ {
  row = $0
  # An escaped | within code isn't a border of a cell.
  gsub(/\\\|/, "\001", row)
  count = split(row, cells, "|")
  first = trimmed(cells[2])
  second = trimmed(cells[3])
  third = count > 4 ? trimmed(cells[4]) : ""
  if (state != "table" && state != "examples") {
    leave()
    state = first == "expression" ? "examples" : "table"
    print (state == "examples" ? ".Bd -literal -offset indent" : ".Bl -tag -width Ds")
    next
  }
  if (state == "examples") {
    gsub(/`/, "", first)
    gsub(/`/, "", second)
    gsub(/\\/, "\\e", first)
    gsub(/\\/, "\\e", second)
    if (length(first) + length(second) > 66) {
      print line(first)
      print "    = " second
    } else print line(first) " = " second
    next
  }
  print ".It " inline(first)
  if (second != "" && third != "") tell(second ": " third)
  else tell(second third)
  next
}
/^- / {
  flush()
  if (state != "list") {
    leave()
    print ".Bl -bullet"
    state = "list"
  }
  print ".It"
  paragraph = substr($0, 3)
  next
}
/^$/ {
  flush()
  blank = 1
  if (state == "table" || state == "examples") leave()
  next
}
{
  if (state == "list" && $0 !~ /^  /) leave()
  text = trimmed($0)
  paragraph = paragraph == "" ? text : paragraph " " text
}
END { leave() }
