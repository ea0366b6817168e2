package fakesite

import "strings"

// disguise gives a whole answer another look without changing what its lines say.
func disguise(text string, d Deviation) string {
	switch d {
	case CRLF:
		return strings.ReplaceAll(text, "\n", "\r\n")
	case BOM:
		return "\uFEFF" + text
	case TrailingSpace:
		return strings.ReplaceAll(text, "\n", " \t \n")
	case NBSP, WideColon, SmartQuotes:
		return lineByLine(text, d)
	}
	return text
}

// lineByLine changes the "KEY: value" lines above the first section and, of no-break spaces, the
// list markers below. Commands and file entries keep their own spaces: they are executed.
func lineByLine(text string, d Deviation) string {
	lines := strings.Split(text, "\n")
	fields := true
	for i, line := range lines {
		if strings.HasPrefix(line, "## ") {
			fields = false
		}
		switch {
		case fields:
			lines[i] = restyle(line, d)
		case d == NBSP && strings.HasPrefix(line, "- "):
			lines[i] = "-\u00A0" + line[len("- "):]
		}
	}
	return strings.Join(lines, "\n")
}

func restyle(line string, d Deviation) string {
	key, value, ok := strings.Cut(line, ": ")
	if !ok {
		return line
	}
	switch d {
	case NBSP:
		return key + ":\u00A0" + strings.ReplaceAll(value, " ", "\u00A0")
	case WideColon:
		return key + "：" + value
	case SmartQuotes:
		return key + ": “" + value + "”"
	}
	return line
}
