package wire

// openSection starts the section of a heading and closes the one before.
func (r *planReader) openSection(name string) {
	r.endSection()
	r.state = inSections
	p := sectionNamed(name)
	r.section, r.content = p, false
	switch {
	case p == noPart:
		r.fault(CodeParse, "", "a section of the contract", r.tidied, "unknown section")
		return
	case r.seen[p]:
		r.section = noPart
		r.fault(CodeParse, "", "one "+p.label(), r.tidied, "the section is given twice")
		return
	}
	r.seen[p] = true
	r.first = len(r.items)
	r.headings[p][0], r.headings[p][1] = r.place("")
}

// endSection stores what the section held and refuses an empty one.
func (r *planReader) endSection() {
	p := r.section
	if p == noPart {
		return
	}
	r.endEntry()
	items := r.items[r.first:len(r.items):len(r.items)]
	if len(items) == 0 {
		r.emptySection(p)
		return
	}
	switch p {
	case partGoal:
		r.plan.Goal = items[0]
	case partSteps:
		r.plan.Steps = items
	case partFiles:
		r.plan.Files = items
	case partCommands:
		r.plan.Commands = items
	case partRisks:
		r.plan.Risks = items
	case partVerify:
		r.plan.Verify = items
	case partNotes:
		r.plan.Notes = items[0]
	}
}

// emptySection refuses a required section without text. One whose lines were refused already is not
// reported again.
func (r *planReader) emptySection(p part) {
	if parts[p].optional || r.content {
		return
	}
	r.faults.add(Fault{
		Code: CodeRequired, Line: r.headings[p][0], Column: r.headings[p][1],
		Want: p.label() + " with text", Hint: parts[p].name + " is empty",
	})
}

// sectionLine reads a line of a section: a new item, or more of the open one.
func (r *planReader) sectionLine(line string) {
	if r.section == noPart {
		return // the unknown or repeated heading is the fault, its text needs no other
	}
	if parts[r.section].shape == textShape {
		r.extend(r.start)
		return
	}
	off, _ := lead(line)
	marker := markerLength(line[off:])
	switch {
	case marker > 0 && (!r.entry || r.indent < r.depth+2):
		r.endEntry()
		r.depth = r.indent
		r.extend(r.start + off + marker)
	case r.entry && r.indent > r.depth:
		r.extend(r.start)
	case parts[r.section].shape == listShape || isNone(r.tidied):
		r.endEntry()
		r.depth = r.indent
		r.extend(r.start + off)
	default:
		r.content = true
		r.endEntry()
		r.refuseLine("- <entry>", "every entry of "+parts[r.section].name+" needs a list marker")
	}
}

// extend makes the current line part of the open entry, which otherwise begins at from.
func (r *planReader) extend(from int) {
	if !r.entry {
		r.entry, r.from = true, from
	}
	r.to = r.end
}

// endEntry stores the open entry; one without text is none.
func (r *planReader) endEntry() {
	if !r.entry {
		return
	}
	r.entry = false
	if text := tidy(r.plan.Block[r.from:r.to]); text != "" {
		if r.items == nil {
			r.items = make([]string, 0, 16)
		}
		r.items = append(r.items, text)
	}
}

// nestedLine reads a line of a code block inside the plan: content, up to its closing fence.
func (r *planReader) nestedLine(line string) {
	if r.nested.closes(line) {
		r.nested = fence{}
	}
	if r.entry {
		r.to = r.end
	}
}

// fencedContent places a code block that opens inside the plan: into the open entry, or as an entry
// of its own where a plain line would be one.
func (r *planReader) fencedContent() {
	switch {
	case r.state != inSections:
		r.state = inFields
		r.refuseLine("FRAME, DECISION, TASK or a section", "a code block before the first section")
	case r.section == noPart:
	case r.entry || parts[r.section].shape != strictList:
		r.extend(r.start)
	default:
		r.content = true
		r.refuseLine("- <entry>", "a code block in "+parts[r.section].name+" belongs to an entry")
	}
}
