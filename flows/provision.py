"""Make what the deployments need on a shared Prefect server: buckets, the work pool, the deployments. What is there stays.

`python -m flows.provision` reads the environment: where Prefect's API is (PREFECT_API_URL), the S3 keys (AWS_…), and what
`prefect.yaml` names (FABULA_STORE, FABULA_SOURCE_TRANSCRIPTS, …). docker-compose.yml runs it before the worker starts.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.exceptions import ObjectAlreadyExists

from core.errors import ConfigError, FabulaError
from flows.deployments import PIPELINES, WORK_POOL, WORK_POOL_TYPE, write_prefect_yaml
from infra.buckets import make_bucket, name_buckets


def list_places(environment: Mapping[str, str]) -> list[str]:
    """Return the store and the sources that the environment names.

    Raises:
        ConfigError: one is not named; a deployment would be made with an empty parameter.
    """
    names = ["FABULA_STORE", *(f"FABULA_SOURCE_{pipeline.upper()}" for pipeline in PIPELINES)]
    missing = [name for name in names if not environment.get(name)]
    if missing:
        raise ConfigError(f"the environment lacks {', '.join(missing)}; expected a folder or an fsspec URL in each")
    return [environment[name] for name in names]


def make_work_pool() -> bool:
    """Make the work pool that the deployments name; False if it is there."""
    with get_client(sync_client=True) as client:
        try:
            client.create_work_pool(WorkPoolCreate(name=WORK_POOL, type=WORK_POOL_TYPE))
        except ObjectAlreadyExists:
            return False
    return True


def make_deployments() -> None:
    """Make or renew every deployment, its schedule and its trigger.

    Raises:
        ConfigError: `prefect deploy` failed; its own lines say why.
    """
    with TemporaryDirectory() as folder:
        (Path(folder) / "prefect.yaml").write_text(write_prefect_yaml(), encoding="utf-8")
        # The interpreter's own Prefect, also where its folder is not on the PATH.
        command = [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"]
        if subprocess.run(command, cwd=folder, check=False).returncode:
            raise ConfigError("the deployments could not be made: see what `prefect deploy` printed above")


def main() -> None:
    """Make all three, saying what was new."""
    try:
        for bucket in name_buckets(list_places(os.environ)):
            print(f"bucket {bucket}: {'made' if make_bucket(bucket) else 'there'}", flush=True)
        print(f"work pool {WORK_POOL}: {'made' if make_work_pool() else 'there'}", flush=True)
        make_deployments()
    except FabulaError as error:
        sys.exit(f"provision: {error}")


if __name__ == "__main__":
    main()
