"""How much waits for somebody who may deal with it."""

from collections.abc import Mapping

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.models import AdminTask, Alert, DeadLetter
from apps.audit.services.alerts import RIGHT, alerts_of
from apps.audit.services.letters import letters_of


def waiting(user: User) -> Mapping[str, int]:
    """Open rows in the user's reach, by model: `audit.alert`; empty without the right."""
    if not user.has_perm(RIGHT):
        return {}
    actor = Actor.of(user)
    return {
        "audit.alert": alerts_of(actor).filter(state=Alert.State.OPEN).count(),
        "audit.deadletter": letters_of(actor).filter(state=DeadLetter.State.OPEN).count(),
        "audit.admintask": AdminTask.objects.filter(state=AdminTask.State.OPEN).count(),
    }
