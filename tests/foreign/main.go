// Other people's code, put to our ledger: golang.org/x/mod/sumdb, and transparency-dev's merkle and formats.
//
//	foreign vectors                             proofs by their reference tree, good and spoiled, with their verdicts
//	foreign verify DIR VKEY [OLDER WITNESSVKEY] a published log, from its files
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	flog "github.com/transparency-dev/formats/log"
	fnote "github.com/transparency-dev/formats/note"
	fproof "github.com/transparency-dev/formats/proof"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/merkle/testonly"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == "vectors":
		err = vectors()
	case len(os.Args) >= 4 && os.Args[1] == "verify":
		err = verify(os.Args[2], os.Args[3], os.Args[4:])
	default:
		err = errors.New("usage: foreign vectors | verify DIR VKEY [OLDER WITNESSVKEY]")
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

type vector struct {
	Kind              string
	First, Size       uint64
	Leaf, Root, Older []byte
	Proof             [][]byte
	Holds             bool
}

func vectors() error {
	tree := testonly.New(rfc6962.DefaultHasher)
	for i, leaf := range testonly.LeafInputs() {
		tree.AppendData(leaf)
		if got, want := tree.Hash(), testonly.RootHashes()[i+1]; string(got) != string(want) {
			return errors.New("their tree differs from their table")
		}
	}
	for i := tree.Size(); i < 70; i++ {
		tree.AppendData(fmt.Appendf(nil, "leaf %d", i))
	}
	out := json.NewEncoder(os.Stdout)
	for size := uint64(1); size <= tree.Size(); size++ {
		for first := uint64(0); first <= size; first++ {
			if first < size {
				hashes, err := tree.InclusionProof(first, size)
				if err != nil {
					return err
				}
				for _, spoiled := range spoil(vector{"inclusion", first, size, tree.LeafHash(first), tree.HashAt(size), nil, hashes, true}) {
					err := proof.VerifyInclusion(rfc6962.DefaultHasher, spoiled.First, spoiled.Size, spoiled.Leaf, spoiled.Proof, spoiled.Root)
					spoiled.Holds = err == nil
					out.Encode(spoiled)
				}
			}
			hashes, err := tree.ConsistencyProof(first, size)
			if err != nil {
				return err
			}
			for _, spoiled := range spoil(vector{"consistency", first, size, nil, tree.HashAt(size), tree.HashAt(first), hashes, true}) {
				err := proof.VerifyConsistency(rfc6962.DefaultHasher, spoiled.First, spoiled.Size, spoiled.Proof, spoiled.Older, spoiled.Root)
				spoiled.Holds = err == nil
				out.Encode(spoiled)
			}
		}
	}
	return nil
}

// spoil gives the vector and what becomes of it when one thing is changed.
func spoil(good vector) []vector {
	all := []vector{good}
	change := func(f func(*vector)) {
		bad := good
		bad.Proof = append([][]byte(nil), good.Proof...)
		f(&bad)
		all = append(all, bad)
	}
	change(func(v *vector) { v.Proof = append(v.Proof, make([]byte, 32)) })
	change(func(v *vector) { v.Proof = append([][]byte{v.Root}, v.Proof...) })
	change(func(v *vector) { v.First++ })
	change(func(v *vector) { v.Size++ })
	change(func(v *vector) { v.Root = rfc6962.DefaultHasher.EmptyRoot() })
	if len(good.Proof) > 0 {
		change(func(v *vector) { v.Proof = v.Proof[1:] })
		change(func(v *vector) { v.Proof = v.Proof[:len(v.Proof)-1] })
		change(func(v *vector) { v.Proof[0] = make([]byte, 32) })
	}
	return all
}

// files reads tiles of height 8 from a folder laid out by c2sp.org/tlog-tiles.
type files struct{ folder string }

func (f files) Height() int                     { return 8 }
func (f files) SaveTiles([]tlog.Tile, [][]byte) {}
func (f files) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		body, err := os.ReadFile(filepath.Join(f.folder, path))
		if err != nil {
			return nil, err
		}
		all = append(all, body)
	}
	return all, nil
}

func verify(folder, vkey string, more []string) error {
	text, err := os.ReadFile(filepath.Join(folder, "checkpoint"))
	if err != nil {
		return err
	}
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	if _, err := note.Open(text, note.VerifierList(verifier)); err != nil {
		return err
	}
	head, _, _, err := flog.ParseCheckpoint(text, verifier.Name(), verifier)
	if err != nil {
		return err
	}
	tree := tlog.Tree{N: int64(head.Size), Hash: tlog.Hash(head.Hash)}
	reader := tlog.TileHashReader(tree, files{folder})
	entries, err := read(folder, tree.N)
	if err != nil {
		return err
	}
	for i, entry := range entries {
		path, err := tlog.ProveRecord(tree.N, int64(i), reader)
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(path, tree.N, tree.Hash, int64(i), tlog.RecordHash(entry)); err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
	}
	if err := receipts(folder, verifier, entries); err != nil {
		return err
	}
	if len(more) > 0 {
		return older(more, verifier, tree, reader, text)
	}
	fmt.Printf("OK %s: %d entries\n", head.Origin, head.Size)
	return nil
}

func older(more []string, verifier note.Verifier, tree tlog.Tree, reader tlog.HashReader, text []byte) error {
	note0, err := os.ReadFile(more[0])
	if err != nil {
		return err
	}
	seen, _, _, err := flog.ParseCheckpoint(note0, verifier.Name(), verifier)
	if err != nil {
		return err
	}
	path, err := tlog.ProveTree(tree.N, int64(seen.Size), reader)
	if err != nil {
		return err
	}
	if err := tlog.CheckTree(path, tree.N, tree.Hash, int64(seen.Size), tlog.Hash(seen.Hash)); err != nil {
		return err
	}
	if len(more) > 1 {
		witness, err := fnote.NewVerifierForCosignatureV1(more[1])
		if err != nil {
			return err
		}
		opened, err := note.Open(text, note.VerifierList(verifier, witness))
		if err != nil {
			return err
		}
		if len(opened.Sigs) != 2 {
			return fmt.Errorf("%d of 2 signatures hold", len(opened.Sigs))
		}
	}
	fmt.Printf("OK: %d entries begin with the %d seen before\n", tree.N, seen.Size)
	return nil
}

func receipts(folder string, verifier note.Verifier, entries [][]byte) error {
	paths, err := filepath.Glob(filepath.Join(folder, "receipts", "*.tlog-proof"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var found fproof.TLogProof
		if err := found.Unmarshal(body); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		head, _, _, err := flog.ParseCheckpoint(found.Checkpoint, verifier.Name(), verifier)
		if err != nil {
			return err
		}
		var hashes [][]byte
		for _, hash := range found.Hashes {
			hashes = append(hashes, hash[:])
		}
		leaf := rfc6962.DefaultHasher.HashLeaf(entries[found.Index])
		if err := proof.VerifyInclusion(rfc6962.DefaultHasher, found.Index, head.Size, leaf, hashes, head.Hash); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func read(folder string, size int64) ([][]byte, error) {
	var entries [][]byte
	for number := int64(0); number*256 < size; number++ {
		tile := tlog.Tile{H: 8, L: 0, N: number, W: int(min(256, size-number*256))}
		path := strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1)
		body, err := os.ReadFile(filepath.Join(folder, path))
		if err != nil {
			return nil, err
		}
		for len(body) > 0 {
			if len(body) < 2 || len(body) < 2+int(binary.BigEndian.Uint16(body)) {
				return nil, errors.New("a bundle is torn")
			}
			length := int(binary.BigEndian.Uint16(body))
			entries = append(entries, body[2:2+length])
			body = body[2+length:]
		}
	}
	if int64(len(entries)) != size {
		return nil, fmt.Errorf("%d entries of %d", len(entries), size)
	}
	return entries, nil
}
