"""What must not pass unnoticed in the browser."""

from tests.mutations import Mutation

BROWSER = "tests/browser/"

MUTATIONS = [
    Mutation(
        req="RUN-4",
        file="static/chat/sending.js",
        find="    this.#giveBack(item, problem);\n    if",
        replace="    if (problem.status !== 401) this.#giveBack(item, problem);\n    if",
        tests=f"{BROWSER}test_signed_out.py",
    ),
    Mutation(
        req="FORM-10",
        file="static/chat/form_card.js",
        find="    this.rest();\n    this.#keep();\n",
        replace="    this.rest();\n",
        tests=f"{BROWSER}test_signed_out.py",
    ),
    Mutation(
        req="RUN-4",
        file="static/chat/chat.js",
        find="    this.connection.expectWord(PATIENCE);\n",
        replace="",
        tests=f"{BROWSER}test_telling.py",
    ),
    Mutation(
        req="FORM-10",
        file="static/chat/form_card.js",
        find="mark(this.element, name, faults[name]);",
        replace="",
        tests=f"{BROWSER}test_marked_form.py",
    ),
    Mutation(
        req="RUN-4",
        file="static/chat/early.js",
        find='    element.dataset.early = "";\n',
        replace="",
        tests=f"{BROWSER}test_early.py",
    ),
    Mutation(
        req="RUN-4",
        file="static/chat/chat.js",
        find="    items.forEach(onWithdrawn);\n",
        replace="",
        tests=f"{BROWSER}test_telling.py",
    ),
    Mutation(
        req="FORM-10",
        file="static/chat/scroll.js",
        find="    if (!form) return bottom;\n",
        replace="    return bottom;\n",
        tests=f"{BROWSER}test_telling.py",
    ),
    Mutation(
        req="RUN-4",
        file="static/chat/chat.js",
        find="    for (const runId of open) this.#resume(runId);\n",
        replace="",
        tests=f"{BROWSER}test_cuts.py",
    ),
    Mutation(
        req="RUN-4",
        file="static/chat/composer.js",
        find="return event.isComposing || event.keyCode === 229;",
        replace="return event.isComposing;",
        tests=f"{BROWSER}test_answering.py",
    ),
    Mutation(
        req="FORM-10",
        file="static/chat/form_card.js",
        find="    this.means.drafts.write(this.draft, Object.fromEntries(held));\n",
        replace="",
        tests=f"{BROWSER}test_cuts.py",
    ),
    Mutation(
        req="FORM-10",
        file="static/chat/form_rules.js",
        find="for (const _ of text) length += 1;",
        replace="length = text.length;",
        tests=f"{BROWSER}test_answering.py",
    ),
]
