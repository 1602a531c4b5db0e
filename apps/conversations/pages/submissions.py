"""What somebody filled in, as a line of his own in the conversation.

The stored content is the sentence that the model reads, in the words of the contract. People read
this one, in their language: what was filled in, a choice by its label.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from apps.conversations.pages.form_cards import told


def submission_text(form: Mapping[str, Any], values: Mapping[str, Any]) -> str:
    """Of a form as `metadata.uiForms` has it; what was left empty is left out."""
    texts = submission_texts()
    given = [
        texts["formSaidField"].format(label=field["label"], value=told(field, value))
        for field in form["fields"]
        if (value := values.get(field["name"])) is not None
    ]
    return texts["formSaid"].format(title=form["title"], told=texts["formSaidJoint"].join(given))


def submission_texts() -> dict[str, str]:
    """For the page's own script, which says the same as it happens."""
    return {
        "formSaid": _("已提交“{title}”：{told}"),
        "formSaidField": _("{label}：{value}"),
        "formSaidJoint": _("；"),
    }
