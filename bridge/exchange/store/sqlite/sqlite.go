// Package sqlite keeps an exchange in one SQLite file: write-ahead log, each commit synced, foreign
// keys, and a check of the whole file whenever it is opened. A file that is not ours, that a newer
// program wrote, or that is damaged is refused and left as it is.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"

	sqlite3 "modernc.org/sqlite" // registers the driver as well

	"bridgesim/bridge/exchange/store"
)

// Why a file is refused.
var (
	ErrForeign = errors.New("sqlite: the file is no exchange")
	ErrNewer   = errors.New("sqlite: a newer program wrote the file")
	ErrCorrupt = errors.New("sqlite: the file is damaged; restore it from a copy")
)

// application marks our files in SQLite's header: "bxch".
const application = 0x62786368

// migrations lead from one version of the schema to the next; the version is how many were run.
var migrations = []string{`
CREATE TABLE kind (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE record (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	kind   TEXT NOT NULL REFERENCES kind(name),
	id     TEXT NOT NULL,
	owner  TEXT NOT NULL,
	body   BLOB NOT NULL,
	UNIQUE (kind, id)
) STRICT;
CREATE INDEX owned ON record (kind, owner, number);
CREATE TABLE revision (only INTEGER PRIMARY KEY CHECK (only = 1), n INTEGER NOT NULL) STRICT;
INSERT INTO revision VALUES (1, 0);
`}

// Store is a store in a file.
type Store struct{ db *sql.DB }

// Open opens the file, or makes it, and brings its schema up to date.
func Open(path string) (*Store, error) {
	pragmas := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(10000)", "foreign_keys(1)", "synchronous(FULL)",
	}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+pragmas.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // one writer; a second one of this process would only wait
	s := &Store{db: db}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, named(err)), db.Close())
	}
	return s, nil
}

// prepare writes nothing before it knows that the file is ours.
func (s *Store) prepare() error {
	if err := s.ours(); err != nil {
		return err
	}
	if _, err := s.db.Exec("PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	if err := s.migrate(); err != nil {
		return err
	}
	return s.intact()
}

func (s *Store) ours() error {
	var mark, version, tables int
	err := errors.Join(s.db.QueryRow("PRAGMA application_id").Scan(&mark),
		s.db.QueryRow("PRAGMA user_version").Scan(&version),
		s.db.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables))
	switch {
	case err != nil:
		return err
	case mark != application && (mark != 0 || version != 0 || tables != 0):
		return ErrForeign
	case version > len(migrations):
		return fmt.Errorf("%w: schema %d, this one knows %d", ErrNewer, version, len(migrations))
	}
	return nil
}

// migrate runs what is missing in one transaction. The version is read inside it: another process
// may have been first.
func (s *Store) migrate() error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing to undo after a commit
	var version int
	if err := tx.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for version < len(migrations) {
		if _, err := tx.Exec(migrations[version]); err != nil {
			return err
		}
		version++
	}
	for _, k := range store.Kinds {
		if _, err := tx.Exec("INSERT OR IGNORE INTO kind VALUES (?)", string(k)); err != nil {
			return err
		}
	}
	_, err = tx.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d",
		application, version))
	if err != nil {
		return err
	}
	return tx.Commit()
}

func (s *Store) intact() error {
	var said string
	if err := s.db.QueryRow("PRAGMA integrity_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return ErrCorrupt
	}
	return nil
}

// named gives SQLite's codes for a damaged or a foreign file their names here.
func named(err error) error {
	const corrupt, notADB = 11, 26
	if e, ok := errors.AsType[*sqlite3.Error](err); ok {
		switch e.Code() & 0xff {
		case corrupt:
			return errors.Join(ErrCorrupt, err)
		case notADB:
			return errors.Join(ErrForeign, err)
		}
	}
	return err
}

// Update runs one transaction, which is on the disk when it returns nil.
func (s *Store) Update(do func(store.Tx) error) error { return s.run(do, true) }

// View runs a transaction that only reads.
func (s *Store) View(do func(store.Tx) error) error { return s.run(do, false) }

func (s *Store) run(do func(store.Tx) error, writes bool) error {
	db, err := s.db.BeginTx(context.Background(), nil)
	if err != nil {
		return closed(err)
	}
	t := &tx{db: db, writes: writes}
	defer func() {
		t.over = true
		_ = db.Rollback() // nothing to undo after a commit
	}()
	if err := db.QueryRow("SELECT n FROM revision").Scan(&t.revision); err != nil {
		return named(err)
	}
	if err := do(t); err != nil || !writes {
		return err
	}
	if _, err := db.Exec("UPDATE revision SET n = n + 1"); err != nil {
		return named(err)
	}
	return named(db.Commit())
}

// closed names the one error of database/sql that has no value of its own.
func closed(err error) error {
	if err.Error() == "sql: database is closed" {
		return store.ErrClosed
	}
	return named(err)
}

// Close ends the store.
func (s *Store) Close() error { return s.db.Close() }

type tx struct {
	db       *sql.Tx
	revision int64
	writes   bool
	over     bool
}

func (t *tx) Revision() int64 { return t.revision }

func (t *tx) check(kind store.Kind, writing bool) error {
	switch {
	case t.over:
		return store.ErrOver
	case !slices.Contains(store.Kinds, kind):
		return store.ErrKind
	case writing && !t.writes:
		return store.ErrReadOnly
	}
	return nil
}

func (t *tx) Read(kind store.Kind, id string) (body []byte, err error) {
	if err := t.check(kind, false); err != nil {
		return nil, err
	}
	err = t.db.QueryRow("SELECT body FROM record WHERE kind = ? AND id = ?", string(kind), id).
		Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, store.ErrNone
	}
	return body, named(err)
}

func (t *tx) List(kind store.Kind, owner string) (out [][]byte, err error) {
	items, err := t.Page(kind, owner, 0, -1) // without limit
	for _, i := range items {
		out = append(out, i.Record)
	}
	return out, err
}

func (t *tx) Page(
	kind store.Kind, owner string, after int64, limit int,
) (out []store.Item, err error) {
	if err := t.check(kind, false); err != nil {
		return nil, err
	}
	rows, err := t.db.Query(`SELECT number, body FROM record
		WHERE kind = ? AND owner = ? AND number > ? ORDER BY number LIMIT ?`,
		string(kind), owner, after, limit)
	if err != nil {
		return nil, named(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var i store.Item
		if err := rows.Scan(&i.Number, &i.Record); err != nil {
			return nil, named(err)
		}
		out = append(out, i)
	}
	return out, named(rows.Err())
}

func (t *tx) Add(kind store.Kind, id, owner string, record []byte) error {
	if err := t.check(kind, true); err != nil {
		return err
	}
	done, err := t.db.Exec(`INSERT INTO record (kind, id, owner, body) VALUES (?, ?, ?, ?)
		ON CONFLICT (kind, id) DO NOTHING`, string(kind), id, owner, append([]byte{}, record...))
	return one(done, err, store.ErrExists)
}

func (t *tx) Replace(kind store.Kind, id string, record []byte) error {
	if err := t.check(kind, true); err != nil {
		return err
	}
	if !slices.Contains(store.Mutable, kind) {
		return store.ErrImmutable
	}
	done, err := t.db.Exec("UPDATE record SET body = ? WHERE kind = ? AND id = ?",
		append([]byte{}, record...), string(kind), id)
	return one(done, err, store.ErrNone)
}

func (t *tx) Remove(kind store.Kind, id string) error {
	if err := t.check(kind, true); err != nil {
		return err
	}
	if !slices.Contains(store.Passing, kind) {
		return store.ErrKept
	}
	done, err := t.db.Exec("DELETE FROM record WHERE kind = ? AND id = ?", string(kind), id)
	return one(done, err, store.ErrNone)
}

// one demands that exactly one row was written; otherwise it says why not.
func one(done sql.Result, err, otherwise error) error {
	if err != nil {
		return named(err)
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return errors.Join(otherwise, err)
	}
	return nil
}
