"""The first lines of a new tool: its service, its test, its place in the app's list."""

from apps.tools.scaffold.listing import listed
from apps.tools.scaffold.planning import Plan, ScaffoldError, planned

__all__ = ["Plan", "ScaffoldError", "listed", "planned"]
