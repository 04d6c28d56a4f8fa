"""Generated requests to every operation of the JSON API: no server error, and no response that openapi.json omits."""

import http.cookiejar
import json
import urllib.request

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance, response_schema_conformance, status_code_conformance)

from spooler import Spooler

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def service():
    """A printd with jobs in several states."""
    service = Spooler()
    service.submit("--wait", service.pdf())
    service.printq("printers", "pause", "mono-laser")
    service.submit("-d", "mono-laser", service.pdf())
    service.submit("--hold", "indefinite", service.pdf())
    yield service
    service.close()


@pytest.fixture(scope="module")
def session(service):
    """The headers of a session."""
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    opener.open(service.login()).read()
    token = json.load(opener.open(f"{service.origin}/api/v1/session"))["token"]
    return {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar), "Printq-Token": token}


@pytest.fixture(scope="module")
def description(service, session):
    return schemathesis.openapi.from_url(f"{service.origin}/api/v1/openapi.json", headers=session)


# A stream of events does not end, and a session that has ended would refuse all further requests.
api = schemathesis.pytest.from_fixture("description").exclude(path="/events").exclude(
    path="/api/v1/events").exclude(method="DELETE", path_regex="session$")


@api.parametrize()
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_operation_answers_as_described(case, session):
    case.call_and_validate(headers=session, checks=CHECKS, timeout=30)
