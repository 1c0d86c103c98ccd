"""Create the buckets, the work pool and the deployments on a shared Prefect server. A second call changes nothing.

`python -m flows.serving.provision` reads the environment: where Prefect's API is (PREFECT_API_URL), the S3 keys (AWS_…), the
variables of `prefect.yaml` (FABULA_STORE, FABULA_SOURCE_TRANSCRIPTS, …). docker-compose.yml runs it before the worker starts.
With `--pool` it makes the work pool alone, for `prefect deploy --all`.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.credentials import refuse_in_environment
from core.errors import ConfigError, FabulaError
from flows.serving.deployments import WORK_POOL, Deployment, list_deployments, name_source
from flows.serving.server import apply_deployment, create_pool
from flows.serving.settings import has_source
from infra.store.s3 import make_bucket, name_buckets
from tasks.pipelines import PIPELINES


@dataclass(frozen=True, slots=True)
class Provision:
    """The deployments, the names of those that are paused for lack of a source, and the buckets that they use."""

    deployments: tuple[Deployment, ...]
    paused: frozenset[str]
    buckets: tuple[str, ...]


def plan_provision(environment: Mapping[str, str]) -> Provision:
    """Return what the environment asks for. A pipeline without FABULA_SOURCE_… is paused, so that the UI still shows it.

    Without FABULA_SCHEDULER each run starts a Dask cluster of its own. FABULA_PAPERS=1 lets the papers' own profiles run on their
    schedules.

    Raises:
        ConfigError: FABULA_STORE is not set, or a URL has a password.
    """
    refuse_in_environment(environment)
    store = environment.get("FABULA_STORE")
    if not store:
        raise ConfigError("FABULA_STORE is not set; expected a folder or an fsspec URL such as s3://bucket/store")
    named = {pipeline.name: environment.get(name_source(pipeline)) for pipeline in PIPELINES}
    sources = {pipeline: (url,) if url else () for pipeline, url in named.items()}
    there = [pipeline for pipeline, urls in sources.items() if urls]
    common = {"scheduler": environment.get("FABULA_SCHEDULER") or None}
    all_deployments = list_deployments(sources, store, common, papers=bool(environment.get("FABULA_PAPERS")))
    deployments = tuple(
        each if each.pipeline else replace(each, parameters={**each.parameters, each.reads: there}) for each in all_deployments
    )
    paused = {each.name for each in deployments if not has_source(each)}
    buckets = name_buckets([store, *(url for urls in sources.values() for url in urls)])
    return Provision(deployments, frozenset(paused), tuple(buckets))


def main(arguments: Sequence[str]) -> None:
    """Create everything, or with `--pool` the work pool alone, and print what was new."""
    if arguments not in ([], ["--pool"]):
        sys.exit("provision: expected no argument, or --pool")
    try:
        if arguments:
            create_pool("python")
            print(f"work pool {WORK_POOL}: up to date", flush=True)
            return
        provision = plan_provision(os.environ)
        for bucket in provision.buckets:
            print(f"bucket {bucket}: {'made' if make_bucket(bucket) else 'there'}", flush=True)
        create_pool("python")
        for deployment in provision.deployments:
            paused = deployment.name in provision.paused
            apply_deployment(deployment, paused)
            print(f"deployment {deployment.name}: {'paused, it has no source' if paused else 'up to date'}", flush=True)
    except FabulaError as error:
        sys.exit(f"provision: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
