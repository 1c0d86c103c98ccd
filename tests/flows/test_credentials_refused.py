"""A password in a URL, wherever it comes in: the call ends before anything is stored, and nothing that is printed has it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import ConfigError
from flows.serving.provision import plan_provision
from flows.serving.settings import plan_serving
from tests.flows.calling import Ended

SECRET = "Pa55-w0rd-of-nobody"
URL = f"ftp://reader:{SECRET}@host.invalid/tales"
RUN = ("run", "transcripts", "--in-process")


@pytest.mark.parametrize(
    "call",
    [
        (*RUN, "--source", f"mediawiki+https://user:{SECRET}@wiki.invalid/api.php?category=A", "--store", "store"),
        (*RUN, "--source", "source", "--store", URL),
        (*RUN, "--source", "source", f"--store={URL}"),
        (*RUN, "--source", "source", "--store", "store", "--set", f"alignment.aligner={URL}"),
        (*RUN, "--source", "source", "--store", "store", "--scheduler", f"tcp://user:{SECRET}@host.invalid:1"),
        (*RUN, "--source", "source", "--store", "store", "--config", "settings.toml"),
        ("serve", "--source", f"transcripts={URL}"),
        ("serve", "--source", "transcripts=source", "--config", "serve.toml"),
        ("show", "--store", URL),
        ("doctor", "--store", URL),
    ],
    ids=lambda call: " ".join(call).replace(SECRET, "…"),
)
def test_a_call_ends_before_it_stores_or_prints_a_password(
    call: tuple[str, ...], fabula: Callable[..., Ended], tmp_path: Path
) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "settings.toml").write_text(f'[alignment]\naligner = "{URL}"\n')
    (tmp_path / "serve.toml").write_text(f'[transcripts.parameters]\nresources = {{ wordnet = "{URL}" }}\n')
    before = sorted(tmp_path.rglob("*"))
    ended = fabula(*call, cwd=tmp_path)
    assert ended.status == 2, ended.err
    assert "carries a password or a token" in ended.err
    assert SECRET not in ended.out + ended.err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["FABULA_STORE", "FABULA_SOURCE_TRANSCRIPTS", "AWS_ENDPOINT_URL", "PREFECT_API_URL"])
def test_a_password_in_a_place_of_the_environment_is_refused(name: str, fabula: Callable[..., Ended]) -> None:
    ended = fabula("datasets", **{name: URL})
    assert (ended.status, name in ended.err, SECRET in ended.err) == (2, True, False)


def test_deployments_take_no_password(tmp_path: Path) -> None:
    for named in ({"FABULA_STORE": URL}, {"FABULA_STORE": "s3://tales", "FABULA_SOURCE_SCRIPTS": URL}):
        with pytest.raises(ConfigError, match="carries a password") as refused:
            plan_provision(named)
        assert SECRET not in str(refused.value)
    with pytest.raises(ConfigError, match="FSSPEC_FTP_PASSWORD"):
        plan_serving(None, [f"transcripts={URL}"], str(tmp_path), "store", {})
