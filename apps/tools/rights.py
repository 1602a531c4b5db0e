"""Rights are looked up live, at each check: one statement for any number of accounts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from apps.accounts.models import User
from apps.lib.writer.statements import Statement, array, run


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A person as of now; one who is gone or switched off has no rights at all."""

    active: bool = False
    superuser: bool = False
    rights: frozenset[str] = frozenset()

    def has(self, right: str) -> bool:
        """As `User.has_perm`, of the rights that were asked for."""
        return self.superuser or right in self.rights


NOBODY = Account()


def accounts_of(user_ids: Collection[int], rights: Collection[str]) -> Mapping[int, Account]:
    """The active ones among these accounts, each with those of `rights` that it has."""
    return accounts_in(run(*question(user_ids, rights)))


def question(user_ids: Collection[int], rights: Collection[str]) -> Statement:
    """What to ask the database for `accounts_in`."""
    users, names = sorted(set(user_ids)), sorted({right.partition(".")[2] for right in rights})
    sql, values = _ACTIVE.format(users=_among(users)), _given(users)
    if names:
        sql += _GRANTED.format(users=_among(users), names=_among(names))
        values += 2 * _given(users) + _given(names)
    return Statement(sql, values)


def accounts_in(rows: Sequence[tuple[Any, ...]]) -> Mapping[int, Account]:
    """The accounts of which the database told."""
    active = {user: bool(superuser) for user, superuser, _, _ in rows if superuser is not None}
    granted: dict[int, set[str]] = {user: set() for user in active}
    for user, superuser, app, name in rows:
        if superuser is None and user in granted:
            granted[user].add(f"{app}.{name}")
    return {
        user: Account(active=True, superuser=superuser, rights=frozenset(granted[user]))
        for user, superuser in active.items()
    }


def _among(values: Sequence[int | str]) -> str:
    """As one array where the text of a prepared statement must not depend on how many."""
    if connection.vendor == "postgresql":
        return f"= ANY(%s::{'bigint' if values and isinstance(values[0], int) else 'text'}[])"
    return f"IN ({', '.join(['%s'] * len(values))})"


def _given(values: Sequence[int | str]) -> list[int | str]:
    return [array(values)] if connection.vendor == "postgresql" else list(values)


_TABLES = {
    "user": User._meta.db_table,
    "own": User.user_permissions.through._meta.db_table,
    "member": User.groups.through._meta.db_table,
    "shared": Group.permissions.through._meta.db_table,
    "permission": Permission._meta.db_table,
    "type": ContentType._meta.db_table,
}
_ACTIVE = """
    SELECT id, is_superuser, '', '' FROM {user} WHERE is_active AND id {{users}}
""".format(**_TABLES)  # noqa: S608, our own tables
_GRANTED = """
    UNION ALL
    SELECT g.user_id, NULL, t.app_label, p.codename
    FROM (
        SELECT user_id, permission_id FROM {own} WHERE user_id {{users}}
        UNION ALL
        SELECT m.user_id, s.permission_id
        FROM {member} m JOIN {shared} s ON s.group_id = m.group_id WHERE m.user_id {{users}}
    ) AS g
    JOIN {permission} p ON p.id = g.permission_id
    JOIN {type} t ON t.id = p.content_type_id
    WHERE p.codename {{names}}
""".format(**_TABLES)  # noqa: S608
