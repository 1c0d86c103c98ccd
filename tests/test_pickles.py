"""No file is ever unpickled: unpickling runs what the file says (`docs/security.md`, "What it unpickles")."""

import ast
from pathlib import Path

PICKLING = {"pickle", "cPickle", "marshal", "shelve", "joblib", "dill", "cloudpickle"}
CALLS = {("torch", "load"), ("pandas", "read_pickle"), ("pd", "read_pickle")}


def list_faults(tree: ast.AST) -> list[str]:
    """Return what a module does that may unpickle a file."""
    faults = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            faults += [alias.name for alias in node.names if alias.name.split(".")[0] in PICKLING]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PICKLING:
            faults.append(str(node.module))
        elif isinstance(node, ast.Call):
            faults += ["allow_pickle" for word in node.keywords if word.arg == "allow_pickle" and not _is_false(word.value)]
            called = node.func
            if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
                faults += [f"{called.value.id}.{called.attr}"] if (called.value.id, called.attr) in CALLS else []
    return faults


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False


def test_no_module_unpickles_a_file(repository: Path) -> None:
    found = {}
    for package in ("core", "infra", "tasks", "flows", "lab"):
        for path in sorted((repository / package).rglob("*.py")):
            if faults := list_faults(ast.parse(path.read_text(encoding="utf-8"))):
                found[str(path.relative_to(repository))] = faults
    # It pickles its own errors, to see whether Dask will be able to.
    assert found == {"infra/orchestration/worker_logs.py": ["pickle"]}
    loads = ast.parse("import joblib\nfrom dill import load\nnumpy.load(file, allow_pickle=True)\ntorch.load(file)")
    assert list_faults(loads) == ["joblib", "dill", "allow_pickle", "torch.load"]
