"""Numbers of persons, and long tangles that are keys more often than not."""

from apps.audit.redaction.rule import Rule, rule


def _is_card(text: str) -> bool:
    """The check digit of Luhn."""
    digits = [int(sign) for sign in text if sign.isdigit()]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0


PERSONAL: tuple[Rule, ...] = (
    rule(
        "mobile",
        r"(?<![\dA-Za-z-])(?:(?:\+|00)?86[- ]?)?1[3-9]\d(?:[- ]?\d{4}){2}(?![\dA-Za-z])",
        "1",
    ),
    rule(
        "citizen id",
        r"(?<![\dA-Za-z])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dA-Za-z])",
        "19",
        "20",
    ),
    rule(
        "card", r"(?<![\d.-])(?:4|5[1-5]|62|3[47]|6011|2[2-7]\d\d)\d{11,17}(?!\d)", accepts=_is_card
    ),
    rule(
        "card in groups",
        r"(?<![\d-])(?:4\d{3}|5[1-5]\d\d|62\d\d)(?:[ -]\d{4}){3}(?:[ -]\d{1,3})?(?!\d)",
        "-",
        " ",
        accepts=_is_card,
    ),
)

BLOBS: tuple[Rule, ...] = (
    rule("hexadecimal", r"(?i)(?<![\w-])(?=[0-9a-f]{0,31}\d)[0-9a-f]{32,}(?![\w-])", run=32),
    rule("data URL", r"(?i)\bdata:[\w/+.-]{1,60};base64,[\w+/=%-]+", ";base64,"),
    rule(
        "tangle",
        r"(?<![\w+/=-])(?=[A-Za-z+/_-]{0,40}\d)(?=[^A-Z\s]{0,40}[A-Z])(?=[^a-z\s]{0,40}[a-z])"
        r"[A-Za-z0-9+/_-]{28,}={0,2}",
        run=28,
    ),
)
