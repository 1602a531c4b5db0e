"""Numbers of persons, and long tangles that are keys more often than not."""

import re

from apps.audit.redaction.rule import NUMBER, PAIRS, RUN, Rule, is_tangled, is_uuid, rule

# What such a number is called where it is business.
_BUSINESS = (
    r"(?:订单|单号|流水|编号|运单|票号|发票|批次|工单|合同|学号|工号|快递|物流|会员|号码段|isbn|条码|商品|sku|order|tracking|invoice|ticket"
    r"|batch|serial|number is|reference|ref|receipt|transaction|trade|no\.)[^0-9\r\n]{0,8}$"
)
_CARD = r"(?:4|5[1-5]|62|3[47]|6011|65|2[2-7]\d\d|9\d)"


def _is_card(match: re.Match[str], value: str) -> bool:
    """The check digit of Luhn."""
    digits = [int(sign) for sign in value if sign.isdigit()]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0


def _is_hexadecimal(_: re.Match[str], value: str) -> bool:
    return not value.isdigit() and any(sign.isdigit() for sign in value)


def _is_international(_: re.Match[str], value: str) -> bool:
    return 10 <= sum(sign.isdigit() for sign in value) <= 15


def _is_blob(_: re.Match[str], value: str) -> bool:
    """Not the name of a row, nor words set together."""
    return not is_uuid(value) and is_tangled(value, 24)


PERSONAL: tuple[Rule, ...] = (
    rule(
        "mobile",
        r"(?:(?<![\dA-Za-z_.-])|(?<=\\[nrt])|(?<=%[0-9A-F]{2})"
        r"|(?<=[a-z]_))1[3-9][0-9](?:[- ]?[0-9]{4}){2}(?![\dA-Za-z])",
        anchor=NUMBER,
        unless=_BUSINESS,
    ),
    rule(
        "prefixed mobile",
        r"(?:\+|00|%2b)?86[- ]?1[3-9][0-9](?:[- ]?[0-9]{4}){2}(?![0-9])",
        needs="+86|0086|%2b86|86",
        fold=True,
    ),
    rule(
        "landline",
        r"(?:座机|电话|手机|联系方式|phone|tel|telephone|mobile|fax|传真)(?:号码?|:|：|\s|为|是|\"|'|="
        r"|\(家\)|number|no\.?){0,4}(?P<x>\(?0\d{2,3}\)?[- ]?\d{7,8}(?:-\d{1,5})?)(?!\d)",
        needs="座机|电话|手机|联系方式|phone|tel|mobile|fax|传真",
        unless="(?:客服|热线|咨询|服务|投诉)$",
        fold=True,
    ),
    rule(
        "international number",
        r"(?<![\w+])\+\d{1,3}[- .]?\(?\d{1,4}\)?(?:[- .]?\d{2,4}){2,4}(?!\d)",
        needs="+",
        accepts=_is_international,
    ),
    rule(
        "north american number",
        r"(?<![\w-])(?![48]00)[2-9]\d{2}[- .][2-9]\d{2}[- .]\d{4}(?![\d-])",
        anchor=NUMBER,
        unless=_BUSINESS,
    ),
    rule(
        "citizen id",
        r"(?<![\dA-Za-z])(?!(?:19|20)\d\d(?:0[1-9]|1[0-2]))[1-9]\d{5}(?:19"
        r"|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dA-Za-z])",
        anchor=NUMBER,
        unless="(?:订单|流水|单号)[^0-9]{0,6}$",
    ),
    rule(
        "labelled citizen id",
        "(?:身份证|证件号|公民身份|id ?card|idcard|identity card|citizen id"
        r"|ssn)[^\d\r\n]{0,12}(?P<x>\d{15}(?:\d{2}[\dx])?|\d{3}-\d{2}-\d{4})(?![\da-z])",
        needs="身份证|证件号|公民身份|id card|idcard|identity card|citizen id|ssn",
        fold=True,
    ),
    rule(
        "passport",
        r"(?:护照|通行证|passport)[^\dA-Za-z\r\n]{0,6}(?:no\.?|number|号码?|：|:"
        r"|\s){0,3}(?P<x>[A-Za-z]{1,2}\d{7,9})(?!\d)",
        needs="护照|通行证|passport",
    ),
    rule(
        "card",
        rf"(?<![\d.A-Za-z_-]){_CARD}\d{{11,17}}(?![\dA-Za-z])",
        anchor=NUMBER,
        accepts=_is_card,
        unless=_BUSINESS,
    ),
    rule(
        "labelled card",
        "(?:银行卡|储蓄卡|信用卡|借记卡|账号|账户|卡号|card|pan|iban"
        r"|account)[^\d\r\n]{0,10}(?P<x>\d{13,19}"
        r"|\d{4}(?:[ -]\d{4}){2,3}(?:[ -]\d{1,4})?)(?!\d)",
        needs="银行卡|储蓄卡|信用卡|借记卡|账号|账户|卡号|card|pan|iban|account",
        fold=True,
    ),
    rule(
        "card in groups",
        r"(?<![\d-])(?:4\d{3}|5[1-5]\d\d|62\d\d"
        r"|2[2-7]\d\d)(?:[ -]\d{4}){3}(?:[ -]\d{1,3})?(?![\d-])",
        anchor=NUMBER,
        accepts=_is_card,
    ),
)


BLOBS: tuple[Rule, ...] = (
    rule(
        "hexadecimal",
        r"(?:0[xX])?[0-9a-fA-F]{32,}(?![\w-])",
        anchor=RUN,
        accepts=_is_hexadecimal,
    ),
    rule(
        "bytes in pairs",
        r"(?<![\w:])(?:[0-9A-Fa-f]{2}:){15,63}[0-9A-Fa-f]{2}(?![\w:])",
        anchor=PAIRS,
    ),
    rule(
        "data URL",
        r"data:[\w/+.;=-]{1,80};base64,[\w+/=%\\-]+",
        needs="data:",
        fold=True,
    ),
    rule(
        "tangle",
        "[A-Za-z0-9+/_-]{28,}(?:={1,2}|%3[dD])?",
        anchor=RUN,
        accepts=_is_blob,
    ),
)
