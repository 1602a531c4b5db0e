"""English is complete, Chinese is itself, and the compiled files are what the sources say."""

import gettext
import re

import pytest
from django.test import Client, override_settings
from django.utils import translation
from django.utils.translation import trans_real

from apps.accounts.models import User
from tests import translations

HAN = re.compile(r"[\u4e00-\u9fff]")


def test_every_text_is_translated_and_compiled() -> None:
    assert translations.faults() == []


def test_no_english_text_holds_chinese() -> None:
    assert [
        text for text in translations.read_po(translations.PO).values() if HAN.search(text)
    ] == []


def test_the_compiled_file_is_one_that_python_reads() -> None:
    with translations.PO.with_suffix(".mo").open("rb") as file:
        read = gettext.GNUTranslations(file)
    for msgid, text in translations.read_po(translations.PO).items():
        assert read.gettext(msgid) == text


def test_a_forgotten_text_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    places = {**translations.wanted(), "新的文字": {"apps/new.py"}}
    monkeypatch.setattr(translations, "wanted", lambda: places)
    assert translations.faults() == ["not in the .po: '新的文字'"]


def test_chinese_stays_chinese_where_english_is_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trans_real, "_translations", {})
    with override_settings(LANGUAGE_CODE="en"), translation.override("zh-hans"):
        assert translation.gettext("登录") == "登录"


@pytest.mark.django_db
def test_english_pages_hold_no_chinese(client: Client, operator: User) -> None:
    headers = {"accept-language": "en"}
    pages = [client.get("/accounts/login/", headers=headers)]
    wrong = {"username": "operator", "password": "wrong"}
    pages.append(client.post("/accounts/login/", wrong, headers=headers))
    client.force_login(operator)
    pages += [
        client.get(path, headers=headers) for path in ("/", "/nothing", "/admin/", "/api/nothing")
    ]
    for page in pages:
        text = page.content.decode().replace("中文", "")  # the switch names the other language
        assert HAN.findall(text) == []
