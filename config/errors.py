"""Answers to what Django refuses or cannot answer: a page for people, a problem for programs."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from apps.lib import api_problems
from apps.lib.problem import Problem, RefusedError

_FOR_PROGRAMS = ("/api/", "/a2a/", "/.well-known/", "/healthz", "/readyz", "/metrics")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A page that a service refused says why, with the refusal's own status."""
    refused = exception.__cause__
    if isinstance(refused, RefusedError):
        return _answer(request, refused.problem)
    return _answer(request, api_problems.problem_of(exception) or api_problems.malformed())


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, api_problems.forbidden(exception))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, api_problems.not_found())


def server_error(request: HttpRequest) -> HttpResponse:
    return _answer(request, api_problems.internal_error())


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """For people: what it means to them, not how it was noticed."""
    problem = api_problems.csrf_failed()
    if not for_programs(request):
        stale = _("可能是在另一个窗口登录或退出过。刚才的操作没有执行，请回到首页再试。")
        problem = replace(problem, title=_("这个页面已过期"), detail=stale)
    return _answer(request, problem)


def too_many(request: HttpRequest, problem: Problem) -> HttpResponse:
    return _answer(request, problem)


def for_programs(request: HttpRequest) -> bool:
    """Whether the answer is read by a program."""
    return request.path.startswith(_FOR_PROGRAMS)


def _answer(request: HttpRequest, problem: Problem) -> HttpResponse:
    response = api_problems.as_response(problem)
    if for_programs(request):
        return response
    advice = {
        404: _("地址可能有误，或内容已被删除。"),
        500: _("请稍后重试；如仍有问题，请把追踪号告诉管理员。"),
    }
    heading = {
        "forbidden": _("您不能打开这个页面"),
        "not_found": _("找不到这个页面"),
        "internal_error": _("服务器出错了"),
    }
    page = render(
        request,
        "error.html",
        {
            "problem": problem,
            "heading": heading.get(problem.code, problem.title),
            "advice": advice.get(problem.status, problem.detail),
        },
        status=problem.status,
    )
    for name, value in problem.headers().items():
        page[name] = value
    return page
