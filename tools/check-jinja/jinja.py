"""Renders programs with Python's Jinja2, set up as Transformers sets it up: JSON lines in, JSON lines out."""

import datetime
import json
import sys
import warnings

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

warnings.simplefilter("ignore")


class Generation(Extension):
    """`{% generation %}`, which marks for training what the model said, and renders what stands in it."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def strftime_now(written):
    return datetime.datetime(2026, 1, 15, 10, 30).strftime(written)


environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
)
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = strftime_now


def rendered(source, variables):
    try:
        return {"text": environment.from_string(source).render(**variables)}
    except Exception as error:  # Whatever it is: a template that Python does not render is refused.
        return {"error": f"{type(error).__name__}: {error}"}


print(json.dumps(f"Jinja2 {jinja2.__version__}"))
for line in sys.stdin:
    program = json.loads(line)
    print(json.dumps(rendered(program["source"], program["variables"])))
