"""Make what the deployments need on a shared Prefect server: buckets, work pool, deployments. A second call changes nothing.

`python -m flows.provision` reads the environment: where Prefect's API is (PREFECT_API_URL), the S3 keys (AWS_…), the variables
of `prefect.yaml` (FABULA_STORE, FABULA_SOURCE_TRANSCRIPTS, …). docker-compose.yml runs it before the worker starts.
"""

import os
import sys
from collections.abc import Mapping

from core.errors import ConfigError, FabulaError
from flows.deployments import PIPELINES, Deployment, list_deployments
from flows.serving import apply_deployment, create_pool
from infra.buckets import make_bucket, name_buckets


def plan_deployments(environment: Mapping[str, str]) -> tuple[Deployment, ...]:
    """Return the deployments with the places that the environment names; without FABULA_SCHEDULER a run has its own cluster.

    Raises:
        ConfigError: a place is not named.
    """
    names = {pipeline: f"FABULA_SOURCE_{pipeline.upper()}" for pipeline in PIPELINES}
    missing = [name for name in ("FABULA_STORE", *names.values()) if not environment.get(name)]
    if missing:
        raise ConfigError(f"the environment lacks {', '.join(missing)}; expected a folder or an fsspec URL in each")
    sources = {pipeline: (environment[name],) for pipeline, name in names.items()}
    return list_deployments(sources, environment["FABULA_STORE"], {"scheduler": environment.get("FABULA_SCHEDULER")})


def list_places(deployments: tuple[Deployment, ...]) -> list[str]:
    """Return the stores and sources of some deployments."""
    parameters = [deployment.parameters for deployment in deployments]
    stores = [each["store"] for each in parameters if "store" in each]
    return stores + [url for each in parameters for url in each.get("source", ())]


def main() -> None:
    """Make all three, saying what was new."""
    try:
        deployments = plan_deployments(os.environ)
        for bucket in name_buckets(list_places(deployments)):
            print(f"bucket {bucket}: {'made' if make_bucket(bucket) else 'there'}", flush=True)
        create_pool()
        for deployment in deployments:
            apply_deployment(deployment, paused=False)
            print(f"deployment {deployment.name}: up to date", flush=True)
    except FabulaError as error:
        sys.exit(f"provision: {error}")


if __name__ == "__main__":
    main()
