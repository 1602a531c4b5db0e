"""Tools that every agent may be given: they read, and own no data."""

from apps.tools.builtin.dates import DateTools
from apps.tools.builtin.maths import MathTools
from apps.tools.builtin.times import TimeTools
from apps.tools.builtin.web import WebTools

__all__ = ["DateTools", "MathTools", "TimeTools", "WebTools"]
