"""Where the keys of persons are wrapped, when that is outside the database (`ledger.erasable.KeyWrap`)."""
