"""Tools about an entity of one jurisdiction: a record, and lists of rows that belong to it."""

from dataclasses import dataclass

from bank.servers.spec import TEXT, TEXTS, Json, ToolSpec, answer, flagged, listed
from ctxgate_source import ScopedQueries


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entity, with its table; all names in it are ours."""

    domain: str
    table: str
    id: str
    """The column with the name of an entity, and the parameter that asks for it."""

    def within(self) -> str:
        """That a row `t` is the entity's, and that the asker's jurisdictions reach it."""
        return f"t.{self.id} = :entity AND t.jurisdiction IN (SELECT value FROM json_each(:jurisdictions))"

    def record(self, name: str, description: str, source_id: str, /, **columns: Json) -> ToolSpec:
        """The tool that gives the entity's row."""
        flags = [column for column, schema in columns.items() if schema.get("type") == "boolean"]

        def found(queries: ScopedQueries) -> Json:
            sql = f"SELECT {self.id}, jurisdiction, {', '.join(columns)} FROM {self.table} t WHERE {self.within()}"
            rows = flagged([dict(row) for row in queries.rows(sql)], *flags)
            return {**rows[0], "jurisdictions": [rows[0]["jurisdiction"]]} if rows else {}

        schema = answer(**{self.id: TEXT}, jurisdiction=TEXT, jurisdictions=TEXTS, **columns)
        return ToolSpec(name, description, self.domain, self.id, "string", source_id, "entity", schema, found)

    def rows(
        self, name: str, description: str, source_id: str, member: str, joined: str, /, **columns: Json
    ) -> ToolSpec:
        """
        The tool that lists rows which belong to the entity.

        Args:
            name: of the tool.
            description: what it is for.
            source_id: of its items.
            member: of the result, with the rows.
            joined: the rows `x`, joined to the entity `t`; a table alone points to the entity with a column of the same name.
            columns: of the rows, with their schemas.
        """
        flags = [column for column, schema in columns.items() if schema.get("type") == "boolean"]
        rows = joined if " " in joined else f"{joined} x ON x.{self.id} = t.id"

        def found(queries: ScopedQueries) -> Json:
            heads = queries.rows(f"SELECT {self.id}, jurisdiction FROM {self.table} t WHERE {self.within()}")
            names = ", ".join(f"x.{column}" for column in columns)
            sql = f"SELECT {names} FROM {self.table} t JOIN {rows} WHERE {self.within()} ORDER BY x.rowid"
            return {**heads[0], member: flagged([dict(row) for row in queries.rows(sql)], *flags)} if heads else {}

        schema = answer(**{self.id: TEXT}, jurisdiction=TEXT, **{member: listed(**columns)})
        return ToolSpec(name, description, self.domain, self.id, "string", source_id, "tool_result", schema, found)
