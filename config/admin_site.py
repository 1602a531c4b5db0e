"""The console: our own admin site, so that its front page and words are ours."""

from django.contrib.admin import AdminSite
from django.utils.translation import gettext_lazy as _


class ConsoleSite(AdminSite):
    """Where staff build, release and operate agents."""

    site_title = _("Steward 控制台")
    site_header = _("Steward 控制台")
    index_title = _("概览")
    enable_nav_sidebar = True
