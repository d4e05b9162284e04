"""Pages as HTML files that need nothing besides them: their own style and script, and no other, may run."""

import base64
import hashlib
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tosa_converter.errors import MissingExtra, printable
from tosa_converter.formats.storage import FilePath, write_atomically

if TYPE_CHECKING:
    from markupsafe import Markup


def render(path: FilePath, template: str, **values: Any) -> int:
    """Writes a template, filled in with `values`, as an HTML file; returns its size in bytes.

    Raises:
        MissingExtra: the template library jinja2 is not installed.
        UsageError: the folder can't be written to.
    """
    try:
        import jinja2
    except ImportError:
        raise MissingExtra("a report", "report") from None
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_template_text),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_escape_invisible,
    )
    style, script = _template_text("page.css"), _template_text("page.js")
    text = environment.get_template(template).render(
        version=version("tosa-converter"),
        style=mark_safe(style),
        script=mark_safe(script),
        policy=f"default-src 'none'; style-src {_hash_source(style)}; script-src {_hash_source(script)}; "
        "base-uri 'none'; form-action 'none'",
        **values,
    )
    return write_atomically(path, [text.encode("utf-8", "backslashreplace")])


def mark_safe(markup: str) -> "Markup":
    """Returns markup marked as safe, so that a template doesn't escape it."""
    from markupsafe import Markup

    return Markup(markup)


def _template_text(name: str) -> str:
    """Returns the text of a file in the package's folder `templates`: a page, style or script."""
    return files(__package__).joinpath("templates", name).read_text("utf-8")


def _hash_source(text: str) -> str:
    """Returns the hash by which a content security policy allows a style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _escape_invisible(value: Any) -> Any:
    """Returns text that a template inserts with invisible characters escaped, and very long text without its middle.

    Marks of direction would reorder what stands around them. Numbers and HTML that is marked as safe stay as they are.
    """
    return printable(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
