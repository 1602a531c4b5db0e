"""Keys by what they look like, vendor by vendor."""

import re

from apps.audit.redaction.rule import DIGITS, LETTERS, RUN, START, Accepts, Rule, is_tangled, rule


def _has_digit(_: re.Match[str], value: str) -> bool:
    return any(sign.isdigit() for sign in value)


def _is_random(_: re.Match[str], value: str) -> bool:
    return is_tangled(value, 10)


def _begins(name: str, tail: str, needs: str, accepts: Accepts | None = _has_digit) -> Rule:
    """A key known by its first signs, and long enough not to be a word."""
    heads = sorted(needs.split("|"), key=len, reverse=True)
    ways = "|".join(re.escape(head) for head in heads)
    return rule(name, rf"{START}(?:{ways}){tail}", needs=needs.lower(), accepts=accepts)


VENDOR_KEYS: tuple[Rule, ...] = (
    _begins(
        "aws id",
        "[0-9A-Z]{12,}",
        needs="AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA|ABIA|ACCA",
        accepts=None,
    ),
    rule(
        "aws arn",
        r"arn:(?:aws|acs|qcs)[\w-]{0,12}:[^\s\"',;)]+",
        needs="arn:",
    ),
    rule(
        "alibaba arn",
        r"(?:acs|qcs):[a-z]{2,12}:[^\s\"',;)]+",
        needs="acs:|qcs::",
    ),
    rule(
        "signed URL",
        "x-(?:amz|goog|oss|cos|obs|tos)-(?:signature|credential|security-token"
        r"|securitytoken)(?:=|\"?:\s?\"?)(?P<x>[^\s&\"']+)",
        needs="x-amz-|x-goog-|x-oss-|x-cos-|x-obs-|x-tos-",
        fold=True,
    ),
    rule(
        "signed parameter",
        "[?&](?:sig|signature|ossaccesskeyid|awsaccesskeyid|googleaccessid|q-ak"
        "|q-signature|key|token|ticket|code|auth|sign|secret"
        "|hmac|jwt|assertion|apikey|api_key|access_token|wssecret"
        r"|auth_key)=(?P<x>[^\s&\"'<>#，。；）]{8,})",
        needs="?|&",
        fold=True,
        accepts=_has_digit,
    ),
    _begins(
        "google",
        r"[\w.-]{20,}",
        needs="AIza|ya29.|1//0",
    ),
    _begins(
        "google secret",
        r"[\w-]{10,}",
        needs="GOCSPX-",
    ),
    _begins(
        "google storage",
        r"[\w+/]{20,}",
        needs="GOOG1|GOOG",
    ),
    rule(
        "azure secret",
        r"(?<![\w~.-])[\w.-]{3}\dQ~[\w~.-]{20,}",
        needs="q~",
        left=LETTERS + DIGITS + "_.-",
    ),
    rule(
        "azure signature",
        r"sharedaccess(?:signature|key)[\s=]{1,2}(?P<x>[^\s;\"']+)",
        needs="sharedaccess",
        fold=True,
    ),
    _begins(
        "github",
        r"\w{16,}",
        needs="ghp_|gho_|ghu_|ghs_|ghr_|github_pat_",
    ),
    _begins(
        "gitlab",
        r"[\w.-]{12,}",
        needs=("glpat-|gldt-|glrt-|glptt-|glcbt-|glsoat-|glft-|glimt-|glagent-|gloas-|GR1348941"),
    ),
    rule(
        "slack",
        r"(?:xox[abeoprs](?:\.xox[bp])?-|xapp-|xwfp-)[\w-]{8,}"
        r"|hooks\.slack(?:-gov)?\.com/\S+",
        needs="xox|xapp-|xwfp-|hooks.slack",
    ),
    _begins(
        "payments",
        r"\w{8,}",
        needs=(
            "sk_live_|sk_test_|rk_live_|rk_test_|pk_live_|pk_test_|whsec_|sk_prod_"
            "|access_token$production$|access_token$sandbox$"
        ),
    ),
    rule(
        "sk keys",
        r"(?:(?<![\w-])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))(?:sk|pk"
        r"|ak)-(?P<y>[\w-]{12,})",
        needs="sk-|pk-|ak-",
        accepts=_has_digit,
    ),
    _begins(
        "model vendors",
        r"[\w/-]{12,}",
        needs=(
            "hf_|api_org_|gsk_|xai-|r8_|nvapi-|pplx-|fpk_|tgp_v1_|csk-|jina_|tvly-|bce-v3/"
            "|esecret_|pcsk_|lsv2_pt_|lsv2_sk_|wandb_v1_|ctx7sk-"
        ),
    ),
    _begins(
        "model platforms",
        r"[\w-]{16,}",
        needs="fw_|app-|pat_|cpk_|rpa_|vcp_|fc-|e2b_|mem0-|phc_|phx_|sk_|fal_|sess-",
        accepts=_is_random,
    ),
    rule(
        "id and secret",
        r"(?<![\w.])[0-9a-f]{32}\.[A-Za-z0-9]{16}(?!\w)",
        anchor=RUN,
    ),
    _begins(
        "chinese clouds",
        r"[\w-]{10,}",
        needs="LTAI|AKID|AKLT|AKTP|HPUA|JDC_|ALTAK|STS.",
        accepts=None,
    ),
    _begins(
        "registries",
        r"[\w-]{16,}",
        needs="npm_|pypi-|dckr_pat_|dckr_oat_|rubygems_|oy2|AKCp|CLOJARS_",
    ),
    rule(
        "telegram",
        r"(?:(?<!\d)|(?<=bot))\d{8,10}:A[\w-]{30,}",
        needs=":a",
        left=DIGITS,
    ),
    rule(
        "sendgrid",
        rf"{START}SG\.[\w-]{{10,}}\.[\w-]{{10,}}",
        needs="sg.",
    ),
    rule(
        "mail vendors",
        rf"{START}(?:key-[0-9a-f]{{32}}|xkeysib-[\w-]{{20,}}"
        rf"|[0-9a-f]{{32}}-us\d{{1,2}})\b",
        needs="key-|xkeysib-",
    ),
    rule(
        "mailchimp",
        r"\b[0-9a-f]{32}-us\d{1,2}\b",
        needs="-us",
        left="0123456789abcdef",
    ),
    _begins(
        "services",
        r"[\w.=-]{16,}",
        needs=(
            "dop_v1_|doo_v1_|dor_v1_|hvs.|hvb.|hvr.|ATATT|ATCTT|ATBB|BBDC-|shpat_|shpss_"
            "|shpca_|shppa_|glsa_|glc_|dapi|sq0atp-|sq0csp-|sq0idp-|EAACEdEose0cBA|lin_api_"
            "|lin_oauth_|AGE-SECRET-KEY-|PMAK-|sntrys_|sntryu_|ntn_|pscale_tkn_|pscale_pw_"
            "|FlyV1|pscale_oauth_|figd_|dp.pt.|dp.st.|pul-|NRAK-|NRII-|CCIPAT_|sbp_|CFPAT-"
            "|ory_at_|duffel_live_|shippo_live_|y0_|AQVN"
        ),
    ),
    _begins(
        "further services",
        r"[\w.=-]{16,}",
        needs="secret_|EAAG|EAAA|EZAK|EZTK|fm2_|tfp_|rnd_|zpka_|ops_|re_|vercel_|cio|bkua_",
        accepts=_is_random,
    ),
    rule(
        "heroku",
        r"HRKU-[\w-]{20,}",
        needs="hrku-",
    ),
    rule(
        "twilio",
        rf"{START}(?:AC|SK|AP|CF|PN|CA)[0-9a-f]{{32}}\b",
        needs="ac|sk|ap|cf|pn|ca",
    ),
    rule(
        "terraform",
        r"[\w]{14}\.atlasv1\.[\w-]{20,}",
        needs=".atlasv1.",
        left=LETTERS + DIGITS,
    ),
    rule(
        "discord",
        r"(?<![\w-])[\w-]{23,28}\.[\w-]{6}\.[\w-]{27,45}",
        anchor=RUN,
    ),
    rule(
        "webhooks",
        r"/(?:hooks?|webhooks?|robot|services)/(?P<x>[\w./?=-]*[0-9a-z-]{16,}[\w./?=-]*)",
        needs="/hook|/webhook|/robot|/services",
        fold=True,
        accepts=_has_digit,
    ),
    rule(
        "key of a license",
        r"(?<![\w-])(?:[0-9A-Z]{5}-){4}[0-9A-Z]{5}(?![\w-])",
        anchor=RUN,
        accepts=_is_random,
    ),
)
